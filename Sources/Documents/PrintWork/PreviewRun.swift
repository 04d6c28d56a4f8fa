// Draws documents as they would be printed, without a printer and without the queue.

import AsyncPrimitives
import FoundationEssentials
import Glibc
public import PrintModel
import ProcessPools
import SafeFiles

/// The work that creates a preview of documents: each document is laid out for the printer (`prepare`), and the printed
/// sides are drawn.
///
///     try await PreviewRun(request: request, documents: pool).run { event in … }
///
/// Only the workers of a pool parse the documents. A document that cannot be displayed does not affect the other
/// documents.
public struct PreviewRun: Sendable {
    /// The number of sides that are drawn first.
    ///
    /// These sides are visible while the workers draw the remaining sides.
    private static let firstPart = 2

    private let request: PreviewRequest
    private let documents: ConvertingWorkerPool
    private let region: String?
    private let notices: [String]

    /// Creates the work for a preview; `run` performs the work.
    ///
    /// - Parameters:
    ///   - documents: The pool that identifies and prepares documents, and draws the prepared documents.
    ///   - region: The region that determines the default paper, as an ISO 3166 code; nil means A4.
    ///   - notices: Messages about problems that affect all documents, one sentence each. The preview reports these
    ///     messages with the first document.
    public init(
        request: PreviewRequest, documents: ConvertingWorkerPool, region: String? = nil, notices: [String] = []
    ) {
        self.request = request
        self.documents = documents
        self.region = region
        self.notices = notices
    }

    /// Lays out and draws all documents in order, and passes each result to `report`.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
    public func run(_ report: (PreviewEvent) -> Void) async throws {
        for index in request.documents.indices {
            do {
                try await WorkTime.shared { try await show(index, report) }
            } catch let error as WorkError {
                try Task.checkCancellation()
                report(.failed(index: index, error: error))
            }
        }
        report(.finished)
    }

    private func show(_ index: Int, _ report: (PreviewEvent) -> Void) async throws {
        let folder = "\(request.folder)/\(index + 1)"
        try Self.makeFolder(folder)
        let document = try DocumentCopy.readable(request.documents[index], in: folder)
        guard let type = try await documents.identify(document) else { throw WorkError.unknownType(document) }
        var plan = request.ticket.plan(for: request.printer ?? .usual(region: region))
        // The job has one sheet before its first document and one after its last document.
        if index > 0 { plan.imposition.coverSheets?.start = nil }
        if index < request.documents.count - 1 { plan.imposition.coverSheets?.end = nil }
        // A new folder, so that an earlier preview of another version of the document is not used.
        var work = Array("\(folder)/work-XXXXXX".utf8CString)
        guard mkdtemp(&work) != nil else {
            throw WorkError(.writeFailed, "cannot create a folder in '\(folder)': \(String(cString: strerror(errno)))")
        }
        let workFolder = String(decoding: work.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { ConversionFolder.remove(workFolder) }
        let prepared = "\(workFolder)/prepared.pdf"
        var preparation = PrepareRequest(
            documents: [document], imposition: plan.imposition, output: prepared,
            requiresFidelity: request.ticket.requiresFidelity ?? false)
        preparation.cover = CoverText(title: request.documents[0].nameInMessages)
        preparation.conversion = ConversionLayout(
            paper: plan.imposition.paper, text: request.ticket.text ?? TextOptions(),
            fillsPage: request.ticket.outputType?.isPhoto == true && plan.imposition.paper.isBorderless)
        let result = try await documents.prepare(preparation, types: [type]) { _ in }
        let printed = plan.cut(into: result.pieces)
        report(
            .document(
                PreviewedDocument(
                    index: index, type: type.name, format: type.formats.first, title: try await title(document, type),
                    pages: result.pages, sides: result.impressions, sheets: result.sheets,
                    paper: printed.imposition.paper,
                    notices: (index == 0 ? notices : []) + result.notices + plan.conflicts.map(\.description))))
        try await draw(prepared, sides: min(request.imageLimit, result.impressions), printed, in: folder, index, report)
    }

    /// Draws the first `sides` printed sides of a prepared document.
    private func draw(
        _ prepared: String, sides: Int, _ plan: PrintPlan, in folder: String, _ index: Int,
        _ report: (PreviewEvent) -> Void
    ) async throws {
        guard sides > 0 else { return }
        let first = 1...min(Self.firstPart, sides)
        let parts = sides > Self.firstPart ? [first, (Self.firstPart + 1)...sides] : [first]
        for (number, part) in parts.enumerated() {
            let images = "\(folder)/\(number + 1)"
            try Self.makeFolder(images)
            let drawn = try await documents.rasterize(
                RasterizeRequest(
                    document: InputDocument(path: prepared, format: .pdf), paper: plan.imposition.paper,
                    resolution: request.resolution, monochrome: plan.device.colorMode == .monochrome,
                    pageRanges: try PageRanges([part]), outputFolder: images, scaling: .none)
            ) { _ in }
            for (position, page) in drawn.pages.enumerated() {
                // A worker can return any name, so only the expected names are used.
                guard page.file == Self.fileName(ofSide: position + 1) else { throw WorkerPool.mismatch }
                let side = part.lowerBound + position
                let path = "\(folder)/\(Self.fileName(ofSide: side))"
                guard rename("\(images)/\(page.file)", path) == 0 else {
                    throw WorkError(.writeFailed, "cannot write '\(path)': \(String(cString: strerror(errno)))")
                }
                report(.page(index: index, side: side, path: path))
            }
            rmdir(images)
        }
    }

    /// Creates a folder, or uses the folder of an earlier preview.
    ///
    /// The function rejects symbolic links, and folders that belong to other users. Such a link or folder could
    /// redirect the files of this program, or expose the files to another user.
    private static func makeFolder(_ path: String) throws(WorkError) {
        if mkdir(path, 0o700) == 0 { return }
        let code = errno
        guard code == EEXIST else {
            throw WorkError(.writeFailed, "cannot create the folder '\(path)': \(String(cString: strerror(code)))")
        }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
            throw WorkError(
                .writeFailed,
                "cannot write to '\(path)': not a folder, or a folder of another user; choose another folder")
        }
    }

