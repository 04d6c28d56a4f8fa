// Tests the requirements of print destinations.

import FoundationEssentials
public import PrintKit
import PrintTestSupport
import Synchronization
import Testing

/// Expects that a destination meets the requirements of `PrintDestination`, by printing on its preferred printer.
///
///     try await expectDestination(PDFFileDestination(folder: folder.path))
///
/// The jobs are really printed, so use printers that complete their jobs without help.
public func expectDestination(_ destination: any PrintDestination) async throws {
    let printers = try await destination.printers()
    #expect(!printers.isEmpty && Set(printers.map(\.id)).count == printers.count)
    #expect(try await destination.printer(withID: "there is no such printer") == nil)
    for printer in printers {
        #expect(try await destination.printer(withID: printer.id)?.displayName == printer.displayName)
        let capabilities = try await destination.capabilities(of: printer)
        #expect(!capabilities.papers.isEmpty && !capabilities.makeAndModel.isEmpty)
        #expect(capabilities.maxCopies >= 1 && capabilities.duplexModes.contains(.none))
    }
    let printer = try #require(printers.first)
    let folder = try TemporaryFolder()
    let path = folder.path("two.pdf")
    try PDFBuilder.numbered(pages: 2).write(to: path)
    try await printsWhatIsWhole(PrintRequest(documentPath: path, title: "Trial", pageCount: 2), on: printer)
    try await endsWithoutItsSubmitter(PrintRequest(documentPath: path, title: "Later", pageCount: 2), on: printer)
    await refusesWhatIsNotThere(
        PrintRequest(documentPath: folder.path("none.pdf"), title: "Nothing", pageCount: 1), on: printer)
    await knowsNoOther(PrintRequest(documentPath: path, title: "Lost", pageCount: 2), than: destination)
    #expect(FileManager.default.fileExists(atPath: path), "submitting must not remove the document of the caller")
}

/// Expects that a job is accepted once, before all other reports, and that it completes.
///
/// The progress must not decrease, and must not exceed the number of pages.
private func printsWhatIsWhole(_ request: PrintRequest, on printer: Printer) async throws {
    let reports = Reports()
    let end = try await printer.destination.submit(request, to: printer) { reports.add($0) }
    #expect(end == .completed)
    let all = reports.all
    guard case .accepted = all.first else { return #expect(Bool(false), "the first report is not 'accepted': \(all)") }
    let accepted = all.filter { if case .accepted = $0 { true } else { false } }
    #expect(accepted.count == 1)
    let pages = all.compactMap { if case .progress(let page, _) = $0 { page } else { nil } }
    #expect(pages == pages.sorted() && pages.allSatisfy { (0...request.pageCount).contains($0) })
}

/// Expects that a job that is submitted without waiting completes, and reports its end to each follower.
private func endsWithoutItsSubmitter(_ request: PrintRequest, on printer: Printer) async throws {
    let job = try await printer.destination.submit(request, to: printer)
    #expect(try await job.wait() == .completed)
    #expect(try await job.wait() == .completed)
    for try await report in job.reports { if case .alert = report { #expect(Bool(false), "\(report)") } }
    #expect(try await job.status().state == .completed)
    try await job.cancel()
    #expect(try await job.status().state == .completed)
    if let number = job.number {
        #expect(try await printer.destination.job(number: number)?.status().state == .completed)
    }
}

/// Expects that a missing document causes an error with a message, and that the job is not accepted.
private func refusesWhatIsNotThere(_ request: PrintRequest, on printer: Printer) async {
    let reports = Reports()
    let error = await #expect(throws: (any Error).self) {
        try await printer.destination.submit(request, to: printer) { reports.add($0) }
    }
    #expect(error.map { !"\($0)".isEmpty } == true)
    #expect(reports.all.isEmpty)
}

/// Expects the same error for all operations on an unknown printer, with the printer's name in the message.
private func knowsNoOther(_ request: PrintRequest, than destination: any PrintDestination) async {
    let gone = Printer(
        id: "gone", url: URL(string: "nowhere:gone") ?? URL(filePath: "/"), displayName: "gone",
        destination: destination)
    let asked = await #expect(throws: PrintError.self) { try await destination.capabilities(of: gone) }
    let refused = await #expect(throws: PrintError.self) { try await destination.submit(request, to: gone) { _ in } }
    for error in [asked, refused] {
        #expect(error?.code == .printingNotAvailable && error?.message.contains("gone") == true)
    }
}

/// A collector of reports.
private final class Reports: Sendable {
    private let kept = Mutex<[PrintReport]>([])

    var all: [PrintReport] { kept.withLock { $0 } }

    func add(_ report: PrintReport) { kept.withLock { $0.append(report) } }
}
