import PrintModel
import Testing

struct JobPasswordTests {
    @Test func `a digest is the same as bytes and as hexadecimal digits`() {
        let bytes = (0..<32).map { UInt8($0 * 8) }
        let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        #expect(JobPassword(bytes, .sha256) == JobPassword(Array(text.utf8), .sha256))
        #expect(JobPassword(bytes, .sha256) != nil && JobPassword(Array(bytes.dropLast()), .sha256) == nil)
    }

    @Test func `no description contains the password`() {
        let password = JobPassword(pin: "48151623")
        #expect(password?.text == "48151623" && !"\(password as Any)".contains("48151623"))
    }

    @Test func `a station is blocked after three wrong passwords, for a time that doubles`() {
        var attempts = ReleaseAttempts()
        for time in 0..<2 {
            attempts.noteFailure(at: 10_000 + Double(time))
            #expect(attempts.wait(at: 10_002) == nil)
        }
        var (now, waits) = (10_002.0, [Double]())
        for _ in 0..<6 {
            attempts.noteFailure(at: now)
            let wait = attempts.wait(at: now) ?? 0
            #expect(attempts.wait(at: now + wait) == nil && attempts.wait(at: now - 5000) ?? 0 <= wait)
            waits.append(wait)
            now += wait
        }
        #expect(waits == [60, 120, 240, 480, 900, 900])
        attempts.noteFailure(at: now + 3601)
        #expect(attempts.failures == 1)
    }
}
