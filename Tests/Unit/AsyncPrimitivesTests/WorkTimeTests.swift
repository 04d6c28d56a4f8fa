import AsyncPrimitives
import Testing

struct WorkTimeTests {
    @Test func `all attempts together have one limit`() {
        let time = WorkTime(used: 250)
        #expect(time.remaining(of: 300) == 50)
        #expect(time.remaining(of: 200) == 0)
        #expect(time.seconds == 250)
    }

    @Test func `only the time of attempts in progress counts, and the time of concurrent attempts counts once`() {
        let time = WorkTime()
        #expect(time.seconds == 0)
        time.begin()
        time.begin()
        while time.seconds < 0.01 {}
        time.end()
        let first = time.seconds
        while time.seconds == first {}
        time.end()
        let second = time.seconds
        #expect(time.seconds == second)
    }

    @Test func `additional time is granted once for each kind of work, and does not count as used`() {
        let time = WorkTime(used: 100)
        time.extend(by: 60, for: "pages")
        time.extend(by: 60, for: "pages")
        time.extend(by: 20, for: "documents")
        #expect(time.remaining(of: 300) == 280)
        #expect(time.seconds == 20)
        time.reset()
        #expect(time.remaining(of: 300) == 300)
    }
}
