// A destination that writes PDF files.

import FoundationEssentials
import Glibc
import SafeFiles

/// A destination that writes PDF files.
///
/// The destination has one printer, which writes each job to a new file in the folder:
///
///     controller.destination = PDFFileDestination(folder: "/home/me/Documents")
///     try await controller.print(to: controller.printer(named: nil))
///
/// The printer `Printer.file(_:)` writes to the given file. This printer does not require a destination or a folder:
///
///     try await controller.print(to: .file("report.pdf"))
///
/// The destination applies the paper, the orientation and the page ranges. The destination ignores copies and sides,
/// which have no meaning in a file. The file is created atomically. In a folder, the file is named after the job. If a
/// file with this name exists, a number is added to the name of the new file.
public struct PDFFileDestination: PrintDestination {
    /// The folder in which the destination's printer creates the files.
    public let folder: String

    /// Creates a destination that writes to a folder.
    ///
    /// The default is the current folder.
    public init(folder: String = ".") { self.folder = folder }

    /// Returns the single printer of this destination.
    ///
    /// The printer represents the folder.
    public func printers() async throws -> [Printer] {
        [Self.printer(at: folder, named: "PDF file", of: self)]
    }

    /// Returns the capabilities: color, and every common paper size.
    ///
    /// Each size is available with a margin of a quarter inch and without margins.
    ///
    /// Copies and sides are not supported.
    ///
    /// - Throws: `PrintError.printingNotAvailable` for a printer whose URL is not a file URL.
    public func capabilities(of printer: Printer) async throws -> PrinterCapabilities {
        try Self.check(printer)
        return Self.capabilities
    }

    /// Writes the document to the file.
    ///
    /// - Throws: `PrintError` with `jobFailed` when the file cannot be written, or with `printingNotAvailable` for a
    ///   printer whose URL is not a file URL.
    public func submit(
        _ request: PrintRequest, to printer: Printer, report: @escaping @Sendable (PrintReport) -> Void
    ) async throws -> PrintEnd {
        try Self.check(printer)
        try Self.write(request, at: printer.url.path)
        report(.accepted(jobID: nil))
        report(.progress(page: request.pageCount, of: request.pageCount))
        return .completed
    }

    private static func check(_ printer: Printer) throws(PrintError) {
        guard printer.url.isFileURL else {
            throw PrintError(
                .printingNotAvailable,
                "printer '\(printer.id)' is not a PDF file; print to Printer.file(path), or set another destination"
            )
        }
    }

    static func printer(at path: String, named name: String, of destination: PDFFileDestination) -> Printer {
        let url = URL(filePath: path)
        return Printer(
            id: url.absoluteString, url: url, displayName: name, displayLocation: path, capabilities: capabilities,
            destination: destination)
    }

    /// The papers: each standard size with margins and without margins.
    ///
    /// A person might print the file later. Therefore the margins are wide enough for almost every printer. Photos use
    /// the paper without margins.
    private static var papers: [PrintPaper] {
        Media.standard.flatMap { media in
            [PrintPaper(media: media, margins: .all(.millimeters(6.35))), PrintPaper(media: media)]
        }
    }

    static var capabilities: PrinterCapabilities {
        PrinterCapabilities(
            makeAndModel: "PDF file", papers: papers,
            defaultMedia: PrintPaper.standard.media,
            customMedia: .init(width: 100...508_000, height: 100...508_000, margins: .zero),
            colorModes: [.auto, .color],
            formats: [.pdf])
    }

    /// Writes the document to a file.
    ///
    /// If `path` is a folder, the file gets an unused name in this folder. Otherwise, the first item replaces `path`,
    /// and the paths of the other items contain the item number.
    private static func write(_ request: PrintRequest, at path: String) throws(PrintError) {
        let folder = try ScratchFolder()
        let document = try chosenPages(of: request, in: folder)
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder else {
            return try copy(document, to: request.itemNumber > 1 ? numbered(path, request.itemNumber) : path)
        }
        for number in 1... {
            let candidate = "\(path)/\(name(of: request)).pdf"
            let file = number == 1 ? candidate : numbered(candidate, number)
            if FileManager.default.fileExists(atPath: file) { continue }
            do throws(PrintError) { return try copy(document, to: file, replaces: false) } catch {
                // Another job may have taken the name in the meantime.
                guard (error.cause as? SystemFailure)?.number == EEXIST else { throw error }
            }
        }
    }

    private static func name(of request: PrintRequest) -> String {
        var name = request.title.split(separator: "/").last.map(String.init) ?? "Document"
        if name.hasSuffix(".pdf") { name.removeLast(4) }
        // File names are limited to 255 bytes, and the number and the extension must fit, too.
        while name.utf8.count > 200 { name.removeLast() }
        return name.isEmpty || name.hasPrefix(".") ? "Document" + name : name
    }

    /// Returns the path with a number before the extension: `report 2.pdf` for `report.pdf`.
    private static func numbered(_ path: String, _ number: Int) -> String {
        path.hasSuffix(".pdf") ? "\(path.dropLast(4)) \(number).pdf" : "\(path) \(number)"
    }

    /// Returns the path of a PDF with the chosen pages: the document, or a file in `folder`.
    static func chosenPages(of request: PrintRequest, in folder: ScratchFolder) throws(PrintError) -> String {
        let chosen = request.ticket.pageRanges?.pages(of: request.pageCount)
        let pages = chosen ?? Array(1...max(1, request.pageCount))
        guard !pages.isEmpty else {
            throw PrintError.noSuchPages(request.ticket.pageRanges ?? .all, of: request.pageCount)
        }
        if pages.count == request.pageCount { return request.documentPath }
        let path = folder.newPath("pages.pdf")
        do {
            try PDFFile(path: request.documentPath).write(pages: pages.map { $0 - 1 }, to: path)
        } catch {
            throw PrintError(.jobFailed, error.message, cause: error)
        }
        return path
    }

    /// Copies a file to a temporary file in the target folder and renames the copy.
    ///
    /// Therefore the target file is always complete.
    ///
    /// - Parameter replaces: Whether the copy replaces an existing file. Otherwise, an existing file is an error whose
    ///   cause is `EEXIST`.
    private static func copy(_ source: String, to path: String, replaces: Bool = true) throws(PrintError) {
        func failure(_ error: SystemFailure) -> PrintError {
            PrintError(.jobFailed, "cannot write '\(path)'; check its folder and the free space", cause: error)
        }
        let document = open(source, O_RDONLY | O_CLOEXEC)
        guard document >= 0 else { throw failure(SystemFailure(errno)) }
        defer { close(document) }
        var status = stat()
        let file = try AtomicFile(path: path, failure: failure)
        if fstat(document, &status) == 0 { fchmod(file.descriptor, status.st_mode & 0o777) }
        try FileBytes.copy(from: document, to: file.descriptor) { error, _ in failure(error) }
        try file.finish(replaces: replaces)
    }
}

extension Printer {
    /// Returns a printer that writes to one PDF file.
    ///
    /// An existing file is replaced.
    ///
    /// The file contains each page once, regardless of the number of copies, as with `PrintPageRenderer.write(to:on:)`.
    ///
    /// Several `printingItems` become `report.pdf`, `report 2.pdf` and so on.
    public static func file(_ path: String) -> Printer {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return PDFFileDestination.printer(at: path, named: name, of: PDFFileDestination())
    }
}
