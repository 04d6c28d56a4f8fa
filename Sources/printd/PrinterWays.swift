// The ways to the printers of a spool.

import FoundationEssentials
import IPPClient
import Logging
import PrintBackends
import PrintModel

/// Makes the way to a printer from its device URI.
struct PrinterWays: Sendable {
    let spool: String
    let simulator: SimulatorProcess
    /// The cupsd that `cups:NAME` means.
    let cups: CUPSServer
    let door: Door

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
        case .cups(let queue):
            let server = queue.host.map { CUPSServer(address: .tcp(host: $0, port: queue.port)) } ?? cups
            return CUPSBackend(
                server: server, transport: IPPClient(address: server.address), queue: queue, isLocal: queue.host == nil,
                isOurs: { [door] in door.isOurs($0) })
        case .folder(let path): return FolderBackend(path: path)
        case .ipp:
            throw BackendError(.refused, "there is no way to '\(printer.deviceURI)' yet")
        }
    }

    /// Where printers are looked for that could be added: the queues of the cupsd that `cups:NAME` means.
    var sources: [any DeviceSource] {
        [
            CUPSQueues(
                server: cups, transport: IPPClient(address: cups.address), isOurs: { [door] in door.isOurs($0) })
        ]
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
