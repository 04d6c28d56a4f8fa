// The state machine of a connection: allowed events and resulting actions. Uses no clock and no socket.

import NIOCore

/// The state of one HTTP/1.1 connection on the server side.
///
/// Clients can pipeline requests. `unanswered` is the number of requests whose response is incomplete. `receiving`
/// indicates whether the body of a request is arriving.
struct ConnectionRules {
    enum Action: Equatable {
        case start(ConnectionTimer), stop(ConnectionTimer)
        case passOn, discard
        case sendContinue
        case markClose
        case failBody(timedOut: Bool)
        case closeOutput, close
        case passOnStop
    }

    /// The maximum number of bytes of an unread body that the server discards.
    ///
    /// If the body has more bytes, the server closes the connection.
    let discardLimit: Int
    /// The minimum number of body bytes that must arrive in each interval of `ConnectionTimer.pace`.
    ///
    /// The minimum applies only while the server is waiting for the body.
    let leastBytes: Int

    private(set) var unanswered = 0
    private(set) var receiving = false
    private var announced: Int?
    private var discarded = 0
    private var receivedSincePace = 0
    private var isWaiting = false
    private var continueOwed = false
    private var closeAfterAnswer = false
    private var bodyFailed = false
    private var isLingering = false
    private var hasReceivedHead = false
    private var isStopHeld = false

    init(discardLimit: Int, leastBytes: Int) {
        self.discardLimit = discardLimit
        self.leastBytes = leastBytes
    }

    func opened() -> [Action] { [.start(.head)] }

    func paused(_ pause: ConnectionPause) -> [Action] { pause == .begins ? [.stop(.head)] : [.start(.head)] }

    mutating func received(head length: Int?, expectsContinue: Bool, wantsClose: Bool) -> [Action] {
        unanswered += 1
        receiving = true
        announced = length
        discarded = 0
        receivedSincePace = 0
        isWaiting = false
        bodyFailed = false
        closeAfterAnswer = closeAfterAnswer || wantsClose
        hasReceivedHead = true
        var actions: [Action] = [.stop(.head), .stop(.keepAlive), .start(.request), .start(.pace)]
        if expectsContinue {
            // An interim response must not precede the response to an earlier request.
            if unanswered == 1 { actions.append(.sendContinue) } else { continueOwed = true }
        }
        actions.append(.passOn)
        guard isStopHeld else { return actions }
        isStopHeld = false
        return actions + [.stop(.lastRequest), .passOnStop]
    }

    mutating func received(body count: Int) -> [Action] {
        if let length = announced { announced = length - count }
        receivedSincePace += count
        isWaiting = false
        if isLingering || bodyFailed { return [.discard] }
        guard unanswered == 0 else { return [.stop(.bodyIdle), .passOn] }
        discarded += count
        guard discarded > discardLimit else { return [.discard] }
        isLingering = true
        return [.discard, .closeOutput]
    }

    mutating func receivedEnd() -> [Action] {
        receiving = false
        var actions: [Action] = [.stop(.bodyIdle), .stop(.request), .stop(.pace)]
        if isLingering { return actions + [.close] }
        if unanswered == 0 { actions += [.stop(.linger), .start(.keepAlive)] }
        return bodyFailed ? actions + [.discard] : actions + [.passOn]
    }

    /// Starts the deadline for the next piece of the body.
    ///
    /// Call this method when the server waits for more bytes of the body.
    mutating func wantsMore() -> [Action] {
        guard receiving, unanswered > 0, !bodyFailed else { return [] }
        isWaiting = true
        return [.start(.bodyIdle)]
    }

    /// Handles the start of a response.
    ///
    /// Returns `markClose` if the server closes the connection after the response.
    mutating func answerStarts() -> [Action] {
        guard receiving, unanswered == 1 else { return closeAfterAnswer && unanswered == 1 ? [.markClose] : [] }
        if bodyFailed || (announced ?? 0) > discardLimit { closeAfterAnswer = true }
        return closeAfterAnswer ? [.markClose] : []
    }

    mutating func answerEnded() -> [Action] {
        unanswered = max(0, unanswered - 1)
        if unanswered > 0 {
            guard continueOwed, unanswered == 1 else { return [] }
            continueOwed = false
            return [.sendContinue]
        }
        // If a body is still arriving after its response, the client has only the `linger` time left to send the body.
        guard receiving || closeAfterAnswer else { return [.start(.keepAlive)] }
        let stops: [Action] = [.stop(.bodyIdle), .stop(.request), .stop(.pace)]
        guard closeAfterAnswer else { return stops + [.start(.linger)] }
        isLingering = true
        return stops + [.start(.linger), .closeOutput]
    }

    func writabilityChanged(to isWritable: Bool) -> [Action] {
        isWritable ? [.stop(.answerIdle)] : [.start(.answerIdle)]
    }

    /// Handles the request to stop the server.
    ///
    /// The client of a new connection might be sending its first request. Therefore the server still serves the first
    /// request of a connection if the request arrives soon.
    ///
    /// An idle connection that has served requests is closed immediately. HTTP allows a server to close an idle
    /// connection. The client then opens a new connection for the next request.
    mutating func askedToStop() -> [Action] {
        guard !hasReceivedHead else { return [.start(.shutdown), .passOnStop] }
        isStopHeld = true
        return [.start(.shutdown), .start(.lastRequest)]
    }

    mutating func inputEnded() -> [Action] {
        if isLingering { return [.close] }
        guard receiving, !bodyFailed else { return [] }
        bodyFailed = true
        closeAfterAnswer = true
        return [.failBody(timedOut: false)]
    }

    mutating func expired(_ timer: ConnectionTimer) -> [Action] {
        switch timer {
        case .head, .keepAlive, .answerIdle, .linger, .shutdown, .lastRequest: return [.close]
        case .bodyIdle, .request: return failBody()
        case .pace:
            // The client cannot send more while the server does not read.
            guard isWaiting, receivedSincePace < leastBytes else {
                receivedSincePace = 0
                return receiving && !bodyFailed ? [.start(.pace)] : []
            }
            return failBody()
        }
    }

    private mutating func failBody() -> [Action] {
        guard receiving, !bodyFailed else { return [] }
        bodyFailed = true
        closeAfterAnswer = true
        return [.stop(.bodyIdle), .stop(.request), .stop(.pace), .failBody(timedOut: true)]
    }
}
