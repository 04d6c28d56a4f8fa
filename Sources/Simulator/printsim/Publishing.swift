// Publishes the printers by DNS-SD while they are served.

import PrintIPP
import PrinterSimulator
import ServiceDiscovery
import ServiceLifecycle
import SimulatorServer

/// The modes in which `printsim` publishes printers by DNS-SD.
enum PublishingOptions {
    /// A mode in which `printsim` does not publish the printers.
    case none
    /// A mode in which `printsim` publishes the printers if an Avahi daemon is running.
    ///
    /// `printsim` prints a message only if publishing fails, or if a printer is published under another name.
    case quiet
    /// A mode in which `printsim` publishes the printers and waits for an Avahi daemon.
    ///
    /// `printsim` prints a message when a printer is published or withdrawn, and when publishing fails.
    case explicit
}

/// A service that publishes the switched-on printers by DNS-SD.
///
/// At a graceful shutdown, the service withdraws the publications.
struct Publishing: Service {
    let printers: [SimulatedPrinter]
    let service: SimulatorService
    /// The URI securities of the TCP port (IPP `uri-security-supported`).
    let security: [URISecurity]
    let reach: AdvertisedInterfaces
    let wish: PublishingOptions
    let ports: AsyncStream<Int>

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            for await port in ports {
                try await publish(at: port)
                return
            }
        }
    }

    private func publish(at port: Int) async throws {
        let publisher = try AvahiPublisher(reach: reach) { [service, wish] news in
            Self.note(news, service)
            if let line = Self.line(news, wish) { Notice.write("printsim: \(line)") }
        }
        await withDiscardingTaskGroup { group in
            group.addTask { await publisher.run() }
            for printer in printers {
                group.addTask { await follow(printer, port, publisher) }
            }
        }
    }

    private func follow(_ printer: SimulatedPrinter, _ port: Int, _ publisher: AvahiPublisher) async {
        let name = printer.description.name
        let events = await printer.events()
        var last: PrinterAdvertisement?
        func look() async {
            let advertisement = await printer.advertisement(port: port, security: security)
            guard advertisement != last else { return }
            last = advertisement
            if let advertisement { publisher.publish(advertisement, as: name) } else { publisher.withdraw(name) }
        }
        await look()
        for await event in events where event == .printerChanged { await look() }
    }

    private static func note(_ news: AvahiPublisher.News, _ service: SimulatorService) {
        switch news {
        case .published(let printer, let name, _): service.note(publishedName: name, of: printer)
        case .withdrawn(let printer): service.note(publishedName: nil, of: printer)
        case .refused, .unavailable: break
        }
    }

    private static func line(_ news: AvahiPublisher.News, _ wish: PublishingOptions) -> String? {
        switch news {
        case .published(let printer, let name, isRenamed: true):
            "\(printer) is published by DNS-SD as '\(name)', because another service uses the printer's name"
        case .published(let printer, let name, isRenamed: false):
            wish == .explicit ? "\(printer) is published by DNS-SD as '\(name)'" : nil
        case .withdrawn(let printer): wish == .explicit ? "\(printer) is no longer published by DNS-SD" : nil
        case .refused(let printer, let reason): "cannot publish \(printer) by DNS-SD: \(reason)"
        case .unavailable(let reason):
            "cannot publish by DNS-SD: \(reason)\(wish == .explicit ? "; waiting for the Avahi daemon" : "")"
        }
    }
}
