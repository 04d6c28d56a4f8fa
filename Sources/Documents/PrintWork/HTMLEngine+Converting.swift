// Converts documents into PDFs with the HTML engine.

import AsyncPrimitives
import CSandbox
import FoundationEssentials
import Glibc
public import PrintModel

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
        let input: HTMLInput
        let access: HTMLAccess
        do throws(WorkError) {
            try checkUse(on: request.layout.pageSize)
            access = HTMLAccess(
                user: try WorkerUser.find(processes.command.user), owner: request.origin?.owner ?? "")
            input = try Self.open(request.document, limits)
        } catch {
            throw HTMLWorker.Failure(error: error)
        }
        defer { if case .file(let descriptor, _) = input { close(descriptor) } }
        var order = HTMLRequest(kind, size: input.size, limits: limits)
        order.name = request.document.name ?? request.document.path.split(separator: "/").last.map(String.init)
        order.charset = request.layout.text.encoding
        order.layout = HTMLRequest.Layout(request.layout)
        let answer = try PartialFile.write(to: request.output) { (output) throws(HTMLWorker.Failure) in
            try self.answer(order, input, access, limits, output, cancellation).0
        }
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
    private static func open(_ document: InputDocument, _ limits: HTMLLimits) throws(WorkError) -> HTMLInput {
        let name = document.name ?? document.path
        // Does not block on a named pipe.
        let descriptor = Glibc.open(document.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw WorkError(.documentMissing, "cannot open '\(name)': \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw WorkError(.documentMissing, "cannot read '\(name)': not a regular file")
        }
        guard status.st_size <= limits.inputBytes else {
            close(descriptor)
            throw WorkError(
                .documentTooLarge,
                "'\(name)' is larger than \(limits.inputBytes >> 20) MiB; print the document in parts")
        }
        return .file(descriptor: descriptor, size: Int(status.st_size))
    }
}

extension HTMLRequest.Kind {
    /// Determines the kind of content that a converter converts; nil if the converter does not use the HTML engine.
    fileprivate init?(_ converter: DocumentConverter) {
        switch converter {
        case .html: self = .html
        case .markdown: self = .markdown
        case .email: self = .mail
        case .sourceCode: self = .source
        case .pages, .text, .table, .image, .drawing, .preview, .office, .postScript, .program: return nil
        }
    }
}

/// A namespace for functions that write a file under a temporary name.
///
/// The file gets its final name after the file is complete.
enum PartialFile {
    /// Writes a file through a temporary file in the same folder.
    ///
    /// The temporary file is renamed to the final path after `body` returns.
    static func write<Value>(
        to output: String, _ body: (Int32) throws(HTMLWorker.Failure) -> Value
    ) throws(HTMLWorker.Failure) -> Value {
        UnfinishedFiles.remove(of: [output])
        let partial = "\(output).\(UUID().uuidString).partial"
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failed(output, errno) }
        defer { unlink(partial) }
        let value: Value
        do throws(HTMLWorker.Failure) { value = try body(descriptor) } catch {
            close(descriptor)
            throw error
        }
        guard close(descriptor) == 0, rename(partial, output) == 0 else { throw failed(output, errno) }
        return value
    }

    /// Appends bytes to an open file.
    static func append(_ bytes: [UInt8], to descriptor: Int32) throws(HTMLWorker.Failure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress! + written, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw HTMLWorker.Failure(
                    error: WorkError(.writeFailed, "cannot write the PDF: \(String(cString: strerror(errno)))"))
            }
            written += count
        }
    }

    private static func failed(_ output: String, _ code: Int32) -> HTMLWorker.Failure {
        HTMLWorker.Failure(
            error: WorkError(.writeFailed, "cannot write '\(output)': \(String(cString: strerror(code)))"))
    }
}
