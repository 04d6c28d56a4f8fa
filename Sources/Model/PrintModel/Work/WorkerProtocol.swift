// Defines the messages between a process and its document worker: one line of JSON for each message.

/// The protections that confine a worker while the worker processes an untrusted document.
public struct WorkerProtections: Hashable, Sendable, Codable {
    /// Whether system calls are filtered (seccomp): the worker cannot use the network or start programs and processes.
    public var systemCalls: Bool
    /// The Landlock version that restricts the worker to the files of its request; 0 when the kernel has no Landlock.
    public var landlockVersion: Int

    /// Creates a description of the protections.
    public init(systemCalls: Bool, landlockVersion: Int) {
        self.systemCalls = systemCalls
        self.landlockVersion = landlockVersion
    }

    /// Whether file access is restricted to the files of the worker's request.
    public var files: Bool { landlockVersion > 0 }
}

/// A request to a worker: `{"op":"inspect","request":{…}}`.
///
/// Each worker receives only one request.
package enum WorkerRequest: Hashable, Sendable {
    /// A request to set up the sandbox, and to report the active protections.
    case probe
    /// A request to inspect a document.
    case inspect(InputDocument)
    /// A request to detect a document's type from the content, the name and the declared format of the document.
    case identify(InputDocument)
    /// A request to convert a document into a PDF.
    case convert(ConvertRequest)
    /// A request to lay out documents on the pages of one PDF.
    case prepare(PrepareRequest)
    /// A request to convert pages into pixels for a printer.
    case render(RenderRequest)
    /// A request to convert documents into page images.
    case rasterize(RasterizeRequest)
    /// A request to open documents, whose pages are then drawn on command.
    case view(ViewRequest)

    /// The files that the worker reads.
    package var inputs: [String] {
        switch self {
        case .probe: []
        case .inspect(let document), .identify(let document): [document.path]
        case .convert(let request): [request.document.path]
        case .prepare(let request): request.documents.map(\.path)
        case .render(let request): [request.document]
        case .rasterize(let request): ([request.document] + request.others).map(\.path)
        case .view(let request):
            inputFolders
                + request.documents.map(\.document.path).filter { Self.folder(of: $0) != request.folder }
        }
    }

    /// The folders whose documents the worker reads.
    package var inputFolders: [String] {
        if case .view(let request) = self { request.folder.map { [$0] } ?? [] } else { [] }
    }

    /// The folders that the worker writes to.
    package var outputFolders: [String] {
        switch self {
        case .probe, .inspect, .identify, .view: []
        case .convert(let request): [Self.folder(of: request.output)]
        case .prepare(let request): [Self.folder(of: request.output)]
        case .render(let request): [request.folder ?? Self.folder(of: request.document)]
        case .rasterize(let request):
            [request.outputFolder] + (request.sheets.map { [Self.folder(of: $0)] } ?? [])
        }
    }

    /// Returns the folder of a file.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// A line of a worker's response: `{"progress":{"page":2,"total":5}}`.
///
/// The response to `view` consists of `locked`, `opened`, and one line for each command. The response to `probe`
/// consists only of `locked`.
///
/// Any other response consists of `locked`, any number of `progress` lines, optionally `drafted`, and one line of
/// another type.
package enum WorkerLine: Hashable, Sendable {
    /// The active protections of the sandbox. The worker sends this line before the worker opens any document.
    case locked(WorkerProtections)
    /// The progress of the work, in pages.
    case progress(WorkProgress)
    /// The result of the request `inspect`.
    case inspected(DocumentSummary)
    /// The result of the request `identify`: the media type; nil if the media type is unknown.
    case identified(DocumentFormat?)
    /// The result of the request `convert`.
    case converted(ConvertedDocument)
    /// A preliminary result of the request `prepare`, sent before the worker has checked all pages.
    ///
    /// If the worker ends without a `prepared` line, the preliminary result is final.
    case drafted(PreparedDocument)
    /// The result of the request `prepare`.
    case prepared(PreparedDocument)
    /// The result of the request `render`.
    case rendered(RenderedDocument)
    /// The result of the request `rasterize`.
    case rasterized(RasterizedDocument)
    /// The result of the request `view`, sent before the first command.
    case opened(OpenedPages)
    /// The result of the command `draw` of a view.
    case drawn(DrawnTile)
    /// The result of the command `compare` of a view.
    case compared([PageDifference])
    /// The error that stopped the work.
    case failed(WorkError)
}

extension WorkerRequest: Codable {
    private enum Keys: String, CodingKey { case op, request }
    private enum Operation: String, Codable { case probe, inspect, identify, convert, prepare, render, rasterize, view }

    /// Decodes a request to a worker.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        switch try values.decode(Operation.self, forKey: .op) {
        case .probe: self = .probe
        case .inspect: self = .inspect(try values.decode(InputDocument.self, forKey: .request))
        case .identify: self = .identify(try values.decode(InputDocument.self, forKey: .request))
        case .convert: self = .convert(try values.decode(ConvertRequest.self, forKey: .request))
        case .prepare: self = .prepare(try values.decode(PrepareRequest.self, forKey: .request))
        case .render: self = .render(try values.decode(RenderRequest.self, forKey: .request))
        case .rasterize: self = .rasterize(try values.decode(RasterizeRequest.self, forKey: .request))
        case .view: self = .view(try values.decode(ViewRequest.self, forKey: .request))
        }
    }

    /// Encodes a request to a worker.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        switch self {
        case .probe:
            try values.encode(Operation.probe, forKey: .op)
        case .inspect(let document):
            try values.encode(Operation.inspect, forKey: .op)
            try values.encode(document, forKey: .request)
        case .identify(let document):
            try values.encode(Operation.identify, forKey: .op)
            try values.encode(document, forKey: .request)
        case .convert(let request):
            try values.encode(Operation.convert, forKey: .op)
            try values.encode(request, forKey: .request)
        case .prepare(let request):
            try values.encode(Operation.prepare, forKey: .op)
            try values.encode(request, forKey: .request)
        case .render(let request):
            try values.encode(Operation.render, forKey: .op)
            try values.encode(request, forKey: .request)
        case .rasterize(let request):
            try values.encode(Operation.rasterize, forKey: .op)
            try values.encode(request, forKey: .request)
        case .view(let request):
            try values.encode(Operation.view, forKey: .op)
            try values.encode(request, forKey: .request)
        }
    }
}

