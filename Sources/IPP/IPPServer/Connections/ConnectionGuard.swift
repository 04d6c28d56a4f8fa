// Handles `Expect`, enforces the deadlines and discards unread bodies. The first handler after the HTTP codec.

import Logging
import NIOCore
import NIOHTTP1
import NIOTLS
import PrintIPP
import AsyncPrimitives

/// A channel handler that applies `ConnectionRules`.
///
/// This handler is between the HTTP codec and the request handlers. This handler sends the interim response
/// `100 Continue` immediately, because the request handlers do not send this response. CUPS clients wait for
/// `100 Continue` for one second before each document.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let deadlines: IPPServer.Deadlines
    private var rules: ConnectionRules
    private var timers = ConnectionTimers()
    private var timer: (end: NIODeadline, expiry: Scheduled<Void>)?
    private let connections: ConnectionTable
    /// The client at the other end, or `nil` if the client disconnected before the kernel could identify the client.
    private(set) var peer: Peer?
    private var entry: ConnectionEntry?
    private(set) var isEncrypted = false
    /// The signal that fires when no client waits for the response anymore: the client has disconnected, or the server
    /// is stopping.
    let disconnection = Signal()

    init(deadlines: IPPServer.Deadlines, limits: IPPServer.Limits, connections: ConnectionTable) {
        self.deadlines = deadlines
        self.connections = connections
        rules = ConnectionRules(discardLimit: limits.discardedBytes, leastBytes: limits.paceBytes)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        context.channel.closeOnExec()
        context.channel.readPeer { [self] in peer = $0 }
        entry = peer.flatMap { peer in
            connections.enter(peer) { [channel = context.channel] in channel.close(promise: nil) }
        }
        if entry != nil {
            perform(rules.opened(), context)
        } else {
            // Close the channel only after its setup. Otherwise the setup would be reported as failed.
            context.eventLoop.assumeIsolated().execute { context.close(promise: nil) }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timers.stopAll()
        timer?.expiry.cancel()
        timer = nil
        if let entry { connections.remove(entry) }
        entry = nil
        disconnection.give()
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
        passOnStop(actions, context)
    }

    /// Notifies the request handlers that the server is stopping.
    ///
    /// Call this method after the request handlers have received the last request.
    private func passOnStop(_ actions: [ConnectionRules.Action], _ context: ChannelHandlerContext) {
        guard actions.contains(.passOnStop) else { return }
        disconnection.give()
        context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // The reader of the request may have stopped, but the bytes to discard must still be read.
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
        disconnection.give()
        perform(rules.inputEnded(), context)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            disconnection.give()
            perform(rules.inputEnded(), context)
        case is ChannelShouldQuiesceEvent:
            let actions = rules.askedToStop()
            perform(actions, context)
            return passOnStop(actions, context)
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
                // Close only the output, so that the client can still read the response and can detect that it can stop
                // sending.
                context.close(mode: .output, promise: nil)
                context.read()
            case .close: context.close(promise: nil)
            case .passOn, .discard, .markClose, .passOnStop: break
            }
        }
    }

    private func start(_ timer: ConnectionTimer, _ context: ChannelHandlerContext) {
        timers.start(timer, until: .now() + time(of: timer))
        setAlarm(context)
    }

    /// Sets the timer to the time at which the next deadline expires.
    private func setAlarm(_ context: ChannelHandlerContext) {
        guard let next = timers.next else { return }
        if let timer {
            guard next < timer.end else { return }
            timer.expiry.cancel()
        }
        timer = (next, context.eventLoop.assumeIsolated().scheduleTask(deadline: next) { [self] in expire(context) })
    }

    /// Handles every expired deadline when the timer fires, and then sets the timer for the next deadline.
    private func expire(_ context: ChannelHandlerContext) {
        timer = nil
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
        case .lastRequest: deadlines.lastRequest
        }
    }
}
