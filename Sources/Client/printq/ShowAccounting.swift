// The command `printq log --accounting`.

import ArgumentParser
import PrintqOutput
import PrintModel
import SpoolerClient

/// The property by which the accounting totals are grouped.
enum AccountingGrouping: String, ExpressibleByArgument, CaseIterable {
    /// Accounting totals by job owner.
    case user
    /// Accounting totals by printer.
    case printer

    func name(of entry: AccountingEntry) -> String { self == .user ? entry.user : entry.printer }

    /// Parses a date, or a date and time.
    static func moment(_ text: String, endsDay: Bool = false) throws -> UnixTime {
        guard let moment = LocalTime.moment(text, endsDay: endsDay) else {
            throw ValidationError("expected 2030-01-31 or 2030-01-31T18:30")
        }
        return moment
    }
}

extension Log {
    /// Shows the accounting entries of jobs, or their totals.
    func showAccounting() async throws {
        let query = AccountingQuery(printer: try choice.name, user: user, since: since, until: until)
        let format: AccountingText.Format = csv ? .csv : choices.json ? .json : .table
        let columns = by.map { AccountingColumn.ofSums(by: $0.rawValue) } ?? AccountingColumn.ofJobs
        var text = AccountingText(columns, format)
        if let by {
            let sums = try await sums(of: query, by: by)
            var rows = sums.sorted { $0.key < $1.key }.map { $0.value.cells(of: $0.key) }
            if format == .table, !rows.isEmpty {
                rows.append(sums.values.reduce(into: AccountingSum()) { $0.add($1) }.cells(of: "TOTAL"))
            }
            if !rows.isEmpty { StandardOutput.print(text.rows(rows, width: StandardOutput.width)) }
        } else {
            let now = Session.now
            let time = { format == .table ? LocalTime.short($0, now: now) : LocalTime.universal($0) }
            try await choices.spooler.accounting(query, isMine: mine) { entries in
                StandardOutput.print(text.rows(entries.map { $0.cells(time: time) }, width: StandardOutput.width))
            }
        }
        StandardOutput.print(text.end(whenEmpty: "nothing was printed"))
    }

    private func sums(
        of query: AccountingQuery, by grouping: AccountingGrouping
    ) async throws -> [String: AccountingSum] {
        var sums: [String: AccountingSum] = [:]
        try await choices.spooler.accounting(query, isMine: mine) { entries in
            for entry in entries { sums[grouping.name(of: entry), default: AccountingSum()].add(entry) }
        }
        return sums
    }
}
