// A destination that submits an app's jobs to printd.
//
//   PrintInteractionController ─► SpoolerDestination ─► SpoolerClient ─► printd's socket
//        pages, a ticket             IPP requests          the same connection that printq uses

import DocumentFiles
import FoundationEssentials
import IPP
import PrintIPP
public import PrintKit
import enum PrintModel.Trimming
import SpoolerClient

/// A destination that prints through the spooler.
///
/// The spooler's queue survives crashes and can print to simulated and physical printers.
///
///     let controller = PrintInteractionController()
///     let printer = try await controller.printer(named: "color-laser")
///     let job = try await controller.submit(to: printer, submissionID: "invoice 4711")
///
/// `SpoolerDestination()` is the default destination of programs that are linked with this module.
///
/// The destination sends IPP requests to `printd` over the spool's socket, as `printq` does. If `printd` is not
/// running, the destination starts `printd` from the folder of the running program or from `PATH`.
///
/// A document is complete before it is sent. Each submission has an identifier (`printq-submission-id`), so a retry
/// after a lost response does not create a second job. After the report `accepted`, the job is stored on disk and
/// continues even if the program ends.
///
/// If the spooler refuses a request, the `cause` of the `PrintError` is a `SpoolerError`.
public struct SpoolerDestination: PrintDestination {
    private let spool: String?

    /// Creates a destination for the spooler of a spool folder.
    ///
    /// - Parameter spool: The path of the spool folder. The default is `nil`, which selects the first available spool
    ///   of this list: `PRINTQ_SPOOL`, the system spooler, `$XDG_STATE_HOME/printq`, `~/.local/state/printq`.
    public init(spool: String? = nil) { self.spool = spool }

    /// The value true, because `printd` converts text, HTML, Office documents and the other types of its registry.
    public var convertsDocuments: Bool { true }

    /// The types in `types/*.json5` of the spool and beside the configuration of `printd`, if the user can read the files.
    public var registeredDocumentTypes: [DocumentType] {
        guard let place = try? SpoolLocation.current(named: spool) else { return [] }
        let configuration = place.configuration.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        var folders = ["\(place.path)/types", "\(configuration)/types"]
        if folders[0] == folders[1] { folders.removeLast() }
        return RegisteredTypes(folders: folders).types
    }

    /// The value true: the documents become one job, as with `printq submit a.pdf b.pdf`.
    public var acceptsSeveralDocuments: Bool { true }

    /// Returns the printers of the spooler with their capabilities.
    ///
    /// The default printer is first.
    ///
    /// - Throws: `PrintError.printingNotAvailable` when the spooler is not available.
    public func printers() async throws -> [Printer] {
        let names = PrinterView.attributeNames + ["printer-location"] + PrinterCapabilities.attributeNames
        return try await asking { queue throws(SpoolerClientError) in
            let answer = try await queue.ask(.cupsGetPrinters, requested: names)
            let groups = answer.groups(.printer)
            let (preferred, others) = (
                groups.filter { PrinterView($0).isDefault }, groups.filter { !PrinterView($0).isDefault }
            )
            return (preferred + others).map { made(of: $0) }
        }
    }

    /// Returns the printer with the given name, or `nil` if no printer of the spooler has this name.
    ///
    /// - Throws: `PrintError.printingNotAvailable` when the spooler is not available.
    public func printer(withID id: String) async throws -> Printer? {
        try await printers().first { $0.id == id }
    }

    /// Returns the capabilities of a printer, including the functions that the spooler performs.
    ///
    /// - Throws: `PrintError.printingNotAvailable` when the spooler or the printer is not available.
    public func capabilities(of printer: Printer) async throws -> PrinterCapabilities {
        try await asking(about: printer) { queue throws(SpoolerClientError) in
            PrinterCapabilities(attributes: try await queue.printer(printer.id, PrinterCapabilities.attributeNames))
        }
    }

    /// Submits the document as a job, and returns when the job has ended.
    ///
    /// - Throws: `PrintError` with `printingNotAvailable` when the spooler or the printer is not available.
    ///   `PrintError` with `jobFailed` and the spooler's message when the spooler refuses the job, for example for
    ///   unsupported options, or when the job fails.
    public func submit(
        _ request: PrintRequest, to printer: Printer, report: @escaping @Sendable (PrintReport) -> Void
    ) async throws -> PrintEnd {
        if Task.isCancelled { return .canceled }
        return try await asking(about: printer) { queue throws(SpoolerClientError) in
            let job = try await Self.submit(request, to: printer, of: queue)
            report(.accepted(jobID: job.id))
            return try await job.followed(report)
        }
    }

