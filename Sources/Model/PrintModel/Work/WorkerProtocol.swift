// What is said between the process that wants work done and the worker that does it: JSON, a line a message.

/// What holds a worker in while it works on a document from anywhere.
public struct WorkerProtections: Hashable, Sendable, Codable {
    /// Whether its system calls are filtered (seccomp): no network, no other program, no other process.
    public var systemCalls: Bool
    /// The version of Landlock that keeps it to its own files; 0 when the kernel has none.
    public var landlockVersion: Int

    /// Protections.
    public init(systemCalls: Bool, landlockVersion: Int) {
        self.systemCalls = systemCalls
        self.landlockVersion = landlockVersion
    }

    /// Whether it is kept to its own files.
    public var files: Bool { landlockVersion > 0 }
}

/// The one request that a worker is sent: `{"op":"inspect","request":{…}}`.
package enum WorkerRequest: Hashable, Sendable {
    /// Lock yourself in and say what holds.
    case probe
    /// Say what the document is.
    case inspect(InputDocument)
    /// Make one PDF.
    case prepare(PrepareRequest)
    /// Make pixels for a printer.
    case render(RenderRequest)
    /// Make page images.
    case rasterize(RasterizeRequest)

    /// The files it reads.
    package var inputs: [String] {
        switch self {
        case .probe: []
        case .inspect(let document): [document.path]
        case .prepare(let request): request.documents.map(\.path)
        case .render(let request): [request.document]
        case .rasterize(let request): ([request.document] + request.others).map(\.path)
        }
    }

    /// The folders it writes to.
    package var outputFolders: [String] {
        switch self {
        case .probe, .inspect: []
        case .prepare(let request): [Self.folder(of: request.output)]
        case .render(let request): [Self.folder(of: request.document)]
        case .rasterize(let request):
            [request.outputFolder] + (request.sheets.map { [Self.folder(of: $0)] } ?? [])
        }
    }

    /// The folder of a file.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// One of the lines that a worker answers with: `{"progress":{"page":2,"total":5}}`.
///
/// First `locked`, then any number of `progress`, perhaps `drafted`, then one of the others; a probe ends with `locked`.
package enum WorkerLine: Hashable, Sendable {
    /// It has locked itself in and now opens the documents.
    case locked(WorkerProtections)
    /// It has come this far.
    case progress(WorkProgress)
    /// What the document is.
    case inspected(DocumentSummary)
    /// What the PDF is while its pages are still being reviewed: the answer, if the worker ends before it gives another.
    case drafted(PreparedDocument)
    /// What the PDF is.
    case prepared(PreparedDocument)
    /// What the pixels for the printer are.
    case rendered(RenderedDocument)
    /// What the page images are.
    case rasterized(RasterizedDocument)
    /// Why it could not be done.
    case failed(WorkError)
}

extension WorkerRequest: Codable {
    private enum Keys: String, CodingKey { case op, request }
    private enum Operation: String, Codable { case probe, inspect, prepare, render, rasterize }

    /// Reads a request.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        switch try values.decode(Operation.self, forKey: .op) {
        case .probe: self = .probe
        case .inspect: self = .inspect(try values.decode(InputDocument.self, forKey: .request))
        case .prepare: self = .prepare(try values.decode(PrepareRequest.self, forKey: .request))
        case .render: self = .render(try values.decode(RenderRequest.self, forKey: .request))
        case .rasterize: self = .rasterize(try values.decode(RasterizeRequest.self, forKey: .request))
        }
    }

    /// Writes a request.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        switch self {
        case .probe:
            try values.encode(Operation.probe, forKey: .op)
        case .inspect(let document):
            try values.encode(Operation.inspect, forKey: .op)
            try values.encode(document, forKey: .request)
        case .prepare(let request):
            try values.encode(Operation.prepare, forKey: .op)
            try values.encode(request, forKey: .request)
        case .render(let request):
            try values.encode(Operation.render, forKey: .op)
            try values.encode(request, forKey: .request)
        case .rasterize(let request):
            try values.encode(Operation.rasterize, forKey: .op)
            try values.encode(request, forKey: .request)
        }
    }
}

extension WorkerLine: Codable {
    private enum Keys: String, CodingKey {
        case locked, progress, inspected, drafted, prepared, rendered, rasterized, error
    }

    /// Reads a line.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        switch values.allKeys.first {
        case .locked: self = .locked(try values.decode(WorkerProtections.self, forKey: .locked))
        case .progress: self = .progress(try values.decode(WorkProgress.self, forKey: .progress))
        case .inspected: self = .inspected(try values.decode(DocumentSummary.self, forKey: .inspected))
        case .drafted: self = .drafted(try values.decode(PreparedDocument.self, forKey: .drafted))
        case .prepared: self = .prepared(try values.decode(PreparedDocument.self, forKey: .prepared))
        case .rendered: self = .rendered(try values.decode(RenderedDocument.self, forKey: .rendered))
        case .rasterized: self = .rasterized(try values.decode(RasterizedDocument.self, forKey: .rasterized))
        case .error: self = .failed(try values.decode(WorkError.self, forKey: .error))
        case nil:
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [], debugDescription: "a line of a kind that no worker writes"))
        }
    }

    /// Writes a line.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        switch self {
        case .locked(let protections): try values.encode(protections, forKey: .locked)
        case .progress(let progress): try values.encode(progress, forKey: .progress)
        case .inspected(let summary): try values.encode(summary, forKey: .inspected)
        case .drafted(let document): try values.encode(document, forKey: .drafted)
        case .prepared(let document): try values.encode(document, forKey: .prepared)
        case .rendered(let document): try values.encode(document, forKey: .rendered)
        case .rasterized(let document): try values.encode(document, forKey: .rasterized)
        case .failed(let error): try values.encode(error, forKey: .error)
        }
    }
}
