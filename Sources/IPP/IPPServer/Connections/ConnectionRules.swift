// What may happen on a connection, and what must be done about it. No clock, no socket.

import NIOCore

/// The life of one HTTP/1.1 connection as the server sees it.
///
/// Requests come one after the other and may be pipelined: `unanswered` counts those whose answer has not ended,
/// and `receiving` is about the body that arrives now.
struct ConnectionRules {
    enum Action: Equatable {
        case start(ConnectionTimer), stop(ConnectionTimer)
        case passOn, discard
        case sendContinue
        case markClose
        case failBody(timedOut: Bool)
        case closeOutput, close
    }

    /// Bytes of an unread body that are thrown away before the connection is given up.
    let discardLimit: Int
    /// Bytes of a body that must come from one `pace` to the next, while the server waits for them.
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
        var actions: [Action] = [.stop(.head), .stop(.keepAlive), .start(.request), .start(.pace)]
        if expectsContinue {
            // An interim answer may not overtake the answer to an earlier request.
            if unanswered == 1 { actions.append(.sendContinue) } else { continueOwed = true }
        }
        return actions + [.passOn]
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

    /// The server waits for more bytes now.
    mutating func wantsMore() -> [Action] {
        guard receiving, unanswered > 0, !bodyFailed else { return [] }
        isWaiting = true
        return [.start(.bodyIdle)]
    }

    /// An answer begins; `markClose` when the rest of its request is not worth waiting for.
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
        // A body that comes too late for its own answer has only `linger` left.
        guard receiving || closeAfterAnswer else { return [.start(.keepAlive)] }
        let stops: [Action] = [.stop(.bodyIdle), .stop(.request), .stop(.pace)]
        guard closeAfterAnswer else { return stops + [.start(.linger)] }
        isLingering = true
        return stops + [.start(.linger), .closeOutput]
    }

    func writabilityChanged(to isWritable: Bool) -> [Action] {
        isWritable ? [.stop(.answerIdle)] : [.start(.answerIdle)]
    }

    func askedToStop() -> [Action] { [.start(.shutdown)] }

    mutating func inputEnded() -> [Action] {
        if isLingering { return [.close] }
        guard receiving, !bodyFailed else { return [] }
        bodyFailed = true
        closeAfterAnswer = true
        return [.failBody(timedOut: false)]
    }

    mutating func expired(_ timer: ConnectionTimer) -> [Action] {
        switch timer {
        case .head, .keepAlive, .answerIdle, .linger, .shutdown: return [.close]
        case .bodyIdle, .request: return failBody()
        case .pace:
            // A client whose bytes we do not take cannot send any.
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
