// printd's printers, for apps: what an app prints becomes a job in printd's queue.
//
//   PrintInteractionController ─► SpoolerDestination ─► SpoolerClient ─► printd's socket
//        pages, a ticket             IPP requests          the same conversation that printq has

import FoundationEssentials
import IPP
import PrintIPP
public import PrintKit
import enum PrintModel.Trimming
import SpoolerClient

/// Prints through the spooler: jobs are kept in its queue, survive crashes, and reach simulated and real printers.
///
///     let controller = PrintInteractionController()
///     controller.destination = SpoolerDestination()
///     try await controller.print(to: controller.printer(named: "color-laser"))
///
/// It speaks IPP to `printd` over the spool's socket, as `printq` does, and starts `printd` when nobody answers there
/// (beside the running program, else in `PATH`). A document is complete before it is sent, and sent under a name of its own
/// (`printq-submission-id`), so that a lost answer makes no second job. From `accepted` on the job is on the disk, and goes on
/// when the program ends.
public struct SpoolerDestination: PrintDestination {
    private let spool: String?

    /// The spooler of a spool.
    ///
    /// - Parameter spool: The spool's folder; nil for `PRINTQ_SPOOL`, else `$XDG_STATE_HOME/printq`, else
    ///   `~/.local/state/printq`.
    public init(spool: String? = nil) { self.spool = spool }

    /// The printers of the queue with what they can do, the default one first.
    ///
    /// - Throws: `PrintError.printingNotAvailable` when there is no spooler.
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

    /// The printer of that name; nil when the queue has none.
    ///
    /// - Throws: `PrintError.printingNotAvailable` when there is no spooler.
    public func printer(withID id: String) async throws -> Printer? {
        try await printers().first { $0.id == id }
    }

    /// What the printer can do and the spooler does for it.
    ///
    /// - Throws: `PrintError.printingNotAvailable` without a spooler, or when the queue has no such printer.
    public func capabilities(of printer: Printer) async throws -> PrinterCapabilities {
        try await asking(about: printer) { queue throws(SpoolerClientError) in
            PrinterCapabilities(attributes: try await queue.printer(printer.id, PrinterCapabilities.attributeNames))
        }
    }

    /// Puts the document into the queue and follows the job to its end.
    ///
    /// - Throws: `PrintError` with `printingNotAvailable` without a spooler or such a printer; `jobFailed` when the queue refuses the job, as
    ///   for options that the printer does not have, or when it was given up, with the spooler's words.
    public func submit(
        _ request: PrintRequest, to printer: Printer, report: @escaping @Sendable (PrintReport) -> Void
    ) async throws -> PrintEnd {
        if Task.isCancelled { return .canceled }
        return try await asking(about: printer) { queue throws(SpoolerClientError) in
            var submission = JobSubmission(
                documents: [try DocumentFile(path: request.documentPath)], id: UUID().uuidString)
            submission.printer = printer.id
            submission.title = request.title
            submission.ticket = request.ticket
            if let cuts = printer.capabilities?.trimmings, !cuts.isEmpty {
                submission.ticket.trimming = request.cutterBehavior.trimming
            }
            let job = SubmittedJob(id: try await Self.submit(submission, to: queue), queue: queue)
            report(.accepted(jobID: job.id))
            return try await job.followed(report)
        }
    }

    /// Sends the job whole: a cancelled task must not leave one behind that nobody knows of.
    private static func submit(_ submission: JobSubmission, to queue: Spooler) async throws(SpoolerClientError) -> Int {
        let sending = Task { () -> Result<Int, SpoolerClientError> in
            do throws(SpoolerClientError) { return .success(try await queue.submit(submission)) } catch {
                return .failure(error)
            }
        }
        return try await sending.value.get()
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
                // Of several things that can be wrong with a request, the printer is the first.
                if error.code == .usage, let printer, let missing = await Self.missing(printer, in: queue) {
                    throw SpoolerClientError(.unavailable, missing.message)
                }
                throw error
            }
        } catch {
            throw PrintError(
                error.code == .unavailable ? .printingNotAvailable : .jobFailed, error.message, cause: error.cause)
        }
    }

    /// What the queue says when it does not know the printer; nil when it does.
    private static func missing(_ printer: Printer, in queue: Spooler) async -> SpoolerClientError? {
        do throws(SpoolerClientError) { _ = try await queue.printer(printer.id, ["printer-name"]) } catch {
            return error.code == .usage ? error : nil
        }
        return nil
    }
}

extension CutterBehavior {
    /// The same as the queue has it; nil leaves it to the printer.
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
