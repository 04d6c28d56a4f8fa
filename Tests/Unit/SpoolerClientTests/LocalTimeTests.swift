// Times of the wall clock; the test process runs in one time zone, so these hold in any.

import SpoolerClient
import PrintModel
import Testing

@Suite struct LocalTimeTests {
    private let now: UnixTime = 1_700_000_000

    @Test func `a day that is on no calendar is no moment, the last of a month is`() throws {
        #expect(LocalTime.moment("2030-02-31") == nil)
        #expect(LocalTime.moment("2030-02-29T10:00") == nil)
        let last = try #require(LocalTime.moment("2028-02-29", endsDay: true))
        #expect(LocalTime.long(last) == "2028-03-01 00:00:00")
    }

    @Test func `a time of day is its next occurrence, within a day`() throws {
        for text in ["00:00", "09:05", "18:30", "23:59:59"] {
            guard case .time(let moment) = try HoldUntil(localText: text, now: now) else {
                Issue.record("\(text) is no moment")
                continue
            }
            #expect(moment > now && moment <= now + 25 * 3600)
            #expect(LocalTime.long(moment).contains(" \(text)"))
        }
    }

    @Test func `a date and time is that moment`() throws {
        let hold = try HoldUntil(localText: "2030-01-31T18:30", now: now)
        guard case .time(let moment) = hold else { throw SpoolerClientError(.usage, "no moment") }
        #expect(LocalTime.long(moment) == "2030-01-31 18:30:00")
        #expect(LocalTime.short(moment, now: now) == "2030-01-31 18:30")
        #expect(LocalTime.short(moment, now: moment) == "18:30")
    }

    @Test func `words and counted seconds are taken as they are`() throws {
        #expect(try HoldUntil(localText: "indefinite", now: now) == .indefinite)
        #expect(try HoldUntil(localText: "no-hold", now: now) == .noHold)
        #expect(try HoldUntil(localText: "@1800000000", now: now) == .time(1_800_000_000))
    }

    @Test(arguments: [
        "25:00", "18:60", "18", "2030-02-30T10:00", "2030-13-01T10:00", "2001-01-01T00:00", "soon", "1:2:3:4",
    ])
    func `anything else is an error of the command line`(text: String) throws {
        let error = try #require(throws: SpoolerClientError.self) { try HoldUntil(localText: text, now: now) }
        #expect(error.code == .usage)
        #expect(error.message.contains(text.prefix(10)))
    }
}
