// What a worker says, read with suspicion: a document may have taken it over.

import FoundationEssentials
import PrintModel

/// A worker's standard output, byte by byte, made into what it means; no process, no task.
struct WorkerConversation {
    /// The longest line: page images of a hundred thousand pages fit.
    static let longestLine = 16 << 20
    /// The most lines; each page is worth one.
    static let mostLines = 200_000

    enum Event: Equatable {
        case progress(WorkProgress)
        /// The conversation is over.
        case ended
    }

    /// What holds the worker in, once it has said so; before that it has not opened a document.
    private(set) var protections: WorkerProtections?
    /// What it said last: the answer to the request.
    private(set) var answer: WorkerLine?
    /// What is the answer if it ends without giving one.
    private(set) var draft: PreparedDocument?
    /// What is wrong with what it said.
    private(set) var fault: String?

    private var partial: [UInt8] = []
    private var lineCount = 0

    /// Takes in what was read; says what came of it, in order.
    ///
    /// After `.ended` nothing more is heard.
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
        case .inspected, .prepared, .rendered, .rasterized, .failed: answer = message.tamed
        }
        return nil
    }
}

extension WorkerLine {
    /// Whether it is within what documents can be; a file name that leads elsewhere is not.
    var isPlausible: Bool {
        func areCounts(_ values: Int...) -> Bool { values.allSatisfy { 0...Int(Int32.max) ~= $0 } }
        switch self {
        case .locked, .failed: return true
        case .progress(let progress):
            return areCounts(progress.page, progress.total, progress.outcome?.bytes.map { min($0, 0) } ?? 0)
                && progress.outcome?.image?.isPlausible != false
        case .inspected(let summary): return areCounts(summary.pageCount)
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

    /// The most documents of a request; their pages can be added up.
    private static let mostDocuments = 100_000
}

extension PageImage {
    /// Whether it is within what page images can be, and its file in the folder of the request.
    fileprivate var isPlausible: Bool {
        [page, width, height].allSatisfy { 0...Int(Int32.max) ~= $0 } && !file.isEmpty && file != "." && file != ".."
            && !file.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }
}
