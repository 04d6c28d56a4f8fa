import PrintModel
import Testing

struct HoldUntilTests {
    @Test(arguments: [
        ("no-hold", HoldUntil.noHold), ("indefinite", .indefinite), ("@1800000000", .time(1_800_000_000)),
        ("18:30", .time(66_600)), ("00:00", .time(86_400)), ("00:16:40", .time(1_000 + 86_400)), ("@0", .time(0)),
    ])
    func `valid hold times are parsed and round-trip through their text`(_ text: String, _ until: HoldUntil) throws {
        let read = try HoldUntil(text: text, now: 1_000)
        #expect(read == until)
        #expect(try HoldUntil(text: read.text, now: 1_000) == read)
    }

    @Test(arguments: ["@1e300", "@-1", "@nan", "@inf", "@", "24:00", "18:60", "18", "18:30:00:00", "later"])
    func `an invalid hold time is rejected`(_ text: String) {
        #expect(throws: OptionError.self) { try HoldUntil(text: text, now: 1_000) }
    }

    @Test(arguments: [1e300, -1e300, .infinity, .nan])
    func `an out-of-range hold time has a text form, and a time of day is not parsed if the clock is out of range`(
        _ moment: Double
    ) throws {
        #expect(HoldUntil.time(moment).text.hasPrefix("@"))
        #expect(throws: OptionError.self) { try HoldUntil(text: "18:30", now: moment) }
    }

    /// Days of the week are counted from Sunday.
    ///
    /// The expected values are the weekday and the hour of the release.
    @Test(arguments: [
        ("day-time", 1, 9, 1, 9), ("day-time", 1, 3, 1, 3), ("day-time", 1, 18, 2, 6), ("day-time", 6, 23, 7, 6),
        ("evening", 1, 9, 1, 18), ("night", 1, 17, 1, 18), ("night", 1, 18, 1, 18), ("night", 2, 5, 2, 5),
        ("second-shift", 3, 8, 3, 16), ("second-shift", 3, 23, 3, 23), ("third-shift", 3, 7, 3, 7),
        ("third-shift", 3, 8, 4, 0), ("weekend", 1, 9, 5, 18), ("weekend", 5, 17, 5, 18), ("weekend", 5, 18, 5, 18),
        ("weekend", 6, 3, 6, 3), ("weekend", 0, 23, 0, 23),
    ])
    func `a period holds a job until the hour at which CUPS releases the job`(
        period: String, day: Int, hour: Int, releaseDay: Int, releaseHour: Int
    ) throws {
        let period = try #require(HoldUntil.Period(rawValue: period))
        let time = HoldUntil.WeekTime(weekday: day, secondOfDay: hour * 3600)
        #expect(period.secondsToWait(at: time) == ((releaseDay - day) * 24 + releaseHour - hour) * 3600)
        guard hour != releaseHour || day != releaseDay else { return }
        let later = HoldUntil.WeekTime(weekday: day, secondOfDay: hour * 3600 + 61)
        #expect(period.secondsToWait(at: later) == ((releaseDay - day) * 24 + releaseHour - hour) * 3600 - 61)
    }

    @Test(arguments: HoldUntil.Period.allCases)
    func `a period is stored as the time of its start, or as no hold during the period`(period: HoldUntil.Period) throws
    {
        let now = 1_700_000_000.5
        let hours = (0..<168).map { now + 3600 * Double($0) }
        let read = try hours.map { try HoldUntil(text: period.rawValue.uppercased(), now: $0) }
        for (hour, until) in zip(hours, read) {
            if case .time(let moment) = until {
                #expect(moment > hour && moment <= hour + 6 * 86400)
                #expect(try HoldUntil(text: period.rawValue, now: moment) == .noHold)
            } else {
                #expect(until == .noHold)
            }
        }
        #expect(Set(read).count > 2)
    }
}
