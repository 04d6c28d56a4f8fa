import PrintModel
import PrintSpool
import Testing

/// Tests of clocks that are set back by users, or by a time server after a start with a wrong time.
struct ClockSetBackTests {
    let files = TestSpool()

    @Test func `if the clock is set back by a day, a retry is not delayed by a day`() async throws {
        let spool = try await files.open()
        let id = try await spool.submit().id
        _ = try await spool.claim(fromPrinters: ["laser"])
        try await spool.change(id, .postponed(until: files.clock.now + 30, message: "busy"))
        files.clock.advance(by: -86_400)
        #expect(try await spool.hasDueJobs())
        try await spool.releaseDueJobs()
        #expect(try await spool.claim(fromPrinters: ["laser"])?.id == id)
    }

    @Test func `if the clock is set back by a minute, a retry does not start earlier`() async throws {
        let spool = try await files.open()
        let id = try await spool.submit().id
        _ = try await spool.claim(fromPrinters: ["laser"])
        try await spool.change(id, .postponed(until: files.clock.now + 30, message: "busy"))
        files.clock.advance(by: -60)
        #expect(try await !spool.hasDueJobs())
        try await spool.releaseDueJobs()
        #expect(try await spool.claim(fromPrinters: ["laser"]) == nil)
    }
}
