// The first to see every HTTP part of a connection: answers Expect, keeps the deadlines, throws away what nobody reads.

import Logging
import NIOCore
import NIOHTTP1
import NIOTLS
import PrintIPP
import AsyncPrimitives

/// Carries out `ConnectionRules` on a channel.
///
/// It stands between the HTTP codec and whoever answers. `Expect: 100-continue` is answered here, at once, because
/// nobody behind it does and CUPS clients wait a second for it with every document.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let deadlines: IPPServer.Deadlines
    private var rules: ConnectionRules
    private var timers = ConnectionTimers()
    /// The event loop's timer that rings when the next deadline may have fallen due.
    private var alarm: (end: NIODeadline, ring: Scheduled<Void>)?
    private let roll: ConnectionTable
    /// Who is at the other end; nil when it was gone before that was known.
    private(set) var peer: Peer?
    private var entry: ConnectionEntry?
    /// Whether what comes over the connection is encrypted.
    private(set) var isEncrypted = false
    /// Rings when nobody waits for an answer any more: the client has gone, or the server stops.
    let hangUp = Signal()

    init(deadlines: IPPServer.Deadlines, limits: IPPServer.Limits, roll: ConnectionTable) {
        self.deadlines = deadlines
        self.roll = roll
        rules = ConnectionRules(discardLimit: limits.discardedBytes, leastBytes: limits.paceBytes)
    }

    /// Who is at the other end of a channel that has a guard, and what rings when they have gone.
    static func caller(of channel: any Channel) async throws -> (peer: Peer, hangUp: Signal) {
        try await channel.eventLoop.submit {
            let handler = try channel.pipeline.syncOperations.handler(type: ConnectionGuard.self)
            guard let peer = handler.peer else { throw ChannelError.ioOnClosedChannel }
            return (peer, handler.hangUp)
        }.get()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        context.channel.closeOnExec()
        context.channel.readPeer { [self] in peer = $0 }
        entry = peer.flatMap { peer in roll.enter(peer) { [channel = context.channel] in channel.close(promise: nil) } }
        if entry != nil {
            perform(rules.opened(), context)
        } else {
            // Not before the channel is complete, or its making would count as failed.
            context.eventLoop.assumeIsolated().execute { context.close(promise: nil) }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timers.stopAll()
        alarm?.ring.cancel()
        alarm = nil
        if let entry { roll.leave(entry) }
        entry = nil
        hangUp.give()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let actions =
            switch unwrapInboundIn(data) {
            case .head(let head):
                rules.received(
                    head: head.headers.first(name: "content-length").flatMap { Int($0) },
                    expectsContinue: head.headers.first(name: "expect")?.lowercased() == "100-continue",
                    wantsClose: !head.isKeepAlive)
            case .body(let body): rules.received(body: body.readableBytes)
            case .end: rules.receivedEnd()
            }
        entry?.setBusy(rules.unanswered > 0)
        perform(actions, context)
        if actions.contains(.passOn) { context.fireChannelRead(data) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Whoever read the request may have stopped asking for more, and what is thrown away must still come in.
        if rules.receiving, rules.unanswered == 0 { context.read() }
    }

    func read(context: ChannelHandlerContext) {
        perform(rules.wantsMore(), context)
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            if rules.answerStarts().contains(.markClose) {
                head.headers.replaceOrAdd(name: "connection", value: "close")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            context.writeAndFlush(data, promise: promise)
            perform(rules.answerEnded(), context)
            entry?.setBusy(rules.unanswered > 0)
        default:
            context.write(data, promise: promise)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        perform(rules.writabilityChanged(to: context.channel.isWritable), context)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        hangUp.give()
        perform(rules.inputEnded(), context)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            hangUp.give()
            perform(rules.inputEnded(), context)
        case is ChannelShouldQuiesceEvent:
            hangUp.give()
            perform(rules.askedToStop(), context)
        case TLSUserEvent.handshakeCompleted: isEncrypted = true
        case let pause as ConnectionPause: perform(rules.paused(pause), context)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func perform(_ actions: [ConnectionRules.Action], _ context: ChannelHandlerContext) {
        for action in actions {
            switch action {
            case .start(let timer): start(timer, context)
            case .stop(let timer): timers.stop(timer)
            case .sendContinue:
                context.writeAndFlush(
                    wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
            case .failBody(let timedOut):
                context.fireErrorCaught(timedOut ? IPPServerError.bodyTimedOut : .bodyInterrupted)
            case .closeOutput:
                // Half-closed, so that the client can still read the answer while it notices that it may stop.
                context.close(mode: .output, promise: nil)
                context.read()
            case .close: context.close(promise: nil)
            case .passOn, .discard, .markClose: break
            }
        }
    }

    private func start(_ timer: ConnectionTimer, _ context: ChannelHandlerContext) {
        timers.start(timer, until: .now() + time(of: timer))
        setAlarm(context)
    }

    /// Makes sure that there will be a look at the deadlines when the next one falls due.
    private func setAlarm(_ context: ChannelHandlerContext) {
        guard let next = timers.next else { return }
        if let alarm {
            guard next < alarm.end else { return }
            alarm.ring.cancel()
        }
        alarm = (next, context.eventLoop.assumeIsolated().scheduleTask(deadline: next) { [self] in ring(context) })
    }

    /// Does what has fallen due by now, which need not be what the alarm was set for.
    private func ring(_ context: ChannelHandlerContext) {
        alarm = nil
        while let timer = timers.takeDue(at: .now()) { perform(rules.expired(timer), context) }
        setAlarm(context)
    }

    private func time(of timer: ConnectionTimer) -> TimeAmount {
        switch timer {
        case .head: deadlines.head
        case .keepAlive: deadlines.keepAlive
        case .bodyIdle: deadlines.bodyIdle
        case .request: deadlines.request
        case .pace: deadlines.pace
        case .answerIdle: deadlines.answerIdle
        case .linger: deadlines.linger
        case .shutdown: deadlines.shutdown
        }
    }
}
