// Parses the output of a worker. The output is untrusted, because a document may have compromised the worker.

import FoundationEssentials
import PrintModel

/// A parser that converts a worker's standard output to events.
///
/// The parser uses no processes and no tasks.
struct WorkerConversation {
    /// The maximum length of a line, which is enough for 100,000 page images.
    static let longestLine = 16 << 20
    /// The maximum number of lines.
    ///
    /// Each page needs one line.
    static let mostLines = 200_000

    /// The errors that a worker cannot report once its sandbox is active, because a document may have compromised the
    /// worker.
    private static let reserved: Set<WorkError.Code> = [.workerUnavailable, .sandboxIncomplete, .canceled]

    enum Event: Equatable {
        case progress(WorkProgress)
        /// The conversation has ended.
        case ended
    }

    /// The worker's sandbox protections.
    ///
    /// Nil until the worker reports the protections. The worker opens no document before this report.
    private(set) var protections: WorkerProtections?
    /// The final response to the request.
    private(set) var answer: WorkerLine?
    /// The result that is used if the worker ends without a response.
    private(set) var draft: PreparedDocument?
    /// The error in the worker's output.
    private(set) var fault: String?

    private var partial: [UInt8] = []
    private var lineCount = 0

    /// Reads output of the worker and returns the resulting events in order.
    ///
    /// After `.ended`, further output is ignored.
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
            fault = "'\(String(decoding: line.prefix(200), as: UTF8.self).tamed())'"
            return nil
        }
        switch message {
        case .locked(let protections): self.protections = protections
        case .progress:
            if case .progress(let progress) = message.tamed { return progress }
        case .drafted:
            if case .drafted(let document) = message.tamed { draft = document }
        case .failed(let error) where protections != nil && Self.reserved.contains(error.code):
            // Jobs with these errors are retried. A worker reports the errors only before it opens a document.
            fault = "the error '\(error.code.rawValue)' after the sandbox was active"
        case .inspected, .identified, .converted, .prepared, .rendered, .rasterized, .failed: answer = message.tamed
        }
        return nil
    }
}

extension WorkerLine {
    /// Whether the values are in the valid range and file names contain no path.
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
        }
    }

    /// The maximum number of documents in a request.
    ///
    /// The limit prevents an overflow of the page sum.
    private static let mostDocuments = 100_000
}

extension PageImage {
    /// Whether the values are in the valid range and the file is in the folder of the request.
    fileprivate var isPlausible: Bool {
        [page, width, height].allSatisfy { 0...Int(Int32.max) ~= $0 } && !file.isEmpty && file != "." && file != ".."
            && !file.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }
}
