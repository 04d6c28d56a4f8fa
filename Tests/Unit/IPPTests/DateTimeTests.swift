import IPP
import Testing

struct DateTimeTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.0+00:00"), (-1, "1969-12-31T23:59:59.0+00:00"),
        (951_782_400, "2000-02-29T00:00:00.0+00:00"), (1_709_211_959, "2024-02-29T13:05:59.0+00:00"),
        (4_107_542_400, "2100-03-01T00:00:00.0+00:00"), (Int.min, "0000-01-01T00:00:00.0+00:00"),
        (Int.max, "65535-12-31T23:59:59.0+00:00"),
    ])
    func `a Unix time becomes a date and time in UTC`(time: Int, description: String) {
        #expect(DateTime(unixTime: time).description == description)
    }

    @Test func `dates of several centuries are unchanged after a conversion to DateTime and back`() {
        for day in stride(from: -200_000, through: 200_000, by: 97) {
            let time = day * 86_400 + 45_296
            let unixTime = DateTime(unixTime: time).unixTime
            if unixTime != time { Issue.record("day \(day) was converted to \(String(describing: unixTime))") }
        }
        #expect(DateTime(unixTime: 200_000 * 86_400).year == 2517)
    }

    @Test func `the conversion to Unix time subtracts an eastern UTC offset and adds a western UTC offset`() {
        var moment = DateTime(year: 1970, month: 1, day: 2, hour: 1, offsetHours: 2, offsetMinutes: 30)
        #expect(moment.unixTime == 86_400 + 3_600 - 9_000)
        moment.direction = UInt8(ascii: "-")
        #expect(moment.unixTime == 86_400 + 3_600 + 9_000)
    }

    @Test func `a date with fields out of range has no Unix time`() {
        #expect(DateTime(year: 0, month: 0, day: 0, direction: 0).unixTime == nil)
        #expect(DateTime(year: 2023, month: 2, day: 29).unixTime == nil)
        #expect(DateTime(year: 2100, month: 2, day: 29).unixTime == nil)
        #expect(DateTime(year: 2024, month: 4, day: 31).unixTime == nil)
        #expect(DateTime(year: 2024, month: 1, day: 1, hour: 24).unixTime == nil)
        #expect(DateTime(year: 2024, month: 1, day: 1, direction: 0).unixTime == nil)
        #expect(DateTime(year: 2024, month: 12, day: 31, hour: 23, minute: 59, second: 60).unixTime == 1_735_689_600)
    }
}
