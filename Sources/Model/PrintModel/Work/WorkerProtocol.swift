// Defines the messages between a process and its document worker: one line of JSON for each message.

/// The protections that confine a worker while the worker processes an untrusted document.
public struct WorkerProtections: Hashable, Sendable, Codable {
    /// Whether system calls are filtered (seccomp): the worker cannot use the network or start programs and processes.
    package var systemCalls: Bool
    /// The Landlock version that restricts the worker to the files of its request; 0 when the kernel has no Landlock.
    package var landlockVersion: Int

    package init(systemCalls: Bool, landlockVersion: Int) {
        self.systemCalls = systemCalls
        self.landlockVersion = landlockVersion
    }

    /// Whether file access is restricted to the files of the worker's request.
    package var files: Bool { landlockVersion > 0 }
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
    case inspected(DocumentSummary)
    /// The result of the request `identify`: the media type; nil if the media type is unknown.
    case identified(DocumentFormat?)
    case converted(ConvertedDocument)
    /// A preliminary result of the request `prepare`, sent before the worker has checked all pages.
    ///
    /// If the worker ends without a `prepared` line, the preliminary result is final.
    case drafted(PreparedDocument)
    case prepared(PreparedDocument)
    /// The result of the request `render`.
    case rendered(RenderedDocument)
    case rasterized(RasterizedDocument)
    /// The result of the request `view`, sent before the first command.
    case opened(OpenedPages)
    /// The result of the command `draw` of a view.
    case drawn(DrawnTile)
    /// The result of the command `compare` of a view.
    case compared([SideDifference])
    /// The result of the command `words` of a view; empty for a page without text.
    case words([PageWord])
    case failed(WorkError)
}

extension WorkerLine: Codable {
    private enum Keys: String, CodingKey {
        case locked, progress, inspected, identified, converted, drafted, prepared, rendered, rasterized, opened, drawn,
            compared, words, error
    }

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
        case .compared: self = .compared(try values.decode([SideDifference].self, forKey: .compared))
        case .words: self = .words(try values.decode([PageWord].self, forKey: .words))
        case .error: self = .failed(try values.decode(WorkError.self, forKey: .error))
        case nil:
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [], debugDescription: "unknown type of worker message"))
        }
    }

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
        case .words(let words): try values.encode(words, forKey: .words)
        case .failed(let error): try values.encode(error, forKey: .error)
        }
    }
}
