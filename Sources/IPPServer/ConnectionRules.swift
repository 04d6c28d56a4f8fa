// What may happen on a connection, and what must be done about it. No clock, no socket.

import NIOCore

/// The life of one HTTP/1.1 connection as the server sees it.
///
/// Requests come one after the other and may be pipelined: `unanswered` counts those whose answer has not ended,
/// and `receiving` is about the body that arrives now.
struct ConnectionRules {
    enum Timer: Hashable {
        /// Until the first request's header, and between an answer and the next header.
        case head, keepAlive
        /// Until the next piece of a body; until its end.
        case bodyIdle, request
        /// Until a client that does not read its answer has read some of it.
        case answerIdle
        /// Until a client that has its answer stops sending.
        case linger
        /// Until requests in progress have ended after the server was asked to stop.
        case shutdown
    }

    enum Action: Equatable {
        case start(Timer), stop(Timer)
        case passOn, discard
        case sendContinue
        case markClose
        case failBody(timedOut: Bool)
        case closeOutput, close
    }

    /// Bytes of an unread body that are thrown away before the connection is given up.
    var discardLimit: Int

    private(set) var unanswered = 0
    private(set) var receiving = false
    private var announced: Int?
    private var discarded = 0
    private var continueOwed = false
    private var closeAfterAnswer = false
    private var bodyFailed = false
    private var isLingering = false

    init(discardLimit: Int) {
        self.discardLimit = discardLimit
    }

    func opened() -> [Action] { [.start(.head)] }

    mutating func received(head length: Int?, expectsContinue: Bool, wantsClose: Bool) -> [Action] {
        unanswered += 1
        receiving = true
        announced = length
        discarded = 0
        bodyFailed = false
        closeAfterAnswer = closeAfterAnswer || wantsClose
        var actions: [Action] = [.stop(.head), .stop(.keepAlive), .start(.request)]
        if expectsContinue {
            // An interim answer may not overtake the answer to an earlier request.
            if unanswered == 1 { actions.append(.sendContinue) } else { continueOwed = true }
        }
        return actions + [.passOn]
    }

    mutating func received(body count: Int) -> [Action] {
        if let length = announced { announced = length - count }
        if isLingering || bodyFailed { return [.discard] }
        guard unanswered == 0 else { return [.stop(.bodyIdle), .passOn] }
        discarded += count
        guard discarded > discardLimit else { return [.discard] }
        isLingering = true
        return [.discard, .closeOutput]
    }

    mutating func receivedEnd() -> [Action] {
        receiving = false
        var actions: [Action] = [.stop(.bodyIdle), .stop(.request)]
        if isLingering { return actions + [.close] }
        if unanswered == 0 { actions += [.stop(.linger), .start(.keepAlive)] }
        return bodyFailed ? actions + [.discard] : actions + [.passOn]
    }

    /// The server waits for more bytes now.
    func wantsMore() -> [Action] {
        receiving && unanswered > 0 && !bodyFailed ? [.start(.bodyIdle)] : []
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
        guard closeAfterAnswer else { return [.stop(.bodyIdle), .stop(.request), .start(.linger)] }
        isLingering = true
        return [.stop(.bodyIdle), .stop(.request), .start(.linger), .closeOutput]
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

    mutating func expired(_ timer: Timer) -> [Action] {
        switch timer {
        case .head, .keepAlive, .answerIdle, .linger, .shutdown: return [.close]
        case .bodyIdle, .request:
            guard receiving, !bodyFailed else { return [] }
            bodyFailed = true
            closeAfterAnswer = true
            return [.stop(.bodyIdle), .stop(.request), .failBody(timedOut: true)]
        }
    }
}