extension WorkerLine: Codable {
    private enum Keys: String, CodingKey {
        case locked, progress, inspected, identified, converted, drafted, prepared, rendered, rasterized, opened, drawn,
            compared, error
    }

    /// Decodes a line of a worker's response.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        switch values.allKeys.first {
        case .locked: self = .locked(try values.decode(WorkerProtections.self, forKey: .locked))
        case .progress: self = .progress(try values.decode(WorkProgress.self, forKey: .progress))
        case .inspected: self = .inspected(try values.decode(DocumentSummary.self, forKey: .inspected))
        case .identified:
            self = .identified(try values.decodeIfPresent(DocumentFormat.self, forKey: .identified))
        case .converted: self = .converted(try values.decode(ConvertedDocument.self, forKey: .converted))
        case .drafted: self = .drafted(try values.decode(PreparedDocument.self, forKey: .drafted))
        case .prepared: self = .prepared(try values.decode(PreparedDocument.self, forKey: .prepared))
        case .rendered: self = .rendered(try values.decode(RenderedDocument.self, forKey: .rendered))
        case .rasterized: self = .rasterized(try values.decode(RasterizedDocument.self, forKey: .rasterized))
        case .opened: self = .opened(try values.decode(OpenedPages.self, forKey: .opened))
        case .drawn: self = .drawn(try values.decode(DrawnTile.self, forKey: .drawn))
        case .compared: self = .compared(try values.decode([PageDifference].self, forKey: .compared))
        case .error: self = .failed(try values.decode(WorkError.self, forKey: .error))
        case nil:
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [], debugDescription: "unknown type of worker message"))
        }
    }

    /// Encodes a line of a worker's response.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        switch self {
        case .locked(let protections): try values.encode(protections, forKey: .locked)
        case .progress(let progress): try values.encode(progress, forKey: .progress)
        case .inspected(let summary): try values.encode(summary, forKey: .inspected)
        case .identified(let format): try values.encode(format, forKey: .identified)
        case .converted(let document): try values.encode(document, forKey: .converted)
        case .drafted(let document): try values.encode(document, forKey: .drafted)
        case .prepared(let document): try values.encode(document, forKey: .prepared)
        case .rendered(let document): try values.encode(document, forKey: .rendered)
        case .rasterized(let document): try values.encode(document, forKey: .rasterized)
        case .opened(let pages): try values.encode(pages, forKey: .opened)
        case .drawn(let tile): try values.encode(tile, forKey: .drawn)
        case .compared(let differences): try values.encode(differences, forKey: .compared)
        case .failed(let error): try values.encode(error, forKey: .error)
        }
    }
}
