// Formats quotas, and what users have used of them, as tables and as JSON.

import PrintIPP
package import PrintModel
package import SpoolerClient

extension Quota {
    /// Returns the quotas as a table.
    package static func table(of quotas: [Quota]) -> TextTable {
        var table = TextTable([
            .left("FOR"), .left("PER"), .right("PAGES"), .right("SHEETS"), .right("COPIES"), .left("COLOR"),
        ])
        for quota in quotas {
            func text(_ limit: Int?) -> String { limit.map { "\($0)" } ?? "-" }
            table.add([
                quota.subject.label, quota.period.rawValue, text(quota.pages), text(quota.sheets), text(quota.copies),
                quota.color?.description ?? "-",
            ])
        }
        return table
    }

    /// The quotas as JSON.
    package static func json(of quotas: [Quota]) -> JSONText { .array(quotas.map { JSONText($0.attributes) }) }
}

extension QuotaStanding {
    /// Returns what a user has used as a table.
    package static func table(of standings: [QuotaStanding]) -> TextTable {
        var table = TextTable([
            .left("PER"), .left("UNIT"), .right("LIMIT"), .right("USED"), .right("WAITING"), .right("LEFT"),
            .left("UNTIL"),
        ])
        for standing in standings {
            let limit = standing.added == 0 ? "\(standing.limit)" : "\(standing.limit)+\(standing.added)"
            table.add(
                [
                    standing.quota.period.rawValue, standing.unit.rawValue, limit, "\(standing.used)",
                    "\(standing.reserved)", "\(standing.remaining)", LocalTime.short(standing.endsAt, now: 0),
                ], tones: standing.remaining == 0 ? [5: .bad] : [:])
        }
        return table
    }

    /// Returns what a user has used, and the quotas that limit each job, as JSON.
    package static func json(of standings: [QuotaStanding], perJob: [Quota]) -> JSONText {
        .object([
            ("periods", .array(standings.map { JSONText($0.attributes) })), ("per-job", Quota.json(of: perJob)),
        ])
    }
}