    /// Submits the documents as a job, and returns when the spooler has stored the job.
    ///
    /// - Throws: `PrintError` with `printingNotAvailable` when the spooler or the printer is not available, or with
    ///   `jobFailed` when the spooler refuses the job; `CancellationError` when the task is already canceled.
    public func submit(_ request: PrintRequest, to printer: Printer) async throws -> PrintJob {
        try Task.checkCancellation()
        return try await asking(about: printer) { queue throws(SpoolerClientError) in
            let job = try await Self.submit(request, to: printer, of: queue)
            return PrintJob(number: job.id, connection: job)
        }
    }

    /// Returns the job with the given number, also after a restart of the program or of the spooler.
    ///
    /// Returns `nil` if the spooler has no such job, or no longer has it in its history.
    ///
    /// - Throws: `PrintError`: `printingNotAvailable` when the spooler is not available.
    public func job(number: Int) async throws -> PrintJob? {
        try await asking { queue throws(SpoolerClientError) in
            do throws(SpoolerClientError) { _ = try await queue.job(number, ["job-id"]) } catch {
                guard error.refusal?.status == .clientErrorNotFound else { throw error }
                return nil
            }
            return PrintJob(number: number, connection: SubmittedJob(id: number, queue: queue))
        }
    }

    /// Submits the complete job.
    ///
    /// The method uses a separate task, because cancellation during the submission could leave an unknown job in the
    /// queue.
    private static func submit(
        _ request: PrintRequest, to printer: Printer, of queue: Spooler
    ) async throws(SpoolerClientError) -> SubmittedJob {
        let submission = try submission(request, to: printer)
        let sending = Task { () -> Result<Int, SpoolerClientError> in
            do throws(SpoolerClientError) { return .success(try await queue.submit(submission)) } catch {
                return .failure(error)
            }
        }
        return SubmittedJob(id: try await sending.value.get(), queue: queue)
    }

    private static func submission(
        _ request: PrintRequest, to printer: Printer
    ) throws(SpoolerClientError) -> JobSubmission {
        var submission = try JobSubmission(
            files: [request.documentPath] + request.furtherDocuments.map(\.path), printer: printer.id,
            id: request.submissionID)
        submission.title = request.title
        submission.ticket = request.ticket
        if let cuts = printer.capabilities?.trimmings, !cuts.isEmpty {
            submission.ticket.trimming = request.cutterBehavior.trimming
        }
        return submission
    }

    private func made(of group: AttributeGroup) -> Printer {
        let view = PrinterView(group)
        let location = group.string("printer-location") ?? ""
        return Printer(
            id: view.name, url: URL(string: "ipp://localhost/printers/\(view.name)") ?? URL(filePath: "/"),
            displayName: view.info.isEmpty ? view.name : view.info,
            displayLocation: location.isEmpty ? nil : location,
            capabilities: PrinterCapabilities(attributes: group), destination: self)
    }

    private func asking<Answer>(
        about printer: Printer? = nil, _ body: (Spooler) async throws(SpoolerClientError) -> Answer
    ) async throws(PrintError) -> Answer {
        do throws(SpoolerClientError) {
            let queue = Spooler(at: try .current(named: spool))
            do throws(SpoolerClientError) { return try await body(queue) } catch {
                // A request can have several errors. A missing printer is reported first.
                if error.code == .usage, let printer, let missing = await Self.missing(printer, in: queue) {
                    throw SpoolerClientError(.unavailable, missing.message)
                }
                throw error
            }
        } catch {
            throw PrintError(error)
        }
    }

    /// Returns the spooler's error if the spooler does not have the printer.
    ///
    /// Returns `nil` if the spooler has the printer, or if the request fails for another reason.
    private static func missing(_ printer: Printer, in queue: Spooler) async -> SpoolerClientError? {
        do throws(SpoolerClientError) { _ = try await queue.printer(printer.id, ["printer-name"]) } catch {
            return error.code == .usage ? error : nil
        }
        return nil
    }
}

extension CutterBehavior {
    /// The spooler's option for the cutter behavior; `nil` means the printer's default.
    fileprivate var trimming: Trimming? {
        switch self {
        case .printerDefault: nil
        case .noCut: .never
        case .cutAfterEachPage: .afterPages
        case .cutAfterEachCopy: .afterCopies
        case .cutAfterEachJob: .afterJob
        }
    }
}
