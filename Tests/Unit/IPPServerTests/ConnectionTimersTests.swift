import IPPServer
import NIOCore
import Testing

struct ConnectionTimersTests {
    private var timers = ConnectionTimers()

    private func time(_ milliseconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .milliseconds(milliseconds) }

    @Test func `a deadline falls due at its time and once, the earliest first`() {
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

    @Test func `a deadline that is started again counts from then`() {
        var timers = timers
        timers.start(.answerIdle, until: time(100))
        timers.start(.answerIdle, until: time(500))
        #expect(timers.takeDue(at: time(100)) == nil)
        #expect(timers.next == time(500))
    }

    @Test(arguments: [ConnectionTimer.head, .keepAlive, .bodyIdle, .request, .pace])
    func `a client that sent in time is not cut off by a server too busy to look`(timer: ConnectionTimer) {
        var timers = timers
        timers.start(timer, until: time(100))
        // The loop was held up until 900; what came at 90 still lies in the socket, which is read next.
        #expect(timers.takeDue(at: time(900)) == nil)
        #expect(timers.next == time(900) + ConnectionTimers.lastCall)
        timers.stop(timer)
        #expect(timers.takeDue(at: time(2000)) == nil)
    }

    @Test func `a client that sent nothing is cut off after that look, also the next time`() {
        var timers = timers
        for start: Int64 in [100, 5000] {
            timers.start(.keepAlive, until: time(start))
            #expect(timers.takeDue(at: time(start)) == nil)
            #expect(timers.takeDue(at: time(start) + ConnectionTimers.lastCall) == .keepAlive)
        }
    }
}
