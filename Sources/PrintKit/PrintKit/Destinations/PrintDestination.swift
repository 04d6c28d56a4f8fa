// The protocol for destinations, to which finished documents are sent.

import FoundationEssentials
package import PrintModel

/// A connection to printers: files, a spooler, or a printer on the network.
///
/// `PDFFileDestination` writes files. `SpoolerDestination` in the module PrintSubmission prints through the spooler. An
/// error that a destination throws ends the job. The app receives a `PrintError` unchanged. Any other error becomes
/// `jobFailed` with the error as its cause.
public protocol PrintDestination: Sendable {
    /// Whether the destination converts documents to pages, and accepts requests whose `documentFormat` is not PDF.
    ///
    /// The default is false.
    var convertsDocuments: Bool { get }

    /// The document types that the destination converts in addition to the types of `DocumentTypes.builtIn`.
    ///
    /// An additional type takes precedence over a type with the same media type or extension. The default is empty.
    var registeredDocumentTypes: [DocumentType] { get }

    /// Whether a request can have `furtherDocuments`, so that several `printingItems` become one job.
    ///
    /// The default is false.
    var acceptsSeveralDocuments: Bool { get }

    /// Returns the available printers, the preferred printer first.
    func printers() async throws -> [Printer]

    /// Returns the printer with the given identifier (`PrintInfo.printerID`), or `nil` if no printer has this
    /// identifier.
    func printer(withID id: String) async throws -> Printer?

    /// Returns the capabilities of a printer.
    ///
    /// The capabilities include the functions that the destination performs, such as copies that a spooler makes.
    func capabilities(of printer: Printer) async throws -> PrinterCapabilities

    /// Sends a document to a printer, and returns when the job has ended.
    ///
    /// The request contains the whole document. The destination must not start the job before the whole document is
    /// transferred. Canceling the task cancels the job.
    ///
    /// If there are several `printingItems`, an item is submitted after the job of the previous item was reported as
    /// `accepted` or has ended. To print the items in order, a destination must not report `accepted` before the job is
    /// in the queue.
    ///
    /// - Parameters:
    ///   - request: The document and its print options.
    ///   - printer: One of this destination's printers.
    ///   - report: A closure that receives the progress of the job, beginning with `accepted`. The closure can be
    ///     called from any thread.
    /// - Returns: The end of the job: completed or canceled.
    /// - Throws: An error that explains why the job could not be submitted, or why the job failed.
    func submit(
        _ request: PrintRequest, to printer: Printer, report: @escaping @Sendable (PrintReport) -> Void
    ) async throws -> PrintEnd

    /// Sends a document to a printer, and returns when the destination has accepted the job.
    ///
    /// The default calls the method that returns when the job has ended, in a task of this process.
    ///
    /// - Throws: The reason why the job was not accepted; `CancellationError` when the task is canceled before.
    func submit(_ request: PrintRequest, to printer: Printer) async throws -> PrintJob

    /// Returns the job with the given number, which any program can have submitted; `nil` if there is no such job.
    ///
    /// The default is `nil`.
    func job(number: Int) async throws -> PrintJob?
}

extension PrintDestination {
    /// The default value false, because most destinations accept only PDFs.
    public var convertsDocuments: Bool { false }

    /// The default value, no additional types.
    public var registeredDocumentTypes: [DocumentType] { [] }

    /// The types of documents that can be identified for this destination.
    package var documentTypes: DocumentTypes { .builtIn.adding(registeredDocumentTypes) }

    /// The default value false, so that each item is a separate request.
    public var acceptsSeveralDocuments: Bool { false }

    /// Submits the job in a task of this process, which the job does not outlive.
    public func submit(_ request: PrintRequest, to printer: Printer) async throws -> PrintJob {
        try await RunningJob.start { report in try await submit(request, to: printer, report: report) }
    }

    /// Returns `nil`, for destinations without job numbers.
    public func job(number: Int) async throws -> PrintJob? { nil }

