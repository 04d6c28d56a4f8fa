// Parses the output of a worker. The output is untrusted, because a document may have compromised the worker.

import FoundationEssentials
import PrintModel
import ProcessPools

/// A parser that converts the standard output of a worker to events.
///
/// The parser uses no processes and no tasks.
struct WorkerConversation {
    /// The maximum length of a line in bytes, which is sufficient for 100,000 page images.
    static let longestLine = 16 << 20
    /// The maximum number of lines.
    ///
    /// Each page requires one line.
    static let mostLines = 200_000

    /// The error codes that the spooler rejects after the worker has entered the sandbox, because a document may have
    /// compromised the worker.
    private static let reserved: Set<WorkError.Code> = [.workerUnavailable, .sandboxIncomplete, .canceled]

    enum Event: Equatable {
        case progress(WorkProgress)
        /// The last event, after which the parser ignores all output of the worker.
        case ended
    }

    /// The worker's sandbox protections; nil until the worker reports the protections.
    ///
    /// The worker opens no document before this report.
    private(set) var protections: WorkerProtections?
    /// The final response to the request; nil until the worker sends this response.
    private(set) var answer: WorkerLine?
    /// The preliminary result, which is used if the worker ends without a final response; nil without a preliminary
    /// result.
    private(set) var draft: PreparedDocument?
    /// The reason why the worker's standard output is invalid; nil if the output is valid.
    private(set) var fault: String?

    private var partial: [UInt8] = []
    private var lineCount = 0

    /// Parses output of the worker, and returns the resulting events in order.
    ///
    /// The parser ignores output after `.ended`.
    mutating func receive(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        var rest = bytes[...]
        while answer == nil, fault == nil {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
                partial += rest
                if partial.count > Self.longestLine { fault = "a line of more than \(Self.longestLine) bytes" }
                break
            }
            let line = partial + rest[..<end]
            partial = []
            rest = rest[(end + 1)...]
            if let progress = receive(line: line) { events.append(.progress(progress)) }
        }
        if answer != nil || fault != nil { events.append(.ended) }
        return events
    }

    private mutating func receive(line: [UInt8]) -> WorkProgress? {
        lineCount += 1
        guard lineCount <= Self.mostLines else {
            fault = "more than \(Self.mostLines) lines"
            return nil
        }
        guard line.count <= Self.longestLine,
            let message = try? JSONDecoder().decode(WorkerLine.self, from: Data(line)), message.isPlausible
        else {
            fault = "'\(String(decoding: line.prefix(200), as: UTF8.self).sanitized())'"
            return nil
        }
        switch message {
        case .locked(let protections): self.protections = protections
        case .progress:
            if case .progress(let progress) = message.sanitized { return progress }
        case .drafted:
            if case .drafted(let document) = message.sanitized { draft = document }
        case .failed(let error) where protections != nil && Self.reserved.contains(error.code):
            // Jobs with these errors are retried. A worker reports the errors only before it opens a document.
            fault = "the error '\(error.code.rawValue)' after the sandbox was active"
        case .inspected, .identified, .converted, .prepared, .rendered, .rasterized, .opened, .drawn, .compared, .words,
            .failed:
            answer = message.sanitized
        }
        return nil
    }
}

extension WorkerLine {
    /// Whether the values of the response are in the valid range and file names contain no path.
    var isPlausible: Bool {
        func areCounts(_ values: Int...) -> Bool { values.allSatisfy { 0...Int(Int32.max) ~= $0 } }
        switch self {
        case .locked, .failed: return true
        case .progress(let progress):
            return areCounts(progress.page, progress.total, progress.outcome?.bytes.map { min($0, 0) } ?? 0)
                && progress.outcome?.image?.isPlausible != false
        case .inspected(let summary): return areCounts(summary.pageCount)
        case .identified(let format): return (format?.rawValue.utf8.count ?? 0) <= 255
        case .converted(let document): return areCounts(document.pageCount)
        case .drafted(let document), .prepared(let document):
            return areCounts(document.impressions, document.sheets, document.pages)
                && document.blankBacks.count <= document.sheets && document.blankBacks.allSatisfy { areCounts($0) }
        case .rendered(let document): return document.bytes >= 0
        case .rasterized(let document):
            return areCounts(document.impressions, document.sheets) && document.pages.allSatisfy(\.isPlausible)
                && document.documentPages.allSatisfy { areCounts($0) }
                && document.documentPages.count <= Self.mostDocuments
        case .opened(let pages):
            return pages.documentPages.allSatisfy { areCounts($0) }
                && pages.documentPages.count <= Self.mostDocuments
                && pages.documentPages.reduce(0, +) == pages.sizes.count
                && pages.sizes.allSatisfy { $0.width.isFinite && $0.height.isFinite && $0.width > 0 && $0.height > 0 }
        case .drawn(let tile): return !tile.png.isEmpty
        case .compared(let differences):
            return differences.count <= SideDifference.Cause.allCases.count
                && differences.allSatisfy { $0.areas.count <= 1000 && (0...1).contains($0.share) }
        case .words(let words):
            return words.count <= PageWord.most
                && words.allSatisfy { word in
                    [word.area.origin.x, word.area.origin.y, word.area.size.width, word.area.size.height].allSatisfy(
                        \.isFinite)
                }
        }
    }

    /// The maximum number of documents in a request.
    ///
    /// The limit prevents an overflow of the sum of page counts.
    private static let mostDocuments = 100_000
}

extension PageImage {
    /// Whether the numbers are in the valid range and the file name contains no path.
    fileprivate var isPlausible: Bool {
        [page, width, height].allSatisfy { 0...Int(Int32.max) ~= $0 } && !file.isEmpty && file != "." && file != ".."
            && !file.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }
}
