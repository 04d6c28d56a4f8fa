// Tests the parsing and formatting of local times. The tests pass in every time zone.

import SpoolerClient
import PrintModel
import Testing

@Suite struct LocalTimeTests {
    private let now: UnixTime = 1_700_000_000

    @Test func `a date is rejected if it does not exist, and the last day of February is accepted`() throws {
        #expect(LocalTime.moment("2030-02-31") == nil)
        #expect(LocalTime.moment("2030-02-29T10:00") == nil)
        let last = try #require(LocalTime.moment("2028-02-29", endsDay: true))
        #expect(LocalTime.long(last) == "2028-03-01 00:00:00")
    }

    @Test func `a hold time without a date is the next occurrence of that time of day`() throws {
        for text in ["00:00", "09:05", "18:30", "23:59:59"] {
            guard case .time(let moment) = try HoldUntil(localText: text, now: now) else {
                Issue.record("\(text) is not parsed as a time")
                continue
            }
            #expect(moment > now && moment <= now + 25 * 3600)
            #expect(LocalTime.long(moment).contains(" \(text)"))
        }
    }

    @Test func `a hold time with a date is the given local date and time`() throws {
        let hold = try HoldUntil(localText: "2030-01-31T18:30", now: now)
        guard case .time(let moment) = hold else { throw SpoolerClientError(.usage, "the hold value is not a time") }
        #expect(LocalTime.long(moment) == "2030-01-31 18:30:00")
        #expect(LocalTime.short(moment, now: now) == "2030-01-31 18:30")
        #expect(LocalTime.short(moment, now: moment) == "18:30")
    }

    @Test(arguments: [
        (0.0, "just now"), (9, "just now"), (59, "59 s ago"), (60, "1 min ago"), (3599, "59 min ago"),
        (3600, "1 h ago"),
        (86399, "23 h ago"), (-300, "in 5 min"),
    ])
    func `a time less than 24 hours before or after now is shown relative to now`(age: Double, words: String) {
        #expect(LocalTime.relative(now - age, now: now) == words)
    }

    @Test func `a time is shown with its date if it is at least 24 hours old`() {
        #expect(LocalTime.relative(now - 86_400, now: now) == LocalTime.long(now - 86_400).prefix(16))
    }

    @Test func `the keywords 'indefinite' and 'no-hold' and seconds since 1970 are accepted as hold times`() throws {
        #expect(try HoldUntil(localText: "indefinite", now: now) == .indefinite)
        #expect(try HoldUntil(localText: "no-hold", now: now) == .noHold)
        #expect(try HoldUntil(localText: "@1800000000", now: now) == .time(1_800_000_000))
    }

    @Test(arguments: [
        "25:00", "18:60", "18", "2030-02-30T10:00", "2030-13-01T10:00", "2001-01-01T00:00", "soon", "1:2:3:4",
    ])
    func `an invalid or past hold time causes a usage error`(text: String) throws {
        let error = try #require(throws: SpoolerClientError.self) { try HoldUntil(localText: text, now: now) }
        #expect(error.code == .usage)
        #expect(error.message.contains(text.prefix(10)))
    }
}
