// What every way to printers has to keep to, tried on each.

import FoundationEssentials
public import PrintKit
import PrintTestSupport
import Synchronization
import Testing

/// Expects a destination to be as `PrintDestination` says, by printing on its preferred printer.
///
///     try await expectDestination(PDFFileDestination(folder: folder.path))
///
/// Each job of it is really printed, so give it printers that finish by themselves.
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
    await refusesWhatIsNotThere(
        PrintRequest(documentPath: folder.path("none.pdf"), title: "Nothing", pageCount: 1), on: printer)
    await knowsNoOther(PrintRequest(documentPath: path, title: "Lost", pageCount: 2), than: destination)
    #expect(FileManager.default.fileExists(atPath: path), "the document belongs to who submitted it")
}

/// A job is accepted once, first of all, and completed; its progress never goes back nor beyond its pages.
private func printsWhatIsWhole(_ request: PrintRequest, on printer: Printer) async throws {
    let reports = Reports()
    let end = try await printer.destination.submit(request, to: printer) { reports.add($0) }
    #expect(end == .completed)
    let all = reports.all
    guard case .accepted = all.first else { return #expect(Bool(false), "accepted does not come first: \(all)") }
    let accepted = all.filter { if case .accepted = $0 { true } else { false } }
    #expect(accepted.count == 1)
    let pages = all.compactMap { if case .progress(let page, _) = $0 { page } else { nil } }
    #expect(pages == pages.sorted() && pages.allSatisfy { (0...request.pageCount).contains($0) })
}

/// A document that cannot be read is an error with words, and nothing is accepted.
private func refusesWhatIsNotThere(_ request: PrintRequest, on printer: Printer) async {
    let reports = Reports()
    let error = await #expect(throws: (any Error).self) {
        try await printer.destination.submit(request, to: printer) { reports.add($0) }
    }
    #expect(error.map { !"\($0)".isEmpty } == true)
    #expect(reports.all.isEmpty)
}

/// A printer that is not there has one code, whether it is asked or printed on, and its name is in the words.
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

/// News as they come.
private final class Reports: Sendable {
    private let kept = Mutex<[PrintReport]>([])

    var all: [PrintReport] { kept.withLock { $0 } }

    func add(_ report: PrintReport) { kept.withLock { $0.append(report) } }
}