    /// Searches the result of `printers()` for the printer with the given identifier.
    ///
    /// Returns `nil` if no printer has this identifier.
    public func printer(withID id: String) async throws -> Printer? {
        try await printers().first { $0.id == id }
    }
}

/// A document to print, with its options.
public struct PrintRequest: Sendable {
    /// The path of the document.
    ///
    /// The file exists until the destination has reported `accepted`, or the job has ended.
    public var documentPath: String
    /// The format of the document: PDF, unless the destination converts the document.
    ///
    /// For a document that the destination converts, the file is the unchanged file of the app. If the app has set the
    /// type, the file name has the extension of this type.
    public var documentFormat = DocumentFormat.pdf
    /// The job's name, which the queue shows.
    public var title: String
    /// The number of pages in the PDF; 0 for a document that the destination converts.
    public var pageCount: Int
    /// The options for the printer: paper, sides, copies, and the page ranges of ready-made content.
    ///
    /// Drawn pages have the size of the paper, and their content lies within the printable area. Therefore the scaling
    /// of drawn pages is `none`.
    public var ticket: JobTicket
    /// The setting that determines when the printer cuts the paper roll (IPP `finishings`).
    public var cutterBehavior: CutterBehavior
    /// The number of this item among several items, counted from 1.
    ///
    /// Each item is a separate request, unless the destination accepts several documents.
    public var itemNumber = 1
    /// The documents that follow the first document in the same job.
    ///
    /// The value is empty unless the destination accepts several documents.
    public var furtherDocuments: [Document] = []
    /// The identifier of the submission, from 1 to 255 bytes; `nil` if the program does not repeat submissions.
    ///
    /// A destination with a queue returns the first job when the same user submits the same identifier again.
    public var submissionID: String?

    /// A further document of a job.
    public struct Document: Hashable, Sendable {
        /// The path of the document, as in `PrintRequest`.
        public var path: String
        /// The format of the document, as in `PrintRequest`.
        public var format = DocumentFormat.pdf
        /// The number of pages in the PDF; 0 for a document that the destination converts.
        public var pageCount: Int

        /// Creates a document from a file that exists until the destination has accepted the job.
        public init(path: String, format: DocumentFormat = .pdf, pageCount: Int) {
            (self.path, self.format, self.pageCount) = (path, format, pageCount)
        }
    }

    /// Creates a request for one document.
    public init(
        documentPath: String, title: String, pageCount: Int, ticket: JobTicket = JobTicket(),
        cutterBehavior: CutterBehavior = .printerDefault
    ) {
        (self.documentPath, self.title, self.pageCount) = (documentPath, title, pageCount)
        (self.ticket, self.cutterBehavior) = (ticket, cutterBehavior)
    }
}

/// A setting that determines when a printer cuts its paper roll (`UIPrinter.CutterBehavior`; IPP `finishings`, PWG
/// 5100.1 §5.1).
public enum CutterBehavior: Hashable, Sendable, CaseIterable {
    /// No cut (`none`).
    ///
    /// A person tears off the paper by hand.
    case noCut
    /// The default cut of the printer.
    case printerDefault
    /// A cut after each page (`trim-after-pages`).
    case cutAfterEachPage
    /// A cut after each copy (`trim-after-copies`).
    case cutAfterEachCopy
    /// A cut at the end of the job (`trim-after-job`).
    case cutAfterEachJob
}

/// A report about the progress of a job.
public enum PrintReport: Hashable, Sendable {
    /// The acceptance of the job: the destination has received the whole job and no longer needs the document.
    ///
    /// The value contains the job number if the destination assigns job numbers.
    case accepted(jobID: Int?)
    /// The number of printed pages, and the total number if the total is known: "page 2 of 5".
    case progress(page: Int, of: Int?)
    /// A condition that requires attention at the printer, such as "Out of Paper".
    case alert(String)
    /// The end of a condition that required attention at the printer.
    case alertCleared
}

/// The outcome of a job that did not fail.
public enum PrintEnd: Hashable, Sendable {
    /// The outcome of a job that was printed.
    case completed
    /// The outcome of a job that was canceled.
    case canceled
}
