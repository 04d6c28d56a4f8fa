// A TCP port that exists only while browsers require it.

package import IPPServer
package import Logging
package import ServiceLifecycle

/// A TCP port of the loopback interface for the Print Center of a server that has no other TCP port.
///
/// A request for a one-time address opens a free port. The port closes when the last one-time address has expired and
/// the last session has ended. The server still responds to requests in progress, such as the request that signed out.
///
///     let port = CenterPort(sessions: sessions, logger: logger)
///     services.append(port.service { onListening in server(onListening) })
///     let address = try await port.open()     // http://127.0.0.1:43211
package actor CenterPort {
    /// A function that creates a server for a free port.
    ///
    /// The server calls `onListening` with its address when clients can connect.
    package typealias MakeServer =
        @Sendable (_ onListening: @escaping @Sendable ([ListenAddress]) async -> Void) -> any Service

    private enum State {
        case closed
        /// Also the state in which a new server waits until the previous server has ended.
        case opening
        case open(address: String)
        /// The state in which the server accepts no more connections, and completes requests in progress.
        case closing
        case stopped
    }

    private let sessions: Sessions
    private let logger: Logger
    private let wishes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private var state = State.closed
    private var waiters: [CheckedContinuation<Result<String, AddressError>, Never>] = []

    /// Creates a port that is closed.
    ///
    /// - Parameter sessions: The one-time tokens and sessions that keep the port open.
    package init(sessions: Sessions, logger: Logger) { (self.sessions, self.logger) = (sessions, logger) }

    /// The address of the open port, such as `http://127.0.0.1:43211`; nil if the port is closed.
    package var address: String? { if case .open(let address) = state { address } else { nil } }

    /// Opens the port if it is closed, and returns its address.
    ///
    /// The caller creates a one-time token first. Otherwise the port can close before the token exists.
    ///
    /// - Throws: `AddressError` if the port cannot be opened, or the server is stopping.
    package func open() async throws(AddressError) -> String {
        switch state {
        case .open(let address): return address
        case .stopped: throw Self.stopping
        case .closed:
            state = .opening
            wishes.continuation.yield()
        case .opening, .closing: break
        }
        return try await withCheckedContinuation { waiters.append($0) }.get()
    }

    /// Returns the service that opens and closes the port.
    ///
    /// - Parameters:
    ///   - noteOpen: A closure that is called when the port opens. The closure returns another closure, which is called
    ///     after the port has closed.
    ///   - makeServer: A function that creates a server for a free port.
    package nonisolated func service(
        noteOpen: @escaping @Sendable () -> (@Sendable () -> Void) = { {} }, makeServer: @escaping MakeServer
    ) -> any Service {
        PortService(port: self, noteOpen: noteOpen, makeServer: makeServer)
    }

    private struct PortService: Service {
        let port: CenterPort
        let noteOpen: @Sendable () -> (@Sendable () -> Void)
        let makeServer: MakeServer

        func run() async throws {
            for await _ in port.wishes.stream.cancelOnGracefulShutdown() {
                let finish = noteOpen()
                await port.serve(makeServer)
                finish()
            }
            await port.stop()
        }
    }

    private static let stopping = AddressError("the server is stopping; run the command again")
}

extension CenterPort {
    /// Serves the port until browsers no longer require it.
    private func serve(_ makeServer: MakeServer) async {
        let server = ServiceGroup(
            services: [makeServer { [weak self] in await self?.noteListening(at: $0) }], logger: logger)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { if await self.untilClosing() { await server.triggerGracefulShutdown() } }
                try await server.run()
                group.cancelAll()
            }
            noteEnd(nil)
        } catch {
            noteEnd(error is CancellationError ? nil : error)
        }
    }

    private func stop() {
        state = .stopped
        resume(.failure(Self.stopping))
    }

    /// Records that clients can connect.
    private func noteListening(at addresses: [ListenAddress]) {
        guard let address = addresses.first.map({ "http://\($0)" }) else { return }
        state = .open(address: address)
        logger.notice("the Print Center opened a port", metadata: ["address": "\(address)"])
        resume(.success(address))
    }

    /// Waits until browsers no longer require the port.
    ///
    /// - Returns: Whether the server must stop; `false` if the task was canceled.
    private func untilClosing() async -> Bool {
        while !Task.isCancelled {
            await sessions.untilUnused()
            // A token can have been created in the meantime. Its owner calls `open` afterwards, and receives the address
            // of the open port.
            guard !sessions.isPortRequired else { continue }
            state = .closing
            return true
        }
        return false
    }

    /// Records the end of a server.
    private func noteEnd(_ problem: (any Error)?) {
        let wasAsked = if case .closing = state { !waiters.isEmpty } else { false }
        state = wasAsked ? .opening : .closed
        if wasAsked { wishes.continuation.yield() }
        guard let problem else { return logger.notice("the Print Center closed its port") }
        logger.error("the port of the Print Center failed", metadata: ["error": "\(problem)"])
        if !wasAsked { resume(.failure(AddressError("cannot open a port for the Print Center: \(problem)"))) }
    }

    private func resume(_ result: Result<String, AddressError>) {
        for waiter in waiters { waiter.resume(returning: result) }
        waiters = []
    }
}
