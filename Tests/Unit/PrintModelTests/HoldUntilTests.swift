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
}
