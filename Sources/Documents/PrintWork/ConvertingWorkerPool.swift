// Converts the documents of a job into PDFs before their pages are laid out.

import AsyncPrimitives
import FoundationEssentials
import Glibc
public import PrintModel
import Synchronization

/// A document worker that accepts all printable document types.
///
/// A separate sandboxed process identifies each document, and converts a document that does not consist of pages into a
/// PDF. Then a `WorkerPool` lays out the pages. No document is parsed in the calling process.
///
///     let documents = ConvertingWorkerPool(pool: pool)
///     let prepared = try await documents.prepare(request) { _ in }
///
/// The pool stores a converted document in the folder of the output, and converts a document only once for the same
/// layout.
public final class ConvertingWorkerPool: DocumentWorking {
    /// A converter that runs in separate processes.
    ///
    /// The function `unavailability` returns the reason why the converter cannot convert a type of document.
    public struct Engine: Sendable {
        let convert: @Sendable (ConvertRequest) async throws(WorkError) -> ConvertedDocument
        let unavailability: @Sendable (DocumentType) -> WorkError?

        /// Creates an engine for a converter.
        ///
        /// - Parameters:
        ///   - unavailability: A function that checks whether the converter can convert a type of document. The function
        ///     returns nil if the converter accepts the type, otherwise an error that names the Debian package.
        ///   - convert: A function that converts a document.
        public init(
            unavailability: @escaping @Sendable (DocumentType) -> WorkError? = { _ in nil },
            convert: @escaping @Sendable (ConvertRequest) async throws(WorkError) -> ConvertedDocument
        ) {
            self.convert = convert
            self.unavailability = unavailability
        }
    }

    /// The pool that identifies documents and lays out pages.
    public let pool: WorkerPool
    private let knownTypes: Mutex<KnownTypes>
    private var registry: DocumentTypeRegistry { knownTypes.withLock(\.registry) }
    private let types: LookUpCache<KnownTypes, PrintableTypes>
    private let engines: [DocumentConverter.Engine: Engine]
    private let office: OfficePool?
    private let html: HTMLEngine?
    private let programs: ConverterPrograms?

    /// Creates a pool.
    ///
    /// - Parameters:
    ///   - pool: The pool for layout, identification and the converters of `print-worker`.
    ///   - registry: The known document types.
    ///   - engines: The converters in other processes. The pool refuses types whose engine is missing.
    ///   - office: The pool of Office converters, which runs and ends with this pool.
    ///   - html: The HTML engine, whose idle processes end with this pool.
    ///   - programs: The converters in separate programs, which run and end with this pool.
    ///   - now: A function that returns the current time.
    public init(
        pool: WorkerPool, registry: DocumentTypeRegistry = .builtIn, engines: [DocumentConverter.Engine: Engine] = [:],
        office: OfficePool? = nil, html: HTMLEngine? = nil, programs: ConverterPrograms? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.programs = programs
        self.html = html
        self.office = office
        self.pool = pool
        knownTypes = Mutex(KnownTypes(registry: registry))
        let engines = engines.merging([
            .worker: Engine { (request) async throws(WorkError) in try await pool.convert(request) }
        ]) { given, _ in given }
        self.engines = engines
        types = LookUpCache(lifetime: Self.typesLifetime, mostKnown: 1, mostThreads: 1, now: now) { known in
            PrintableTypes(registry: known.registry) { Self.unavailability(for: $0, engines) }
        }
    }

    /// Keeps idle processes ready for documents, until the task is canceled or `shutdown()` is called.
    ///
    /// The function returns after all processes have ended.
    public func run() async {
        async let converting: Void? = office?.run()
        async let executing: Void? = programs?.run()
        await pool.run()
        office?.shutdown()
        programs?.shutdown()
        _ = await (converting, executing)
    }

    /// Ends `run()`, and refuses new documents.
    public func shutdown() {
        office?.shutdown()
        programs?.shutdown()
        html?.coolDown()
        pool.shutdown()
    }

    /// Changes the resource limits for subsequent documents.
    ///
    /// Documents in progress keep their limits.
    public func setLimits(_ limits: WorkerLimits) {
        pool.setLimits(limits)
        office?.setLimits(.forOffice(limits))
        html?.setLimits(HTMLLimits(limits))
        programs?.setLimits(limits)
    }

    /// Changes the known document types for subsequent documents.
    public func setRegistry(_ registry: DocumentTypeRegistry) {
        knownTypes.withLock { $0 = KnownTypes(registry: registry, number: $0.number + 1) }
    }

    /// The time after which `printableTypes` detects that a converter was installed or removed.
    package static let typesLifetime = Duration.seconds(5)

    /// The document types that the installed converters can print.
    ///
    /// The files of the converters are checked at most every `typesLifetime`, and on another thread.
    public var printableTypes: PrintableTypes {
        get async { await types.answer(to: knownTypes.withLock { $0 }) }
    }

