// Provides a printer that prints nothing.

public import PrintModel
import Synchronization

/// A one-sided printer that responds to queries and prints nothing.
public struct QuietPrinter: PrinterBackend {
    /// The recorded messages that a printer was asked to show.
    public final class Shown: Sendable {
        private let list = Mutex<[String?]>([])

        /// The messages in the order of their arrival; nil for a request without a message.
        public var messages: [String?] { list.withLock { $0 } }

        /// Creates an empty record.
        public init() {}

        fileprivate func append(_ message: String?) { list.withLock { $0.append(message) } }
    }

    /// The supported identify actions.
    public var identifyActions: [String]
    /// The status that the printer reports.
    public var reported: PrinterStatus
    /// The received identify messages.
    public let shown = Shown()

    /// Creates a printer; by default an idle printer with one supply.
    public init(
        identifyActions: [String] = ["flash"],
        reported: PrinterStatus = PrinterStatus(
            state: .idle, supplies: [.init(name: "Black toner", type: "toner", color: "#000000", level: 40)])
    ) {
        (self.identifyActions, self.reported) = (identifyActions, reported)
    }

    /// Returns a printer for A4 in black.
    public func capabilities() async throws(BackendError) -> PrinterCapabilities {
        var capabilities = PrinterCapabilities(
            makeAndModel: "Quiet", papers: [PrintPaper(media: .a4, margins: .all(.millimeters(5)))],
            defaultMedia: .a4, colorModes: [.auto, .monochrome], resolutions: [600, 2_400], formats: [.pdf])
        capabilities.identifyActions = identifyActions
        capabilities.outputBins = ["face-down", "mailbox-1"]
        return capabilities
    }

    /// Returns the status that the test chose.
    public func status() async throws(BackendError) -> PrinterStatus { reported }

    /// Records a message.
    public func identify(actions: [String], message: String?) async throws(BackendError) { shown.append(message) }

    /// Accepts a job and forgets it.
    public func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob {
        RemoteJob(id: 1, uuid: nil)
    }

    /// Accepts a document and discards it.
    public func sendDocument(
        _ path: String, format: DocumentFormat, to job: RemoteJob
    ) async throws(BackendError) {}

    /// Returns nil, because the printer keeps no jobs.
    public func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? { nil }

    /// Does nothing, because the printer keeps no jobs.
    public func cancelJob(_ job: RemoteJob) async throws(BackendError) {}
}
