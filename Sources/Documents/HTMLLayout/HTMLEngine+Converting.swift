// Converts documents into PDFs with the HTML engine.

import CSandbox
import DocumentFiles
public import PrintModel
import ProcessPools
import SafeFiles

extension HTMLEngine: DocumentConverting {
    /// Returns nil, because the workers of `WorkerPool` identify documents.
    public func identify(_ document: InputDocument) async throws(WorkError) -> DocumentFormat? { nil }

    /// Converts HTML, Markdown, e-mail or source code into a PDF.
    ///
    /// This process reads only the bytes of the document. The engine parses the bytes in a separate process, which
    /// cannot access files or the network. External content is omitted, with a notice.
    ///
    /// A cancellation of the task kills the engine's process.
    ///
    /// - Throws: `unsupportedFormat` for a document of another type. The function also throws `unsupportedFormat` if
    ///   the engine is missing, is unreadable, or exits during its startup, so that the spooler does not retry the job
    ///   forever. Other errors are `documentMissing`, `documentTooLarge`, `tooLong`, `sandboxIncomplete`,
    ///   `writeFailed`, `canceled`, and the errors of `layOut`. The error `tooLong` reports source code of more than
    ///   10,000 lines, which the text converter then prints without colors.
    public func convert(_ request: ConvertRequest) async throws(WorkError) -> ConvertedDocument {
        guard let kind = HTMLRequest.Kind(request.type.converter) else {
            throw WorkError(
                .unsupportedFormat, "the HTML engine cannot convert documents of type '\(request.type.name)'")
        }
        return try await serve(from: request.origin, isSmall: WorkerRequest.convert(request).isSmall, limits) {
            (limits, cancellation) throws(HTMLWorker.Failure) in
            try self.convert(request, kind, limits, cancellation)
        }
    }

    private func convert(
        _ request: ConvertRequest, _ kind: HTMLRequest.Kind, _ limits: HTMLLimits, _ cancellation: HTMLCancellation
    ) throws(HTMLWorker.Failure) -> ConvertedDocument {
        let document: DocumentReader
        let access: HTMLAccess
        do throws(WorkError) {
            try checkUse(on: request.layout.pageSize)
            access = HTMLAccess(
                user: try WorkerUser.find(processes.command.user), owner: request.origin?.owner ?? "")
            document = try Self.open(request.document, limits)
        } catch {
            throw HTMLWorker.Failure(error: error)
        }
        var order = HTMLRequest(kind, size: document.size, limits: limits)
        order.name = request.document.name ?? request.document.path.split(separator: "/").last.map(String.init)
        order.charset = request.layout.text.encoding
        order.layout = HTMLRequest.Layout(request.layout)
        let output = try Self.newFile(request.output)
        let answer = try answer(order, .file(document), access, limits, output, cancellation).0
        try output.finish()
        guard let pages = answer.pages, pages > 0 else {
            throw HTMLWorker.Failure(
                error: WorkError(
                    .workerCrashed, "the HTML engine sent an invalid response; the document may be malicious"))
        }
        return ConvertedDocument(pageCount: pages, notices: answer.notices)
    }

    /// Throws an error if the engine cannot convert documents, or not for pages of a size.
    private func checkUse(on size: Size) throws(WorkError) {
        try Self.check(size)
        if processes.command.requiresLandlock, sandbox_landlock_rights(0).abi == 0 {
            throw WorkError(
                .sandboxIncomplete,
                "this kernel has no Landlock, so a document could read other files; boot a kernel with Landlock, "
                    + "or set worker.requireLandlock to false in printd.json5 and restart printd")
        }
        if let unavailability { throw unavailability }
    }

    /// Opens a document without reading its content.
    private static func open(_ document: InputDocument, _ limits: HTMLLimits) throws(WorkError) -> DocumentReader {
        let file = try DocumentReader(document)
        guard file.size <= limits.inputBytes else {
            throw WorkError(
                .documentTooLarge,
                "'\(document.name ?? document.path)' is larger than \(limits.inputBytes >> 20) MiB; "
                    + "print the document in parts")
        }
        return file
    }

    /// Creates the file for the output of the engine, in place of unfinished files of a killed process.
    static func newFile(_ path: String) throws(HTMLWorker.Failure) -> AtomicFile<HTMLWorker.Failure> {
        UnfinishedFiles.remove(of: [path])
        return try AtomicFile(path: path) {
            HTMLWorker.Failure(error: WorkError(.writeFailed, "cannot write '\(path)': \($0)"))
        }
    }
}

extension HTMLRequest.Kind {
    /// Determines the kind of content that a converter converts; nil if the converter does not use the HTML engine.
    fileprivate init?(_ converter: DocumentConverter) {
        switch converter {
        case .html: self = .html
        case .markdown: self = .markdown
        case .email: self = .mail
        case .book: self = .book
        case .sourceCode: self = .source
        case .pages, .text, .table, .image, .drawing, .preview, .office, .postScript, .program: return nil
        }
    }
}
