// Converts the documents of a job into PDFs before their pages are laid out.

import AsyncPrimitives
import DocumentFiles
public import HTMLLayout
public import PrintModel
public import ProcessPools
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
    /// The function `check` looks once for the files that all types of document need.
    public struct Engine: Sendable {
        /// A function that returns the reason why a converter cannot convert a type of document; nil if it can.
        public typealias Unavailability = (DocumentType) -> WorkError?

        let convert: @Sendable (ConvertRequest) async throws(WorkError) -> ConvertedDocument
        let check: @Sendable () -> Unavailability

        /// Creates an engine for a converter.
        ///
        /// - Parameters:
        ///   - check: A function that checks whether the converter is installed. The errors name the Debian package.
        ///   - convert: A function that converts a document.
        public init(
            check: @escaping @Sendable () -> Unavailability = { { _ in nil } },
            convert: @escaping @Sendable (ConvertRequest) async throws(WorkError) -> ConvertedDocument
        ) {
            self.convert = convert
            self.check = check
        }
    }

    /// The pool that identifies documents and lays out pages.
    public let pool: WorkerPool
    private let knownTypes: Mutex<KnownTypes>
    private var registry: DocumentTypes { knownTypes.withLock(\.registry) }
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
        pool: WorkerPool, registry: DocumentTypes = .builtIn, engines: [DocumentConverter.Engine: Engine] = [:],
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
            let checks = engines.mapValues { $0.check() }
            return PrintableTypes(registry: known.registry) { type in
                Self.unavailability(for: type, checks[type.converter.engine])
            }
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
    public func setRegistry(_ registry: DocumentTypes) {
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
        for type: DocumentType, _ unavailability: Engine.Unavailability?
    ) -> WorkError? {
        guard let unavailability else {
            return WorkError(
                .unsupportedFormat,
                "there is no converter for documents of type '\(type.name)' on this machine; save the document as PDF")
        }
        return unavailability(type)
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
        try await prepare(request, types: nil, progress: progress)
    }

    /// Converts and imposes documents as `prepare(_:progress:)` does.
    ///
    /// - Parameter types: The types of the documents; nil if the caller has not identified the documents.
    func prepare(
        _ request: PrepareRequest, types: [DocumentType]?, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        try await WorkTime.shared { () async throws(WorkError) in
            try await convertedAndPrepared(request, types, progress)
        }
    }

    private func convertedAndPrepared(
        _ request: PrepareRequest, _ types: [DocumentType]?, _ progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        var request = request
        // The time limit applies to each document.
        let others = max(0, request.documents.count - 1)
        WorkTime.current?.extend(by: Double(others * pool.limits.wallSeconds), for: "documents")
        var unapplied: [String] = []
        for (index, document) in request.documents.enumerated() {
            let type = try await typeToConvert(document, known: types?[index])
            unapplied +=
                request.conversion?.text.unappliedOfficeOptions(to: type, name: document.nameInMessages) ?? []
            guard let type else { continue }
            request.documents[index] = try await converted(document, of: type, number: index + 1, for: request)
        }
        var prepared = try await pool.prepare(request, progress: progress)
        prepared.notices += unapplied
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

    /// Returns the type of a document; nil if the type is unknown.
    ///
    /// If the first bytes and the name are not sufficient, a worker reads the document.
    ///
    /// - Parameter declared: The media type that a client has declared, for documents whose type neither the name nor
    ///   the first bytes show.
    /// - Throws: `WorkError` if the document cannot be read.
    public func identify(
        _ document: InputDocument, declared: DocumentFormat? = nil
    ) async throws(WorkError) -> DocumentType? {
        let registry = registry
        let head = try DocumentReader(document).bytes(count: 1024)
        // libqpdf repairs PDFs whose header is missing, and explains why a file is not a PDF.
        if document.format == .pdf, DocumentFormat.sniff(head) == nil { return registry.type(for: .pdf) }
        if let type = registry.evidentType(ofHead: head, name: registry.name(of: document), declared: document.format) {
            return type
        }
        var document = document
        document.format = document.format ?? declared
        return try await pool.identify(document).flatMap { registry.type(for: $0) }
    }

    /// Returns the type of a document; nil if the document already consists of pages.
    ///
    /// - Parameter known: The type, if the document has been identified.
    /// - Throws: `WorkError` with `unsupportedFormat` if the type is unknown.
    func typeToConvert(
        _ document: InputDocument, known: DocumentType? = nil
    ) async throws(WorkError) -> DocumentType? {
        var type = known
        if type == nil { type = try await identify(document) }
        guard let type else { throw .unknownType(document) }
        return type.converter == .pages ? nil : type
    }

    /// Returns the document if it already consists of pages, otherwise the converted document.
    ///
    /// - Parameters:
    ///   - type: The type, if the document has been identified.
    ///   - number: The position of the document in the request, from 1.
    ///   - request: The request with the layout and the output path. The converted document is stored in the folder of
    ///     the output.
    package func converted(
        _ document: InputDocument, of type: DocumentType? = nil, number: Int, for request: PrepareRequest
    ) async throws(WorkError) -> InputDocument {
        guard let type = try await typeToConvert(document, known: type) else { return document }
        var layout = (request.conversion ?? ConversionLayout(paper: request.imposition.paper))
            .oriented(request.imposition.orientation)
        if layout.title.isEmpty { layout.title = document.nameInMessages }
        let stored = StoredConversion(of: document, number: number, type: type, layout: layout, beside: request.output)
        var converted = InputDocument(path: stored.path, format: .pdf, name: document.nameInMessages)
        if let earlier = stored.result {
            converted.conversion = earlier
            return converted
        }
        let engine = engines[type.converter.engine]
        if let unavailability = Self.unavailability(for: type, engine?.check()) { throw unavailability }
        guard let engine else { return document }
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

}

/// The known document types of a pool; two values are equal if no change of the types is between them.
private struct KnownTypes: Hashable, Sendable {
    var registry: DocumentTypes
    /// The number of changes since the pool was created.
    var number = 0

    static func == (one: KnownTypes, other: KnownTypes) -> Bool { one.number == other.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
