// Converts the documents of a job into PDFs before their pages are laid out.

import FoundationEssentials
import Glibc
public import PrintModel

/// A `DocumentWorking` that accepts documents of all printable types.
///
/// Each document that does not consist of pages is identified and converted in a separate sandboxed process. Then a
/// `WorkerPool` lays out the pages. No document is parsed in the calling process.
///
///     let documents = ConvertingWorkerPool(pool: pool)
///     let prepared = try await documents.prepare(request) { _ in }
///
/// A converted document is stored in the folder of the output, and is converted only once for the same layout.
public final class ConvertingWorkerPool: DocumentWorking {
    /// A converter in separate processes, with the reason why it cannot convert documents of a type.
    public struct Engine: Sendable {
        let convert: @Sendable (ConvertRequest) async throws(WorkError) -> ConvertedDocument
        let obstacle: @Sendable (DocumentType) -> WorkError?

        /// Creates an engine.
        ///
        /// - Parameters:
        ///   - obstacle: Returns nil if documents of a type can be converted, otherwise an error with the Debian package
        ///     to install.
        ///   - convert: Converts a document.
        public init(
            obstacle: @escaping @Sendable (DocumentType) -> WorkError? = { _ in nil },
            convert: @escaping @Sendable (ConvertRequest) async throws(WorkError) -> ConvertedDocument
        ) {
            self.convert = convert
            self.obstacle = obstacle
        }
    }

    /// The pool that lays out pages, and that identifies documents.
    public let pool: WorkerPool
    private let registry: DocumentTypeRegistry
    private let engines: [DocumentConverter.Engine: Engine]
    private let office: OfficePool?
    private let html: HTMLEngine?

    /// Creates a pool.
    ///
    /// - Parameters:
    ///   - pool: The pool for layout, identification and the converters of `print-worker`.
    ///   - registry: The known types.
    ///   - engines: The converters in other processes. Types whose engine is missing are refused.
    ///   - office: The pool of Office converters, which runs and ends with this pool.
    ///   - html: The HTML engine, whose waiting processes end with this pool.
    public init(
        pool: WorkerPool, registry: DocumentTypeRegistry = .builtIn, engines: [DocumentConverter.Engine: Engine] = [:],
        office: OfficePool? = nil, html: HTMLEngine? = nil
    ) {
        self.html = html
        self.office = office
        self.pool = pool
        self.registry = registry
        self.engines = engines.merging([
            .worker: Engine { (request) async throws(WorkError) in try await pool.convert(request) }
        ]) { given, _ in given }
    }

    /// Keeps processes waiting for documents until the task is canceled or `shutdown()` is called.
    ///
    /// All processes have ended when this function returns.
    public func run() async {
        async let converting: Void? = office?.run()
        await pool.run()
        office?.shutdown()
        _ = await converting
    }

    /// Ends `run()`, and refuses new documents.
    public func shutdown() {
        office?.shutdown()
        html?.coolDown()
        pool.shutdown()
    }

    /// The types that can be printed with the installed converters.
    public var printableTypes: PrintableTypes {
        PrintableTypes(registry: registry) { [engines] type in Self.obstacle(for: type, engines) }
    }

    private static func obstacle(
        for type: DocumentType, _ engines: [DocumentConverter.Engine: Engine]
    ) -> WorkError? {
        guard let engine = engines[type.converter.engine] else {
            return WorkError(
                .unsupportedFormat, "\(type.name): no converter on this machine; save the document as PDF")
        }
        return engine.obstacle(type)
    }

    // MARK: - DocumentWorking

    /// Returns the format, page count and other properties of a document of pages.
    public func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        try await pool.inspect(document)
    }

    /// Converts documents and imposes them into one PDF for a printer.
    public func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        var request = request
        for (index, document) in request.documents.enumerated() {
            request.documents[index] = try await converted(document, number: index + 1, for: request)
        }
        return try await pool.prepare(request, progress: progress)
    }

    /// Renders pages of a prepared PDF for a printer that does not accept PDF.
    public func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument {
        try await pool.render(request, progress: progress)
    }

    /// Converts a document of pages to page images.
    public func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        try await pool.rasterize(request, progress: progress)
    }

    // MARK: - Conversion

    /// Returns the type of a document; nil if it consists of pages.
    ///
    /// - Throws: `WorkError` with `unsupportedFormat` when the type is unknown.
    public func typeToConvert(_ document: InputDocument) async throws(WorkError) -> DocumentType? {
        let head = DocumentHead.read(document.path)
        let sniffed = DocumentFormat.sniff(head)
        if let sniffed, registry.type(for: sniffed)?.converter == .pages { return nil }
        // libqpdf repairs PDFs whose header is missing, and explains why a file is not a PDF.
        if document.format == .pdf, sniffed == nil { return nil }
        let likely = registry.type(ofHead: head, name: document.name, declared: document.format)
        // Only the administrator's table knows registered types.
        if case .program = likely?.converter { return likely }
        guard let format = try await pool.identify(document), let type = registry.type(for: format) else {
            throw WorkError(
                .unsupportedFormat,
                "\(Self.name(of: document)): unsupported file type; save the document as PDF; "
                    + "'printq types' lists the supported types")
        }
        return type.converter == .pages ? nil : type
    }

    /// Returns the document if it consists of pages, otherwise its conversion.
    private func converted(
        _ document: InputDocument, number: Int, for request: PrepareRequest
    ) async throws(WorkError) -> InputDocument {
        guard let type = try await typeToConvert(document) else { return document }
        var layout = (request.conversion ?? ConversionLayout(paper: request.imposition.paper))
            .oriented(request.imposition.orientation)
        if layout.title.isEmpty { layout.title = Self.name(of: document) }
        let stored = StoredConversion(of: document, number: number, type: type, layout: layout, beside: request.output)
        var converted = InputDocument(path: stored.path, format: .pdf, name: Self.name(of: document))
        if let earlier = stored.result {
            converted.conversion = earlier
            return converted
        }
        if let obstacle = Self.obstacle(for: type, engines) { throw obstacle }
        guard let engine = engines[type.converter.engine] else { return document }
        var conversion = ConvertRequest(document: document, type: type, layout: layout, output: stored.path)
        conversion.origin = request.origin
        let result: ConvertedDocument
        do throws(WorkError) {
            result = try await engine.convert(conversion)
        } catch {
            // Long source code is printed without colors, because the HTML engine would need minutes.
            guard error.code == .tooLong, let plain = engines[.worker], let text = registry.type(for: .text) else {
                throw error
            }
            conversion.type = text
            result = try await plain.convert(conversion)
        }
        stored.store(result)
        converted.conversion = result
        return converted
    }

    private static func name(of document: InputDocument) -> String {
        if let name = document.name, !name.isEmpty { return name }
        return document.path.split(separator: "/").last.map(String.init) ?? document.path
    }
}

/// The first bytes of a document.
enum DocumentHead {
    /// Returns the first 1,024 bytes of a file; an empty array if the file cannot be read or is not a regular file.
    static func read(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
        var head = [UInt8](repeating: 0, count: 1024)
        let count = Glibc.read(file, &head, head.count)
        return Array(head.prefix(max(count, 0)))
    }
}
