// Publishes shared printers by DNS-SD for clients on the network.

import IPP
import IPPServer
import Logging
import PrintIPP
import PrintModel
import PrintServer
import PrintSpool
import ServiceDiscovery
import ServiceLifecycle

/// A service that publishes the shared printers of the spool at the addresses for clients on the network.
///
/// The printers are withdrawn at a graceful shutdown. If several hosts share the spool, each printer is published by the
/// host that drives it.
struct SharedPrinters: Service {
    let spool: Spool
    let events: RecentEvents
    let service: SpoolService
    let listeners: Listeners
    let state: SharingState
    let logger: Logger

    /// The time after which the capabilities of shared printers, and the leases of the hosts, are read again.
    private static let renewal = Duration.seconds(60)

    func run() async throws {
        await cancelWhenGracefulShutdown { await publish() }
    }

    private func publish() async {
        let changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        guard !listeners.network.isEmpty else {
            state.note(problem: "printd does not listen on the network; 'printq network enable' opens it")
            // The end of a service would end printd.
            for await _ in changes.stream {}
            return
        }
        await withDiscardingTaskGroup { group in
            group.addTask { await follow(changes.continuation) }
            group.addTask {
                while (try? await Task.sleep(for: Self.renewal)) != nil { changes.continuation.yield() }
            }
            await publish(after: changes.stream, in: &group)
            group.cancelAll()
        }
    }

    /// Yields an element at first, and after each change of the settings of a printer, until the task is canceled.
    private func follow(_ changes: AsyncStream<Void>.Continuation) async {
        var last = (try? await spool.latestEventSequence()) ?? 0
        // The stream is created before the first query, so that no change is missed.
        var commits = spool.changes().makeAsyncIterator()
        changes.yield()
        repeat {
            while let page = try? await events.page(after: last, limit: 1000).events, let newest = page.last {
                let hasChanged = page.contains { $0.kind.hasPrefix("printer-") && $0.kind != "printer-state-changed" }
                if hasChanged { changes.yield() }
                last = newest.sequence
            }
            try? await Task.sleep(for: Spool.observerPause)
        } while await commits.next() != nil
    }

    private func publish(after changes: AsyncStream<Void>, in group: inout DiscardingTaskGroup) async {
        var publishers: [(avahi: AvahiPublisher, port: Int)] = []
        var published: [String: PrinterAdvertisement] = [:]
        for await _ in changes {
            let wanted = await advertisements()
            // Without shared printers, no connection to the Avahi daemon is needed.
            if publishers.isEmpty, !wanted.isEmpty {
                publishers = listeners.network.compactMap(publisher)
                for (avahi, _) in publishers { group.addTask { await avahi.run() } }
            }
            for (avahi, port) in publishers {
                for (name, advertisement) in wanted where published[name] != advertisement {
                    var own = advertisement
                    own.port = port
                    avahi.publish(own, as: name)
                }
                for name in published.keys where wanted[name] == nil { avahi.withdraw(name) }
            }
            published = wanted
        }
    }

    private func publisher(at address: ListenAddress) -> (avahi: AvahiPublisher, port: Int)? {
        guard case .tcp(let host, let port) = address, let reach = AdvertisedInterfaces(listeningAt: host) else {
            return nil
        }
        let state = state
        let logger = logger
        let publisher = try? AvahiPublisher(reach: reach) { news in
            switch news {
            case .published(let printer, let name, _): state.note(name, of: printer)
            case .withdrawn(let printer): state.note(nil, of: printer)
            case .refused(let printer, let reason):
                state.note(refusal: reason, of: printer)
                logger.warning("cannot publish a printer", metadata: ["printer": "\(printer)", "reason": "\(reason)"])
            case .unavailable(let reason): state.note(problem: reason)
            }
        }
        return publisher.map { ($0, port) }
    }

    /// Returns the advertisements of the printers that this host publishes, by name; the ports are not set.
    private func advertisements() async -> [String: PrinterAdvertisement] {
        guard let rows = try? await spool.printers() else { return [:] }
        let leases = spool.isShared ? spool.leases : nil
        var advertisements: [String: PrinterAdvertisement] = [:]
        for row in rows where row.isShared && leases.map({ $0[row.name] != nil }) ?? true {
            guard let printer = try? await service.printer(named: row.name) else { continue }
            advertisements[row.name] = Self.advertisement(of: printer, name: row.serviceName)
        }
        return advertisements
    }

    /// Returns the advertisement of a printer that is served with TLS only.
    private static func advertisement(of printer: ServedPrinter, name: String) -> PrinterAdvertisement {
        var capabilities = printer.capabilities
        // Clients choose among these formats. The record of a service has no space for all formats of printq.
        capabilities.formats = [.pdf, .urf, .pwgRaster, .jpeg].filter(printer.formats.contains)
        var advertisement = PrinterAdvertisement(
            name: name.isEmpty ? printer.info : name, path: "printers/\(printer.name)", port: 0, uuid: printer.uuid,
            capabilities: capabilities)
        advertisement.location = printer.location
        advertisement.rasterKeywords =
            printer.extra.first { $0.name == "urf-supported" }?.values.compactMap(\.stringValue) ?? []
        advertisement.isPlain = false
        advertisement.tls = "1.3"
        advertisement.authentication = printer.admitsAnonymous ? "none" : "username,password"
        return advertisement
    }
}