    private static func fileName(ofSide side: Int) -> String {
        let digits = String(side)
        return "page-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ".png"
    }

    /// Returns the title in the metadata of a PDF.
    private func title(_ document: InputDocument, _ type: DocumentType) async throws -> String? {
        guard type.formats.first == .pdf else { return nil }
        do throws(WorkError) { return try await documents.inspect(document).title } catch { return nil }
    }
}

/// A namespace for functions that make a document readable for the workers, without changing the permissions of the
/// original file.
enum DocumentCopy {
    /// The maximum size of a document copy in bytes: 4 GiB.
    private static let mostBytes = 4 << 30

    /// Returns the document itself, or a copy of the document in a folder.
    ///
    /// The function copies pipes. If this process runs as root, the function copies every document. Without the copy,
    /// the worker's user would obtain access to the original (`WorkerFileAccess`).
    static func readable(_ document: InputDocument, in folder: String) throws(WorkError) -> InputDocument {
        let descriptor = open(document.path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw unreadable(document, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(document, errno) }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFIFO || kind == S_IFSOCK else {
            let problem = kind == S_IFDIR ? "folder; specify files to preview" : "device, not a document"
            throw WorkError(.documentMissing, "'\(document.path)' is a \(problem)")
        }
        guard kind != S_IFREG || status.st_size > 0 else {
            throw WorkError(.noPages, "'\(document.path)' is empty; there is nothing to print")
        }
        guard kind != S_IFREG || geteuid() == 0 else { return document }
        var copy = document
        copy.name = document.name ?? document.path.split(separator: "/").last.map(String.init)
        copy.path = "\(folder)/document"
        try write(descriptor, to: copy.path, of: document)
        return copy
    }

    private static func write(_ source: Int32, to path: String, of document: InputDocument) throws(WorkError) {
        let target = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard target >= 0 else { throw unwritable(path, errno) }
        defer { close(target) }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var total = 0
        while true {
            let count = Glibc.read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(document, errno) }
            if count == 0 { break }
            total += count
            guard total <= mostBytes else {
                throw WorkError(.outputTooLarge, "'\(document.path)' is larger than 4 GiB; print the document in parts")
            }
            do throws(SystemFailure) { try FileBytes.write(buffer[..<count], to: target) } catch {
                throw unwritable(path, error.number)
            }
        }
        guard total > 0 else { throw WorkError(.noPages, "'\(document.path)' is empty; there is nothing to print") }
    }

    private static func unreadable(_ document: InputDocument, _ code: Int32) -> WorkError {
        let reason = String(cString: strerror(code)).lowercasedFirst
        return WorkError(.documentMissing, "cannot open '\(document.path)': \(reason)")
    }

    private static func unwritable(_ path: String, _ code: Int32) -> WorkError {
        WorkError(.writeFailed, "cannot write '\(path)': \(String(cString: strerror(code)).lowercasedFirst)")
    }
}

extension String {
    /// The text with a lowercase first letter, for the middle of a sentence.
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
