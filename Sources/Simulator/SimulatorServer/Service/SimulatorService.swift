// SimulatorServer: simulated printers, seen over IPP as printers are.
//
//   PrinterOperations (PrintIPP) ──asks──► SimulatorService ──► SimulatedPrinter (PrinterSimulator), several
//   what IPP demands                       translates            prints
//
// A request's ticket becomes DeviceOptions (JobRequest+Simulated) and JSON for job.json (Attribute+JSON); a
// simulated job becomes the model's (SimulatedJob+Job). Documents arrive in SimulatorService+Receiving. OpenPrinters
// makes sure that no other process prints into the same folder; IdleWatch knows when nobody needs the printers.

import Glibc
package import IPP
package import PrintIPP
package import PrintModel
package import PrinterSimulator
import Synchronization

/// What stands behind the IPP printers of printsim: several simulated printers, each with jobs and numbers of its own.
///
///     let service = SimulatorService([laser, inkjet], in: surroundings)
///     let operations = PrinterOperations(service, numbersJobsGlobally: false, isOpen: true, clock: surroundings.now)
///     async let running: Void = service.run()
///
/// The first printer is the one that a request without a name means.
package final class SimulatorService: PrinterService {
    /// The printers, the default one first.
    package let devices: [SimulatedPrinter]

    let surroundings: SimulatorEnvironment
    let startedAt: UnixTime
    let say: @Sendable (String) -> Void
    let arrivals = Arrivals()
    let stateChanges = Mutex<[String: (state: PrinterState, since: UnixTime)]>([:])
    /// The names under which printers are published by DNS-SD.
    let publishedNames = Mutex<[String: String]>([:])
    let portState = PortState()

    /// How long a job waits for its document (IPP `multiple-operation-time-out`), in seconds.
    package static let timeOut = 300.0

    /// The service of some printers, of which there must be one at least.
    ///
    /// - Parameters:
    ///   - surroundings: clock and time, the printers' own.
    ///   - say: where a printer makes itself noticed to people nearby (Identify-Printer).
    package init(
        _ devices: [SimulatedPrinter], in surroundings: SimulatorEnvironment,
        say: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        precondition(!devices.isEmpty, "a simulator service needs a printer")
        self.devices = devices
        self.surroundings = surroundings
        startedAt = surroundings.now()
        self.say = say
    }

    /// Runs the printers until the task is cancelled; to be called once.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for device in devices {
                group.addTask { await device.run() }
                group.addTask { await self.followState(of: device) }
            }
            group.addTask { await self.giveUpLateJobs() }
        }
    }

    /// Whether some job has not ended.
    package var isBusy: Bool {
        get async {
            for device in devices where await device.status.queuedJobs > 0 { return true }
            return false
        }
    }

    /// The operations that act on a simulated printer.
    package var operations: [Operation] { Self.everyOperation }

    static let everyOperation: [Operation] =
        [
            .printJob, .validateJob, .createJob, .sendDocument, .closeJob, .cancelJob, .cancelJobs, .cancelMyJobs,
            .getJobAttributes, .setJobAttributes, .getJobs, .holdJob, .releaseJob, .restartJob, .resubmitJob,
            .getPrinterAttributes, .setPrinterAttributes, .getPrinterSupportedValues, .pausePrinter, .resumePrinter,
            .enablePrinter, .disablePrinter, .purgeJobs, .identifyPrinter, .controlPrinter,
            .cupsGetDefault, .cupsGetPrinters, .cupsGetClasses,
        ]

    /// What a printer does by itself; laying out several pages on a side is for whoever sends them.
    package var options: Set<String> {
        [
            "copies", "page-ranges", "sides", "media", "media-type", "media-source", "print-color-mode",
            "print-quality", "multiple-document-handling", "collate", "orientation-requested", "print-scaling",
            "job-hold-until", "job-priority",
        ]
    }

    // MARK: - Attributes of our own

    /// All warnings of a job (`job-detailed-status-messages`, RFC 8011 §5.3.10), and where its pages lie.
    package func extraAttributes(of job: Job, requested: RequestedAttributes) async -> [Attribute] {
        guard let device = try? device(named: job.printer), let simulated = await device.job(job.id) else { return [] }
        var attributes: [Attribute] = []
        if !simulated.warnings.isEmpty, requested.wants("job-detailed-status-messages", in: ["job-description"]) {
            attributes.append(
                Attribute("job-detailed-status-messages", simulated.warnings.map { .text($0) }))
        }
        if simulated.rollCut != .never, requested.wants("finishings", in: ["job-template"]) {
            attributes.append(Attribute("finishings", .enumeration(simulated.rollCut.finishing)))
        }
        if case .object(let ticket) = simulated.ticket, ticket["output-bin"] != nil,
            requested.wants("output-bin", in: ["job-template"])
        {
            attributes.append(Attribute("output-bin", .keyword(simulated.outputBin)))
        }
        if requested.names("printq-output-folder") {
            attributes.append(
                Attribute("printq-output-folder", .text("\(device.outputFolder)/\(simulated.folder)")))
        }
        return attributes
    }

    /// None.
    package func serverAttributes(requested: RequestedAttributes) async -> [Attribute] { [] }
}

/// Runs what a simulated printer may refuse, with its errors as IPP failures.
func asFailure<Result>(_ body: () async throws(SimulatorError) -> Result) async throws(IPPFailure) -> Result {
    do throws(SimulatorError) {
        return try await body()
    } catch {
        throw IPPFailure(error)
    }
}

extension IPPFailure {
    /// What a printer's refusal means to a client.
    init(_ error: SimulatorError) {
        let status: Status =
            switch error.code {
            case .noSuchJob, .noSuchPart: .clientErrorNotFound
            case .notPossible: .clientErrorNotPossible
            case .unsupportedFormat: .clientErrorDocumentFormatNotSupported
            case .tooManyDocuments: .serverErrorTooManyDocuments
            case .fileSystem, .noSpace: .serverErrorTemporaryError
            case .badDescription: .serverErrorInternalError
            case .badFault: .clientErrorBadRequest
            }
        self.init(status, error.message)
    }
}
