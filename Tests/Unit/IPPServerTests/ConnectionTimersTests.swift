import IPPServer
import NIOCore
import Testing

struct ConnectionTimersTests {
    private var timers = ConnectionTimers()

    private func time(_ milliseconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .milliseconds(milliseconds) }

    @Test func `each deadline of a connection expires once, and the earliest deadline expires first`() {
        var timers = timers
        timers.start(.linger, until: time(300))
        timers.start(.answerIdle, until: time(100))
        #expect(timers.next == time(100))
        #expect(timers.takeDue(at: time(99)) == nil)
        #expect(timers.takeDue(at: time(100)) == .answerIdle)
        #expect(timers.takeDue(at: time(200)) == nil)
        #expect(timers.next == time(300))
        timers.stop(.linger)
        #expect(timers.next == nil)
    }

    @Test func `if a deadline of a connection is started again, the new time replaces the previous time`() {
        var timers = timers
        timers.start(.answerIdle, until: time(100))
        timers.start(.answerIdle, until: time(500))
        #expect(timers.takeDue(at: time(100)) == nil)
        #expect(timers.next == time(500))
    }

    @Test(arguments: [ConnectionTimer.head, .keepAlive, .bodyIdle, .request, .pace])
    func `if the server is busy, a client whose data arrived in time is not disconnected`(timer: ConnectionTimer) {
        var timers = timers
        timers.start(timer, until: time(100))
        // The event loop was busy until 900 ms. Data that arrived at 90 ms is still in the socket. The event loop
        // reads the data next.
        #expect(timers.takeDue(at: time(900)) == nil)
        #expect(timers.next == time(900) + ConnectionTimers.gracePeriod)
        timers.stop(timer)
        #expect(timers.takeDue(at: time(2000)) == nil)
    }

    @Test func `a silent client is disconnected only after the deadline and the grace period`() {
        var timers = timers
        for start: Int64 in [100, 5000] {
            timers.start(.keepAlive, until: time(start))
            #expect(timers.takeDue(at: time(start)) == nil)
            #expect(timers.takeDue(at: time(start) + ConnectionTimers.gracePeriod) == .keepAlive)
        }
    }
}
