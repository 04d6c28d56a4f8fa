// Reads accounting entries page by page.

import IPP
import PrintIPP
package import PrintModel

extension Spooler {
    /// Reads the accounting entries of ended jobs, oldest first.
    ///
    /// The memory use does not depend on the number of entries.
    ///
    /// - Parameters:
    ///   - isMine: Whether to read only the entries of the user's jobs.
    ///   - onPage: The function that is called with each group of entries that printd returns. A group is never empty.
    package func accounting(
        _ query: AccountingQuery, isMine: Bool = false, onPage: ([AccountingEntry]) -> Void
    ) async throws(SpoolerClientError) {
        var attributes: [Attribute] = []
        if isMine { attributes.append(Attribute("my-jobs", .boolean(true))) }
        if let user = query.user { attributes.append(Attribute("printq-user", .name(user))) }
        for (name, moment) in [("since", query.since), ("until", query.until)] {
            guard let moment else { continue }
            attributes.append(Attribute("printq-\(name)", .dateTime(DateTime(unixTime: Int(moment)))))
        }
        var place: AccountingEntry.Place?
        while true {
            let after = place.map { [Attribute("printq-after", .name($0.description))] } ?? []
            let answer = try await ask(
                .printqGetAccounting, printer: query.printer, attributes: attributes + after)
            let entries = answer.groups(.job).compactMap(AccountingEntry.init(attributes:))
            guard let last = entries.last else { return }
            onPage(entries)
            place = last.place
        }
    }
}
