// Tests the parsing and formatting of local times. The tests pass in every time zone.

import SpoolerClient
import PrintModel
import Testing

@Suite struct LocalTimeTests {
    private let now: UnixTime = 1_700_000_000

    @Test func `a date that does not exist is rejected, and the last day of February is accepted`() throws {
        #expect(LocalTime.moment("2030-02-31") == nil)
        #expect(LocalTime.moment("2030-02-29T10:00") == nil)
        let last = try #require(LocalTime.moment("2028-02-29", endsDay: true))
        #expect(LocalTime.long(last) == "2028-03-01 00:00:00")
    }

    @Test func `a time of day means its next occurrence within 24 hours`() throws {
        for text in ["00:00", "09:05", "18:30", "23:59:59"] {
            guard case .time(let moment) = try HoldUntil(localText: text, now: now) else {
                Issue.record("\(text) is not parsed as a time")
                continue
            }
            #expect(moment > now && moment <= now + 25 * 3600)
            #expect(LocalTime.long(moment).contains(" \(text)"))
        }
    }

    @Test func `a date with a time of day means exactly that time`() throws {
        let hold = try HoldUntil(localText: "2030-01-31T18:30", now: now)
        guard case .time(let moment) = hold else { throw SpoolerClientError(.usage, "the hold value is not a time") }
        #expect(LocalTime.long(moment) == "2030-01-31 18:30:00")
        #expect(LocalTime.short(moment, now: now) == "2030-01-31 18:30")
        #expect(LocalTime.short(moment, now: moment) == "18:30")
    }

    @Test func `keywords and seconds since 1970 are accepted`() throws {
        #expect(try HoldUntil(localText: "indefinite", now: now) == .indefinite)
        #expect(try HoldUntil(localText: "no-hold", now: now) == .noHold)
        #expect(try HoldUntil(localText: "@1800000000", now: now) == .time(1_800_000_000))
    }

    @Test(arguments: [
        "25:00", "18:60", "18", "2030-02-30T10:00", "2030-13-01T10:00", "2001-01-01T00:00", "soon", "1:2:3:4",
    ])
    func `any other hold time is a usage error`(text: String) throws {
        let error = try #require(throws: SpoolerClientError.self) { try HoldUntil(localText: text, now: now) }
        #expect(error.code == .usage)
        #expect(error.message.contains(text.prefix(10)))
    }
}
