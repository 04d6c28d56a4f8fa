// The route of the usage: the printed pages of each user and day.

import PrintIPP
import PrintModel
import SpoolerClient

extension Route {
    static let usageRoutes: [Route] = [
        Route(.get, "/api/v1/usage", .provenUser, "Sums the printed pages of each user and day.") { call in
            let days = try call.query.number("days", in: 1...366, default: 30)
            let offset = try call.query.number("offset", in: -840...840, default: 0)
            let today = Usage.day(of: call.center.clock(), offset: offset)
            let first = today - days + 1
            let (spooler, isMine) = (call.spooler, !call.user.isAdministrator)
            let usage = try await call.untilHangUp {
                var usage = Usage(offset: offset)
                let query = AccountingQuery(since: Usage.start(ofDay: first, offset: offset))
                try await spooler.accounting(query, isMine: isMine) { entries in
                    for entry in entries { usage.add(entry) }
                }
                return usage
            }
            let standings = try await spooler.quotaStandings(of: nil).standings
            return .json(
                .object([
                    ("first-day", .string(Usage.name(ofDay: first))), ("last-day", .string(Usage.name(ofDay: today))),
                    ("everyone", .bool(!isMine)), ("rows", .array(usage.rows)),
                    ("quotas", .array(standings.map { Usage.quota($0) })),
                ]))
        }
    ]
}

/// The printed pages of each user and day.
struct Usage: Sendable {
    private struct Key: Hashable {
        var day: Int
        var user: String
    }

    private struct Sum {
        var jobs = 0
        var printed = PrintedSides()
        var colorSides = 0
    }

    private let offset: Int
    private var sums: [Key: Sum] = [:]

    /// - Parameter offset: The minutes from UTC to the local time whose days are counted.
    init(offset: Int) { self.offset = offset }

    mutating func add(_ entry: AccountingEntry) {
        var sum = sums[Key(day: Self.day(of: entry.endedAt, offset: offset), user: entry.user)] ?? Sum()
        sum.jobs += 1
        sum.printed = sum.printed + entry.printed
        if entry.isColor == true { sum.colorSides += entry.printed.impressions }
        sums[Key(day: Self.day(of: entry.endedAt, offset: offset), user: entry.user)] = sum
    }

    static func quota(_ standing: QuotaStanding) -> JSONText {
        .object([
            ("period", .string(standing.quota.period.rawValue)), ("unit", .string(standing.unit.rawValue)),
            ("limit", .number(standing.limit + standing.added)), ("remaining", .number(standing.remaining)),
            ("ends", .string(LocalTime.universal(standing.endsAt))),
        ])
    }

    /// One object for each user and day, newest day first.
    var rows: [JSONText] {
        sums.sorted { ($1.key.day, $0.key.user) < ($0.key.day, $1.key.user) }.map { key, sum in
            .object([
                ("day", .string(Self.name(ofDay: key.day))), ("user", .string(key.user)),
                ("jobs", .number(sum.jobs)), ("pages", .number(sum.printed.impressions)),
                ("color-pages", .number(sum.colorSides)), ("sheets", .number(sum.printed.sheets)),
            ])
        }
    }

    /// Returns the number of the local day of a time, counted from 1970-01-01.
    static func day(of time: UnixTime, offset: Int) -> Int {
        Int(((time + Double(offset * 60)) / 86_400).rounded(.down))
    }

    static func start(ofDay day: Int, offset: Int) -> UnixTime { Double(day * 86_400 - offset * 60) }

    /// Returns a day as `2026-01-31`.
    static func name(ofDay day: Int) -> String { String(LocalTime.universal(Double(day * 86_400)).prefix(10)) }
}
