// Formats the audit log as a table and as JSON.

import PrintIPP
package import PrintModel
package import SpoolerClient

extension AuditEntry {
    /// Returns entries as a table.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - times: The style of the times, relative or absolute.
    package static func table(of entries: [AuditEntry], now: UnixTime, times: TimeStyle) -> TextTable {
        var table = TextTable([
            .left("TIME"), .left("USER"), .left("PROOF"), .left("ADDRESS"), .left("OPERATION"), .left("PRINTER"),
            .right("JOB"), .left("RESULT"),
        ])
        for entry in entries {
            let isDone = entry.status.hasPrefix("successful")
            table.add(
                [
                    times.text(entry.time, now: now), entry.actsFor.map { "\(entry.user) for \($0)" } ?? entry.user,
                    entry.proof, entry.address ?? "", entry.operation, entry.printer ?? "",
                    entry.job.map(String.init) ?? "", isDone ? "done" : entry.status,
                ], tones: isDone ? [:] : [7: .bad])
        }
        return table
    }

    /// Returns entries as JSON.
    package static func json(of entries: [AuditEntry]) -> JSONText { .array(entries.map { JSONText($0.attributes) }) }
}
