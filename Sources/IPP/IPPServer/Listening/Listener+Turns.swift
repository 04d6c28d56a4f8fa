// A port that is open at times, and closed at others.

import Glibc
import NIOCore
import ServiceLifecycle
import Synchronization

extension Listener {
    /// Serves a port of TCP whenever the doorkeeper says so, until graceful shutdown.
    func serve(
        _ host: String, _ port: Int,
        by doorkeeper: @escaping @Sendable (@escaping @Sendable (Bool) async -> Void) async -> Void
    ) async throws {
        let held = try HeldPort(host: host, port: port, address: address)
        let (wishes, hand) = AsyncStream.makeStream(of: Wish.self)
        try await withThrowingTaskGroup { group in
            var turn: Turn? = try await begin(in: &group, host, held, isFirst: true, whenFailed: hand.finish)
            group.addTask {
                defer { hand.finish() }
                await cancelWhenGracefulShutdown {
                    await doorkeeper { isOpen in
                        let (done, end) = AsyncStream.makeStream(of: Void.self)
                        if case .terminated = hand.yield(Wish(isOpen: isOpen, done: end)) { return }
                        for await _ in done {}
                    }
                }
            }
            for await wish in wishes {
                defer { wish.done.finish() }
                if wish.isOpen, turn == nil {
                    turn = try await begin(in: &group, host, held, isFirst: false, whenFailed: hand.finish)
                } else if !wish.isOpen, let open = turn {
                    await open.close()
                    await held.untilClosed()
                    turn = nil
                }
            }
            try await group.waitForAll()
        }
    }

    /// Opens the port; what is connected in this turn is served even after it is closed.
    private func begin(
        in group: inout ThrowingTaskGroup<Void, any Error>, _ host: String, _ held: HeldPort, isFirst: Bool,
        whenFailed: @escaping @Sendable () -> Void
    ) async throws -> Turn {
        let turn = Turn()
        var listener = self
        if !isFirst { listener.onListening = { _ in } }
        group.addTask { [listener] in
            defer { turn.end() }
            do {
                try await listener.serve(at: .hostname(host, port: held.port)) { channel in
                    turn.begin(on: channel)
                    return .tcp(host: host, port: held.port)
                }
            } catch {
                // A listener that ends before its server is told to is an error, unless it was closed here.
                if turn.isClosed { return }
                whenFailed()
                throw error
            }
        }
        await turn.untilBegun()
        return turn
    }

    private struct Wish: Sendable {
        var isOpen: Bool
        var done: AsyncStream<Void>.Continuation
    }
}

/// The time from opening a port to closing it.
private final class Turn: Sendable {
    private let channel = Mutex<(any Channel)?>(nil)
    private let closed = Mutex(false)
    private let begun = AsyncStream.makeStream(of: Void.self)

    func begin(on channel: any Channel) {
        self.channel.withLock { $0 = channel }
        begun.continuation.finish()
    }

    /// It will not begin any more.
    func end() { begun.continuation.finish() }

    func untilBegun() async { for await _ in begun.stream {} }

    var isClosed: Bool { closed.withLock { $0 } }

    func close() async {
        closed.withLock { $0 = true }
        try? await channel.withLock { $0 }?.close().get()
    }
}

/// A port that nobody else gets, listened on or not: a socket is bound to it that never listens.
///
/// Who connects meanwhile is refused by the kernel. The sockets that do listen are bound beside it (`SO_REUSEADDR`).
private final class HeldPort: Sendable {
    let port: Int
    private let place: SocketAddress
    private let descriptor: Int32

    init(host: String, port: Int, address: ListenAddress) throws {
        var place: SocketAddress
        do {
            place = try .makeAddressResolvingHost(host, port: port)
        } catch {
            throw IPPServerError.cannotListen(address, cause: error)
        }
        let family = place.withSockAddr { sockaddr, _ in Int32(sockaddr.pointee.sa_family) }
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let isBound = place.withSockAddr { [descriptor] in bind(descriptor, $0, socklen_t($1)) == 0 }
        guard descriptor >= 0, isBound, let number = Self.port(of: descriptor) else {
            let error = IOError(errnoCode: errno, reason: "bind")
            if descriptor >= 0 { close(descriptor) }
            throw error.errnoCode == EADDRINUSE
                ? IPPServerError.addressInUse(address, cause: error) : .cannotListen(address, cause: error)
        }
        place.port = number
        self.place = place
        self.port = number
    }

    deinit { close(descriptor) }

    /// Waits until who connects is refused.
    ///
    /// A program that is being started has our listening socket too, until it becomes itself; that tells nobody when it is
    /// over, so it is asked again, and after some seconds no more.
    func untilClosed() async {
        for _ in 0..<500 where isListenedOn {
            guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return }
        }
    }

    private var isListenedOn: Bool {
        let family = place.withSockAddr { sockaddr, _ in Int32(sockaddr.pointee.sa_family) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let visitor = socket(family, kind, 0)
        guard visitor >= 0 else { return false }
        defer { close(visitor) }
        return place.withSockAddr { connect(visitor, $0, socklen_t($1)) == 0 || errno == EINPROGRESS }
    }

    private static func port(of descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(descriptor, address, &length) == 0 else { return nil }
                // The port lies at the same place in both kinds of address.
                return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    Int(UInt16(bigEndian: $0.pointee.sin_port))
                }
            }
        }
    }
}