    private static func unavailability(
        for type: DocumentType, _ engines: [DocumentConverter.Engine: Engine]
    ) -> WorkError? {
        guard let engine = engines[type.converter.engine] else {
            return WorkError(
                .unsupportedFormat,
                "there is no converter for documents of type '\(type.name)' on this machine; save the document as PDF")
        }
        return engine.unavailability(type)
    }

    // MARK: - DocumentWorking

    /// Returns the format, page count and other properties of a PDF, JPEG or raster document.
    public func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        try await pool.inspect(document)
    }

    /// Converts documents, and imposes their pages on the sides of one PDF for a printer.
    public func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        try await WorkTime.shared { () async throws(WorkError) in
            try await convertedAndPrepared(request, progress)
        }
    }

    private func convertedAndPrepared(
        _ request: PrepareRequest, _ progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        var request = request
        // The time limit applies to each document.
        let others = max(0, request.documents.count - 1)
        WorkTime.current?.extend(by: Double(others * pool.limits.wallSeconds), for: "documents")
        for (index, document) in request.documents.enumerated() {
            request.documents[index] = try await converted(document, number: index + 1, for: request)
        }
        var prepared = try await pool.prepare(request, progress: progress)
        prepared.notes = request.documents.flatMap { $0.conversion?.notes ?? [] }
        return prepared
    }

    /// Renders pages of a prepared PDF for a printer that does not accept PDF.
    public func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument {
        try await pool.render(request, progress: progress)
    }

    /// Converts PDF, JPEG or raster documents to page images.
    public func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        try await pool.rasterize(request, progress: progress)
    }

    // MARK: - Conversion

    /// Returns the type of a document; nil if the document already consists of pages.
    ///
    /// - Throws: `WorkError` with `unsupportedFormat` if the type is unknown.
    public func typeToConvert(_ document: InputDocument) async throws(WorkError) -> DocumentType? {
        let head = DocumentHead.read(document.path)
        let sniffed = DocumentFormat.sniff(head)
        if let sniffed, registry.type(for: sniffed)?.converter == .pages { return nil }
        // libqpdf repairs PDFs whose header is missing, and explains why a file is not a PDF.
        if document.format == .pdf, sniffed == nil { return nil }
        let likely = registry.type(ofHead: head, name: document.name, declared: document.format)
        // Only the administrator's table knows registered types.
        if case .program = likely?.converter { return likely }
        // The worker would come to the same result, but its start takes longer than the preparation of a short document.
        if let sniffed, let type = registry.type(for: sniffed) { return type }
        if let evident = EvidentText.format(head, name: document.name), let type = registry.type(for: evident) {
            return type.converter == .pages ? nil : type
        }
        guard let format = try await pool.identify(document), let type = registry.type(for: format) else {
            throw WorkError(
                .unsupportedFormat,
                "\(Self.name(of: document)): unsupported file type; save the document as PDF; "
                    + "'printq types' lists the supported types")
        }
        return type.converter == .pages ? nil : type
    }

    /// Returns the document if it already consists of pages, otherwise the converted document.
    ///
    /// - Parameters:
    ///   - number: The position of the document in the request, from 1.
    ///   - request: The request with the layout and the output path. The converted document is stored in the folder of
    ///     the output.
    package func converted(
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
        if let unavailability = Self.unavailability(for: type, engines) { throw unavailability }
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

/// The known document types of a pool; two values are equal if no change of the types is between them.
private struct KnownTypes: Hashable, Sendable {
    var registry: DocumentTypeRegistry
    /// The number of changes since the pool was created.
    var number = 0

    static func == (one: KnownTypes, other: KnownTypes) -> Bool { one.number == other.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A detector of text files whose first bytes and name are sufficient to determine the type.
///
/// The detector recognizes plain text, tables, Markdown and e-mail. A worker must identify other files, UTF-16 text,
/// and text that begins with `<`. The result is the same as the result of `DocumentIdentification`.
enum EvidentText {
    /// Returns the format of a text file; nil if a worker must identify the document.
    ///
    /// - Parameter head: The first 1,024 bytes of the file.
    static func format(_ head: [UInt8], name: String?) -> DocumentFormat? {
        guard let name, let type = DocumentTypeRegistry.builtIn.type(forName: name),
            DocumentContent(head: head) == .text, DocumentContent.text.canBe(type)
        else { return nil }
        switch type.converter {
        case .text, .table, .markdown, .email: break
        case .pages, .image, .drawing, .preview, .html, .sourceCode, .office, .postScript, .program: return nil
        }
        // UTF-16 is decoded by the worker. Markup begins with an angle bracket after white space.
        guard !head.starts(with: [0xFF, 0xFE]), !head.starts(with: [0xFE, 0xFF]) else { return nil }
        let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
        let spaces: Set<UInt8> = [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20]
        guard let first = text.first(where: { !spaces.contains($0) }), first != UInt8(ascii: "<") else { return nil }
        return type.formats.first
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
