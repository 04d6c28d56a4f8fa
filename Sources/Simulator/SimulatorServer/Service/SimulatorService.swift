// SimulatorServer: serves simulated printers over IPP.
//
//   PrinterOperations (PrintIPP) ──calls──► SimulatorService ──► several SimulatedPrinters (PrinterSimulator)
//   implements IPP                          translates           print
//
// JobRequest+Simulated converts the request's ticket to DeviceOptions, and Attribute+JSON converts it to JSON for
// job.json. SimulatedJob+Job converts a simulated job to the model's job. SimulatorService+Receiving receives
// documents. OpenPrinters locks the output folders against other processes. IdleDetector detects when the printers are
// no longer in use.

import Glibc
package import IPP
package import PrintIPP
package import PrintModel
package import PrinterSimulator
import Synchronization

/// The service behind the IPP printers of printsim: several simulated printers, which number their jobs
/// in one sequence.
///
///     let service = SimulatorService([laser, inkjet], in: environment)
///     let operations = PrinterOperations(service, numbersJobsGlobally: false, isOpen: true, clock: environment.now)
///     async let running: Void = service.run()
///
/// The first printer handles requests that contain no printer name.
package final class SimulatorService: PrinterService {
    /// The printers, starting with the default printer.
    package let devices: [SimulatedPrinter]

    let environment: SimulatorEnvironment
    let startedAt: UnixTime
    let say: @Sendable (String) -> Void
    let arrivals = Arrivals()
    let stateChanges = Mutex<[String: (state: PrinterState, since: UnixTime)]>([:])
    let publishedNames = Mutex<[String: String]>([:])
    let portState = PortState()

    /// The maximum time for which a job waits for its document, in seconds (IPP `multiple-operation-time-out`).
    package static let timeOut = 300.0

    /// Creates the service for at least one printer.
    ///
    /// - Parameters:
    ///   - environment: The dependencies of the printers, such as the worker that renders documents, and the clock.
    ///   - say: A function that shows a message to people nearby (Identify-Printer).
    package init(
        _ devices: [SimulatedPrinter], in environment: SimulatorEnvironment,
        say: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        precondition(!devices.isEmpty, "a simulator service requires a printer")
        self.devices = devices
        self.environment = environment
        startedAt = environment.now()
        self.say = say
    }

    /// Runs the printers until the task is canceled.
    ///
    /// Call this function only once.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for device in devices {
                group.addTask { await device.run() }
                group.addTask { await self.followState(of: device) }
            }
            group.addTask { await self.giveUpLateJobs() }
        }
    }

    package var isBusy: Bool {
        get async {
            for device in devices where await device.status.queuedJobs > 0 { return true }
            return false
        }
    }

    package var operations: [Operation] { Self.everyOperation }

    static let everyOperation: [Operation] =
        [
            .printJob, .validateJob, .createJob, .sendDocument, .closeJob, .cancelJob, .cancelJobs, .cancelMyJobs,
            .getJobAttributes, .setJobAttributes, .getJobs, .holdJob, .releaseJob, .restartJob, .resubmitJob,
            .getPrinterAttributes, .setPrinterAttributes, .getPrinterSupportedValues, .pausePrinter, .resumePrinter,
            .enablePrinter, .disablePrinter, .purgeJobs, .identifyPrinter, .controlPrinter,
            .cupsGetDefault, .cupsGetPrinters, .cupsGetClasses,
        ]

    /// A simulated printer does not print several pages on one side.
    package var options: Set<String> {
        [
            "copies", "page-ranges", "sides", "media", "media-type", "media-source", "print-color-mode",
            "print-quality", "multiple-document-handling", "collate", "orientation-requested", "print-scaling",
            "job-hold-until", "job-priority", "output-bin",
        ]
    }

    // MARK: - Vendor attributes

    /// Returns the requested attributes that only the simulator has: the warnings (`job-detailed-status-messages`, RFC
    /// 8011 §5.3.10), the roll cuts, the output bin and the output folder of a job.
    package func extraAttributes(of jobs: [Job], requested: RequestedAttributes) async -> [[Attribute]] {
        var attributes: [[Attribute]] = []
        for job in jobs { attributes.append(await extraAttributes(of: job, requested: requested)) }
        return attributes
    }

    private func extraAttributes(of job: Job, requested: RequestedAttributes) async -> [Attribute] {
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

    package func serverAttributes(requested: RequestedAttributes) async -> [Attribute] { [] }
}

extension SimulatorError: ServiceError {
    package var status: Status {
        switch code {
        case .noSuchJob, .noSuchPart: .clientErrorNotFound
        case .notPossible: .clientErrorNotPossible
        case .unsupportedFormat: .clientErrorDocumentFormatNotSupported
        case .tooManyDocuments: .serverErrorTooManyDocuments
        case .fileSystem, .noSpace: .serverErrorTemporaryError
        case .badDescription: .serverErrorInternalError
        case .badFault: .clientErrorBadRequest
        }
    }
}
