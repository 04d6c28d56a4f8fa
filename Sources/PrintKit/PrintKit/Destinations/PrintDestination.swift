// The way out: where finished documents go.

import FoundationEssentials

/// A way to printers: files, a spooler, a printer on the network.
///
/// `PDFFileDestination` is one; the module PrintSubmission has another, the spooler. Whatever is thrown ends the job: a
/// `PrintError` is passed on, anything else becomes `jobFailed` with its words.
public protocol PrintDestination: Sendable {
    /// The printers it leads to, the preferred one first.
    func printers() async throws -> [Printer]

    /// The printer of an identifier (`PrintInfo.printerID`); nil when there is none.
    func printer(withID id: String) async throws -> Printer?

    /// What a printer can do, what is done for it on the way there included, such as copies that the spooler makes.
    func capabilities(of printer: Printer) async throws -> PrinterCapabilities

    /// Takes a document to a printer, and returns when the job has ended.
    ///
    /// The document is whole; a job begun is begun only when all of it has been taken over. Cancelling the task cancels the
    /// job.
    ///
    /// Of several `printingItems`, the next one is submitted when this one was reported as `accepted`, or has ended. A
    /// destination that prints items in their order therefore reports `accepted` when the job has its place in the queue.
    ///
    /// - Parameters:
    ///   - request: The document and how it is to be printed.
    ///   - printer: One of this destination's printers.
    ///   - report: Takes news of the job, `accepted` first; from any thread.
    /// - Returns: How it ended.
    /// - Throws: Why it could not be submitted or was given up.
    func submit(
        _ request: PrintRequest, to printer: Printer, report: @escaping @Sendable (PrintReport) -> Void
    ) async throws -> PrintEnd
}

extension PrintDestination {
    /// Looks through `printers()`.
    public func printer(withID id: String) async throws -> Printer? {
        try await printers().first { $0.id == id }
    }
}

/// A document to be printed, and how.
public struct PrintRequest: Sendable {
    /// The PDF's path; it is there until `accepted` was reported, or the job has ended.
    public var documentPath: String
    /// The job's name.
    public var title: String
    /// How many pages the PDF has.
    public var pageCount: Int
    /// What is asked of the printer: paper, sides, copies, and page ranges of ready content.
    ///
    /// Drawn pages are as large as their paper and lie within its printable area: their scaling is `none`.
    public var ticket: JobTicket
    /// When a roll printer cuts (IPP `finishings`).
    public var cutterBehavior: CutterBehavior
    /// Which of several items this is, counted from 1; each is a request of its own.
    public var itemNumber = 1

    /// A request.
    public init(
        documentPath: String, title: String, pageCount: Int, ticket: JobTicket = JobTicket(),
        cutterBehavior: CutterBehavior = .printerDefault
    ) {
        (self.documentPath, self.title, self.pageCount) = (documentPath, title, pageCount)
        (self.ticket, self.cutterBehavior) = (ticket, cutterBehavior)
    }
}

/// When a printer cuts the paper of its roll (`UIPrinter.CutterBehavior`; IPP `finishings`, PWG 5100.1 §5.1).
public enum CutterBehavior: Hashable, Sendable, CaseIterable {
    /// Never: whoever takes it tears it off (`none`).
    case noCut
    /// As the printer does when it is not told.
    case printerDefault
    /// After each page (`trim-after-pages`).
    case cutAfterEachPage
    /// After each copy (`trim-after-copies`).
    case cutAfterEachCopy
    /// Once, at the end (`trim-after-job`).
    case cutAfterEachJob
}

/// News of a job.
public enum PrintReport: Hashable, Sendable {
    /// The job has been taken over, whole, and its document is not needed any more; its number where there is one.
    case accepted(jobID: Int?)
    /// The job's progress: so many of its pages are printed, in words "page 2 of 5".
    case progress(page: Int, of: Int?)
    /// Something a person should see to, such as "Out of Paper".
    case alert(String)
    /// What a person should see to is done.
    case alertCleared
}

/// How a job ended that did not fail.
public enum PrintEnd: Hashable, Sendable {
    /// It was printed.
    case completed
    /// Someone canceled it.
    case canceled
}
