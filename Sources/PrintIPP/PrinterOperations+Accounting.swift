// Get-Accounting: what jobs have cost.

import IPP
public import PrintModel

extension PrinterOperations {
    /// What jobs have cost that have ended: everybody's to administrators, to others their own.
    func getAccounting(_ exchange: Exchange) async throws(IPPFailure) -> Message {
        let asked = exchange.attributes
        try exchange.permit(.own)
        let mayAskAll = exchange.permission(.others) == .allowed
        var query = AccountingQuery(
            printer: exchange.target.printer, user: asked.string("printq-user"),
            since: asked["printq-since"]?.dateTimeValue?.unixTime.map(UnixTime.init),
            until: asked["printq-until"]?.dateTimeValue?.unixTime.map(UnixTime.init),
            limit: asked.integer("limit").map(Int.init) ?? AccountingQuery.mostAtOnce)
        if asked.boolean("my-jobs") == true { query.user = exchange.requester.name }
        if let user = query.user, user != exchange.requester.name, !mayAskAll {
            throw .notAuthorized("only an administrator may see what the jobs of \(user) cost")
        }
        if !mayAskAll { query.user = exchange.requester.name }
        if let place = asked.string("printq-after") {
            guard let after = AccountingEntry.Place(place) else {
                throw .badRequest("printq-after '\(place)' is no place; give the printq-place of an entry")
            }
            query.after = after
        }
        let entries = try await service.accounting(query)
        return exchange.reply(entries.map { AttributeGroup(.job, $0.attributes) })
    }
}

extension PrinterService {
    /// Whoever prints by itself keeps no accounts.
    public func accounting(_ query: AccountingQuery) async throws(IPPFailure) -> [AccountingEntry] {
        throw IPPFailure(.serverErrorOperationNotSupported, "no accounts are kept here")
    }
}
