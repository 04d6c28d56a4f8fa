// The ways to the printers of a spool.

import FoundationEssentials
import IPPClient
import Logging
import PrintBackends
import PrintModel
import PrintServer
import ServiceDiscovery

/// Makes the way to a printer from its device URI.
struct BackendFactory: Sendable {
    let spool: String
    let simulator: SimulatorProcess
    /// Certificates of authorities that those of printers must be signed by; nil trusts what was seen first.
    let authorities: String?
    /// The cupsd that `cups:NAME` means.
    let cups: CUPSServer
    let listeners: Listeners

    /// Where devices are looked for that could be added.
    var sources: [any DeviceSource] {
        let queues = CUPSQueues(
            server: cups, transport: IPPClient(address: cups.address), isOurs: { [listeners] in listeners.isOurs($0) })
        return [queues, AvahiBrowser()]
    }

    /// The way to a printer.
    ///
    /// - Parameter isTrial: whether the printer is only looked at, before it is added or changed.
    /// - Throws: `BackendError` for a URI that nothing can reach.
    func backend(for printer: ConfiguredPrinter, isTrial: Bool = false) throws -> any PrinterBackend {
        switch try device(of: printer) {
        case .simulated(let name):
            let client = IPPClient(address: .unix(path: SimulatorProcess.socket(of: spool)))
            return IPPBackend(
                transport: OnDemandTransport(client) { [simulator] in try await simulator.start() },
                printerURI: "ipp://localhost/ipp/print/\(name)", tellsNumbers: true)
        case .ipp(let device):
            guard !listeners.isOurs(device.uri) else {
                throw BackendError(
                    .refused, "\(device.uri) is this spooler itself, so that its jobs would come back; give another URI"
                )
            }
            let server = LibcupsTransport.Server(
                .tcp(host: device.host, port: device.port), security: device.isSecure ? .always : .whenAsked)
            return IPPBackend(
                transport: transport(of: printer, to: server, isTrial: isTrial), printerURI: device.uri)
        case .folder(let path): return FolderBackend(path: path)
        case .cups(let queue):
            let cupsd = cupsd(of: queue)
            return CUPSBackend(
                server: cupsd,
                transport: transport(
                    of: printer, to: .init(cupsd.address, security: .whenAsked), isTrial: isTrial),
                queue: queue, isLocal: queue.host == nil, isOurs: { [listeners] in listeners.isOurs($0) })
        }
    }

    /// What a job has become at its printer, where that is files; nil when there is nothing.
    ///
    /// - Parameter printer: the job's printer; nil when it has been removed.
    func output(of job: Job, on printer: ConfiguredPrinter?) async -> JobOutput? {
        guard let remote = job.remote else { return nil }
        switch printer.map({ try? device(of: $0) }) ?? .simulated(name: job.printer) {
        case .simulated(let name): return await simulator.outputFolder(of: remote, at: name).map { .folder($0) }
        case .folder(let path): return await FolderBackend.output(of: remote, in: path).map { .file($0) }
        case .ipp, .cups, nil: return nil
        }
    }

    /// What carries requests to a printer's server.
    private func transport(of printer: ConfiguredPrinter, to server: LibcupsTransport.Server, isTrial: Bool)
        -> LibcupsTransport
    {
        LibcupsTransport(to: server, access: access(of: printer, at: server.address, isTrial: isTrial))
    }

    /// What is kept of the way to a printer's server: whom to trust there, and who we are.
    private func access(of printer: ConfiguredPrinter, at address: IPPAddress, isTrial: Bool = false) -> PrinterAccess {
        PrinterAccess(
            folder: accessFolder, printer: printer.name, address: address, authorities: authorities, isTrial: isTrial)
    }

    private func cupsd(of queue: DeviceURI.CUPSQueue) -> CUPSServer {
        queue.host.map { CUPSServer(address: .tcp(host: $0, port: queue.port)) } ?? cups
    }

    /// What is kept of the ways to printers, and what is done about it.
    var access: DeviceAccess {
        let folder = accessFolder
        PrinterAccess.endTrials(in: folder)
        return DeviceAccess(
            change: changeAccess, forget: { PrinterAccess.forget($0, in: folder) },
            trial: .init(
                begin: { PrinterAccess.beginTrial(of: $0, in: folder) },
                backend: { try backend(for: $0, isTrial: true) },
                end: { name, isKept in
                    if isKept {
                        PrinterAccess.keepTrial(of: name, in: folder)
                    } else {
                        PrinterAccess.endTrial(of: name, in: folder)
                    }
                }))
    }

    /// Keeps a login or accepts a certificate, for printers that are reached through a server.
    private func changeAccess(of printer: ConfiguredPrinter, _ change: PrinterChange) throws {
        let address: IPPAddress
        switch try device(of: printer) {
        case .ipp(let device): address = .tcp(host: device.host, port: device.port)
        case .cups(let queue): address = cupsd(of: queue).address
        case .simulated, .folder:
            throw BackendError(.refused, "'\(printer.deviceURI)' takes no login and shows no certificate")
        }
        try access(of: printer, at: address).change(
            user: change.deviceUser, password: change.devicePassword,
            trustsCertificate: change.trustsCertificate == true)
    }

    private var accessFolder: String { "\(spool)/access" }

    private func device(of printer: ConfiguredPrinter) throws -> DeviceURI {
        do throws(DeviceURI.Problem) {
            return try DeviceURI(printer.deviceURI)
        } catch {
            throw BackendError(.refused, error.description)
        }
    }
}
