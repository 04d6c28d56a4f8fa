// The ways to the printers of a spool.

import FoundationEssentials
import IPPClient
import Logging
import PrintBackends
import PrintModel
import ServiceDiscovery

/// Makes the way to a printer from its device URI.
struct PrinterWays: Sendable {
    let spool: String
    let simulator: SimulatorProcess

    /// Where devices are looked for that could be added.
    var sources: [any DeviceSource] { [AvahiBrowser()] }

    /// The way to a printer.
    ///
    /// - Throws: `BackendError` for a URI that nothing can reach.
    func backend(for printer: Printer) throws -> any PrinterBackend {
        switch try device(of: printer) {
        case .simulated(let name):
            let client = IPPClient(address: .unix(path: SimulatorProcess.socket(of: spool)))
            return IPPBackend(
                transport: OnDemandTransport(client) { [simulator] in try await simulator.start() },
                printerURI: "ipp://localhost/ipp/print/\(name)")
        case .ipp(let device) where !device.isSecure:
            let client = IPPClient(address: .tcp(host: device.host, port: device.port))
            return IPPBackend(transport: client, printerURI: device.uri)
        case .folder(let path): return FolderBackend(path: path)
        case .ipp, .cups:
            throw BackendError(.refused, "there is no way to '\(printer.deviceURI)' yet")
        }
    }

    /// Where a simulated printer has put what it printed of a job; nil when there is no such folder.
    func outputFolder(of job: Job) -> String? {
        guard let remote = job.remote else { return nil }
        let digits = "\(remote.id)"
        let number = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        let folder = "\(spool)/output/\(job.printer)/job-\(number)"
        return FileManager.default.fileExists(atPath: folder) ? folder : nil
    }

    private func device(of printer: Printer) throws -> DeviceURI {
        do throws(DeviceURI.Problem) {
            return try DeviceURI(printer.deviceURI)
        } catch {
            throw BackendError(.refused, error.description)
        }
    }
}
