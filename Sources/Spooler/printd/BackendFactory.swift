// Creates the backends of a spool's printers.

import FoundationEssentials
import IPPClient
import IPPNetworkClient
import Logging
import PrintBackends
import PrintModel
import PrintServer
import ServiceDiscovery

/// A factory that creates the backend of a printer from the printer's device URI.
struct BackendFactory: Sendable {
    let spool: String
    let simulator: SimulatorProcess
    /// The function that returns the path of the file with the trusted certificate authorities.
    ///
    /// If the function returns nil, `printd` trusts the first certificate that each printer presents. A reload of the
    /// configuration can change the path.
    let authorities: @Sendable () -> String?
    /// The CUPS server to which device URIs of the form `cups:NAME` refer.
    let cups: CUPSServer
    let listeners: Listeners

    /// The sources of devices that users can add as printers.
    var sources: [any DeviceSource] {
        let queues = CUPSQueues(
            server: cups, transport: IPPClient(address: cups.address), isOurs: { [listeners] in listeners.isOurs($0) })
        return [queues, AvahiBrowser()]
    }

    /// Creates the backend of a printer.
    ///
    /// - Parameter isTrial: Whether the backend only queries the printer, before the printer is added or changed.
    /// - Throws: `BackendError` for an unsupported URI.
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
                    .refused, "\(device.uri) is this spooler itself, so jobs would loop; use another URI"
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

    /// Returns the files that a printer wrote for a job; nil if the printer wrote no files.
    ///
    /// - Parameter printer: The job's printer; nil if the printer has been removed.
    func output(of job: Job, on printer: ConfiguredPrinter?) async -> JobOutput? {
        guard let remote = job.remote else { return nil }
        switch printer.map({ try? device(of: $0) }) ?? .simulated(name: job.printer) {
        case .simulated(let name): return await simulator.outputFolder(of: remote, at: name).map { .folder($0) }
        case .folder(let path): return await FolderBackend.output(of: remote, in: path).map { .file($0) }
        case .ipp, .cups, nil: return nil
        }
    }

    private func transport(of printer: ConfiguredPrinter, to server: LibcupsTransport.Server, isTrial: Bool)
        -> LibcupsTransport
    {
        LibcupsTransport(to: server, access: access(of: printer, at: server.address, isTrial: isTrial))
    }

    /// Returns the stored credentials and certificate for a printer's server.
    private func access(of printer: ConfiguredPrinter, at address: IPPAddress, isTrial: Bool = false) -> PrinterAccess {
        PrinterAccess(
            folder: accessFolder, printer: printer.name, address: address, authorities: authorities(), isTrial: isTrial)
    }

    private func cupsd(of queue: DeviceURI.CUPSQueue) -> CUPSServer {
        queue.host.map { CUPSServer(address: .tcp(host: $0, port: queue.port)) } ?? cups
    }

    /// The functions that change and delete stored credentials and certificates.
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

    /// Stores a login or accepts a certificate for a printer whose device URI refers to a server.
    private func changeAccess(of printer: ConfiguredPrinter, _ change: PrinterChange) throws {
        let address: IPPAddress
        switch try device(of: printer) {
        case .ipp(let device): address = .tcp(host: device.host, port: device.port)
        case .cups(let queue): address = cupsd(of: queue).address
        case .simulated, .folder:
            throw BackendError(.refused, "'\(printer.deviceURI)' supports neither a login nor a certificate")
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
