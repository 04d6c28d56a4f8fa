// Detects TLS or plain HTTP from the first bytes of a connection.

import IPPServer
import NIOCore
import NIOTLS

/// A channel handler that holds the first bytes of a connection until the handler can determine whether the client uses
/// TLS.
///
/// The handler then leaves the pipeline.
final class FirstBytes: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State { case looking, planning, done }

    private let options: OptionalTLS
    private var state = State.looking
    private var held = ByteBuffer()
    /// The task that runs `OptionalTLS.plan` or delays the handshake.
    ///
    /// The task is canceled when the handler leaves the pipeline.
    private var planning: Task<Void, Never>?

    /// The maximum number of bytes that a client can send before the server's first handshake message.
    ///
    /// A ClientHello is one record of a few KiB.
    private static let longest = 64 << 10

    init(of options: OptionalTLS) { self.options = options }

    func handlerRemoved(context: ChannelHandlerContext) { planning?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state != .done else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        held.writeBuffer(&bytes)
        if state == .looking { return look(context) }
        if held.readableBytes > Self.longest { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A client that closes its output before the handshake will not complete the handshake.
        if state == .planning, case ChannelEvent.inputClosed = event { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private func look(_ context: ChannelHandlerContext) {
        switch Opening(held.readableBytesView) {
        case .unclear: break
        case .plain: passOn(context)
        case .tls: begin(context, request: nil)
        case .upgrade(let length):
            let request = held.readString(length: length).map { ByteBuffer(string: Opening.withoutUpgrade($0)) }
            var answer = ByteBuffer()
            answer.writeString(
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: TLS/1.2, HTTP/1.1\r\n\r\n")
            context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
            begin(context, request: request)
        }
    }

    /// Begins the handshake that `OptionalTLS.plan` selects.
    ///
    /// If `OptionalTLS.plan` is `nil`, the method begins a normal handshake.
    ///
    /// - Parameter request: The unencrypted request to which the server responds after the handshake, or `nil` if the
    ///   client sent no unencrypted request.
    private func begin(_ context: ChannelHandlerContext, request: ByteBuffer?) {
        guard let plan = options.plan else { return shakeHands(context, as: options.identity(), request: request) }
        state = .planning
        after(context, plan) { [self] handshake in
            switch handshake {
            case .proper: shakeHands(context, as: options.identity(), request: request)
            case .with(let other): shakeHands(context, as: other, request: request)
            case .alert(let number):
                // A TLS 1.2 alert record with two bytes: fatal, and the alert number.
                let alert = ByteBuffer(bytes: [0x15, 3, 3, 0, 2, 2, number])
                context.writeAndFlush(wrapOutboundOut(alert)).assumeIsolated().whenComplete { _ in
                    context.close(promise: nil)
                }
            case .after(let wait):
                context.fireUserInboundEventTriggered(ConnectionPause.begins)
                after(context, wait) { [self] _ in
                    context.fireUserInboundEventTriggered(ConnectionPause.ends)
                    shakeHands(context, as: options.identity(), request: request)
                }
            }
        }
    }

    /// Calls `find` in a task, and then passes the return value to `goOn`.
    ///
    /// If the connection has closed, `goOn` is not called.
    private func after<Finding: Sendable>(
        _ context: ChannelHandlerContext, _ find: @escaping @Sendable () async -> Finding,
        _ goOn: @escaping (Finding) -> Void
    ) {
        let loop = context.eventLoop
        let next = NIOLoopBound((goOn, context.channel), eventLoop: loop)
        planning = Task {
            let finding = await find()
            loop.execute {
                let (goOn, channel) = next.value
                if channel.isActive { goOn(finding) }
            }
        }
    }

    private func shakeHands(_ context: ChannelHandlerContext, as identity: TLSIdentity, request: ByteBuffer?) {
        do {
            let pipeline = context.pipeline.syncOperations
            let tls = TLSHandler(try TLSSession(.server, settings: identity.settings, protocols: ["http/1.1"]))
            if let request { try pipeline.addHandler(UpgradedRequest(request), position: .after(self)) }
            try pipeline.addHandler(tls, position: .after(self))
            passOn(context)
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }

    /// Passes on the held bytes, and leaves the pipeline.
    private func passOn(_ context: ChannelHandlerContext) {
        state = .done
        if held.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(held))
            context.fireChannelReadComplete()
        }
        held = ByteBuffer()
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}

/// A channel handler that stores the unencrypted HTTP request with which the client requested TLS.
///
/// After the handshake, the handler passes on the request, so that the server responds over TLS (RFC 2817 §3.3).
private final class UpgradedRequest: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let request: ByteBuffer

    init(_ request: ByteBuffer) { self.request = request }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        guard case TLSUserEvent.handshakeCompleted = event else { return }
        context.fireChannelRead(wrapInboundOut(request))
        context.fireChannelReadComplete()
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}
