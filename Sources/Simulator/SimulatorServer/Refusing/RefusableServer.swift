// An IPP server whose TCP ports are closed while a printer refuses connections.

package import IPPServer
package import Logging
import ServiceLifecycle
import Synchronization

/// An IPP server for the printers of a service.
///
/// The server closes the TCP ports while a printer refuses connections.
///
/// During this time, connection attempts to these ports fail with ECONNREFUSED. The ports stay reserved, and Unix
/// sockets stay open. The server still responds to requests in progress, and closes idle connections.
package struct RefusableServer: Service {
    package typealias MakeServer =
        @Sendable (IPPServer.Configuration, _ onListening: @escaping @Sendable ([ListenAddress]) async -> Void)
        -> IPPServer

    private let configuration: IPPServer.Configuration
    private let service: SimulatorService
    private let logger: Logger
    private let makeServer: MakeServer
    private let onListening: @Sendable ([ListenAddress]) async -> Void

    /// Creates a server for a service's printers.
    ///
    /// - Parameters:
    ///   - configuration: The addresses, deadlines and limits.
    ///   - service: The printers. `refuse` faults of the printers close the ports.
    ///   - onListening: A function that is called once, when clients can connect to every address. The function
    ///     receives the addresses with the actual port numbers, in the order of the configuration.
    package init(
        _ configuration: IPPServer.Configuration, service: SimulatorService, logger: Logger,
        makeServer: @escaping MakeServer, onListening: @escaping @Sendable ([ListenAddress]) async -> Void
    ) {
        (self.configuration, self.service, self.logger) = (configuration, service, logger)
        (self.makeServer, self.onListening) = (makeServer, onListening)
    }

    /// Runs the server until a graceful shutdown begins.
    ///
    /// - Throws: `IPPServerError` when the server cannot listen on an address.
    package func run() async throws {
        let ports = try configuration.listeners.compactMap { try ReservedPort($0) }
        await service.expectServer()
        let (requests, queue) = AsyncStream.makeStream(of: OpenRequest.self)
        try await withThrowingTaskGroup { group in
            let others = configuration.listeners.filter { if case .tcp = $0 { false } else { true } }
            if !others.isEmpty { _ = try await start(others, in: &group, whenFailed: queue.finish) }
            var open: RunningServer? = try await start(ports.map(\.address), in: &group, whenFailed: queue.finish)
            group.addTask { await onListening(addresses(with: ports)) }
            group.addTask { [service] in
                defer { queue.finish() }
                await cancelWhenGracefulShutdown {
                    await service.followRefusals { isOpen in
                        let (done, end) = AsyncStream.makeStream(of: Void.self)
                        if case .terminated = queue.yield(OpenRequest(isOpen: isOpen, done: end)) { return }
                        for await _ in done {}
                    }
                }
            }
            for await request in requests {
                defer { request.done.finish() }
                if request.isOpen, open == nil {
                    open = try await start(ports.map(\.address), in: &group, whenFailed: queue.finish)
                } else if !request.isOpen, let server = open {
                    await server.stop()
                    for port in ports { await port.untilClosed() }
                    open = nil
                }
            }
            // The first error ends the group, and with it the other servers.
            while try await group.next() != nil {}
        }
    }

    /// Starts a server for some addresses, and returns when the server listens on these addresses.
    private func start(
        _ addresses: [ListenAddress], in group: inout ThrowingTaskGroup<Void, any Error>,
        whenFailed: @escaping @Sendable () -> Void
    ) async throws -> RunningServer? {
        guard !addresses.isEmpty else { return nil }
        let (listening, ready) = AsyncStream.makeStream(of: Bool.self)
        var configuration = configuration
        configuration.listeners = addresses
        let server = RunningServer(makeServer(configuration) { _ in ready.yield(true) }, logger: logger)
        group.addTask {
            defer { ready.finish() }
            do {
                try await server.run()
            } catch {
                whenFailed()
                throw error
            }
        }
        guard await listening.contains(true) else {
            // The server has failed.
            while try await group.next() != nil {}
            return nil
        }
        return server
    }

    private func addresses(with ports: [ReservedPort]) -> [ListenAddress] {
        var real = ports.map(\.address)[...]
        return configuration.listeners.map { if case .tcp = $0 { real.removeFirst() } else { $0 } }
    }

    private struct OpenRequest: Sendable {
        var isOpen: Bool
        var done: AsyncStream<Void>.Continuation
    }
}

/// A running server for some of the addresses.
///
/// This server can be stopped while other servers continue.
private struct RunningServer: Sendable {
    private let group: ServiceGroup

    init(_ server: IPPServer, logger: Logger) { group = ServiceGroup(services: [server], logger: logger) }

    func run() async throws { try await group.run() }

    /// The server still responds to requests in progress after this function has returned.
    func stop() async { await group.triggerGracefulShutdown() }
}
