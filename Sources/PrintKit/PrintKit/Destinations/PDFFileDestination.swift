// A printer that is a file.

import FoundationEssentials
import Glibc

/// Prints into PDF files: into the one that a printer names, or into a folder.
///
///     controller.destination = PDFFileDestination(folder: "/home/me/Documents")
///     try await controller.print(to: .file("report.pdf"))     // or without a folder
///
/// Of the options it honours paper, orientation and page ranges; copies and sides have no meaning in a file and are left
/// aside. A file appears whole or not at all. In a folder it is
/// called as the job is; a name that is taken gets a number.
public struct PDFFileDestination: PrintDestination {
    /// The folder for jobs whose printer names no file.
    public let folder: String

    /// Files in a folder; the current one unless said.
    public init(folder: String = ".") { self.folder = folder }

    /// One printer, which is the folder.
    public func printers() async throws -> [Printer] {
        [Self.printer(at: folder, named: "PDF file", of: self)]
    }

    /// Every common paper, with a margin of a quarter inch and without, in colour; neither copies nor sides.
    ///
    /// - Throws: `PrintError.printingNotAvailable` for a printer that is no file.
    public func capabilities(of printer: Printer) async throws -> PrinterCapabilities {
        try Self.check(printer)
        return Self.capabilities
    }

    /// Writes the file.
    ///
    /// - Throws: `PrintError` with `jobFailed` when it cannot be written, `printingNotAvailable` for a printer that is no file.
    public func submit(
        _ request: PrintRequest, to printer: Printer, report: @escaping @Sendable (PrintReport) -> Void
    ) async throws -> PrintEnd {
        try Self.check(printer)
        let path = Self.path(for: request, at: printer.url.path)
        try Self.write(request, to: path)
        report(.accepted(jobID: nil))
        report(.progress(page: request.pageCount, of: request.pageCount))
        return .completed
    }

    private static func check(_ printer: Printer) throws(PrintError) {
        guard printer.url.isFileURL else {
            throw PrintError(
                .printingNotAvailable,
                "there is no printer '\(printer.id)' among PDF files; print to Printer.file(path), or set its destination"
            )
        }
    }

    static func printer(at path: String, named name: String, of destination: PDFFileDestination) -> Printer {
        let url = URL(filePath: path)
        return Printer(
            id: url.absoluteString, url: url, displayName: name, displayLocation: path, capabilities: capabilities,
            destination: destination)
    }

    /// Margins that nearly every printer can keep, as the file may yet come on paper; photos go to the edge.
    private static var papers: [PrintPaper] {
        Media.standard.flatMap { media in
            [PrintPaper(media: media, margins: .all(.millimeters(6.35))), PrintPaper(media: media)]
        }
    }

    private static var capabilities: PrinterCapabilities {
        PrinterCapabilities(
            makeAndModel: "PDF file", papers: papers,
            defaultMedia: PrintPaper.standard.media,
            customMedia: .init(width: 100...508_000, height: 100...508_000, margins: .zero),
            colorModes: [.auto, .color],
            formats: [.pdf])
    }

    /// The file itself, further items with their number; or a new file in the folder.
    private static func path(for request: PrintRequest, at path: String) -> String {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder else {
            return request.itemNumber > 1 ? numbered(path, request.itemNumber) : path
        }
        var name = request.title.split(separator: "/").last.map(String.init) ?? "Document"
        if name.hasSuffix(".pdf") { name.removeLast(4) }
        // The longest name a file system takes has 255 bytes, of which number and extension need some.
        while name.utf8.count > 200 { name.removeLast() }
        if name.isEmpty || name.hasPrefix(".") { name = "Document" + name }
        let candidates = sequence(first: 1) { $0 + 1 }.lazy.map { number in
            number == 1 ? "\(path)/\(name).pdf" : numbered("\(path)/\(name).pdf", number)
        }
        return candidates.first { !FileManager.default.fileExists(atPath: $0) } ?? path
    }

    /// `report 2.pdf` for `report.pdf`.
    private static func numbered(_ path: String, _ number: Int) -> String {
        path.hasSuffix(".pdf") ? "\(path.dropLast(4)) \(number).pdf" : "\(path) \(number)"
    }

    /// Takes the document over: as it is, or the chosen pages of it.
    private static func write(_ request: PrintRequest, to path: String) throws {
        let chosen = request.ticket.pageRanges?.pages(of: request.pageCount)
        let pages = chosen ?? Array(1...max(1, request.pageCount))
        guard !pages.isEmpty else {
            throw PrintError.noSuchPages(request.ticket.pageRanges ?? .all, of: request.pageCount)
        }
        if pages.count == request.pageCount { return try copy(request.documentPath, to: path) }
        do {
            try PDFFile(path: request.documentPath).write(pages: pages.map { $0 - 1 }, to: path)
        } catch {
            throw PrintError(.jobFailed, error.message, cause: error)
        }
    }

    /// Copies beside the file first, so that it appears whole.
    private static func copy(_ source: String, to path: String) throws {
        let temporary = "\(path).\(UUID().uuidString.prefix(8)).part"
        do {
            try FileManager.default.copyItem(atPath: source, toPath: temporary)
            guard rename(temporary, path) == 0 else { throw SystemFailure(errno) }
        } catch {
            unlink(temporary)
            throw PrintError(
                .jobFailed, "'\(path)' cannot be written; check its folder and the free space", cause: error)
        }
    }
}

extension Printer {
    /// A printer that is one PDF file; what is there is replaced.
    ///
    /// The file has each page once, however many copies are asked for, as `PrintPageRenderer.write(to:on:)` has it.
    /// Several `printingItems` become `report.pdf`, `report 2.pdf` and so on.
    public static func file(_ path: String) -> Printer {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return PDFFileDestination.printer(at: path, named: name, of: PDFFileDestination())
    }
}
