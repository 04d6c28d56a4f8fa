// Simulates the document worker.

import PrintModel

/// A simulated worker, which reads the documents, checks all bytes, and writes the prepared document.
///
/// A real worker is a separate process whose disk may be full. Its output file is complete or missing, and is not
/// fsynced.
struct SimulatedWorker: DocumentWorking {
    let simulation: Simulation
    let process: SpoolerProcess

    func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        DocumentSummary(format: .pdf, pageCount: 1)
    }

    func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        let dice = simulation.dice
        await simulation.loop.pause(dice.seconds(0.001...(dice.chance(0.1) ? 60 : 0.5)))
        guard process.isAlive, !Task.isCancelled else { throw WorkError(.canceled, "canceled") }
        if dice.chance(simulation.workerTrouble) {
            simulation.note(.workerTrouble)
            guard dice.chance(0.3) else { throw WorkError(.workerUnavailable, "no worker can be started") }
            simulation.ledger.blame(.worker, jobFolder: request.output)
            throw WorkError(.damaged, "the document is damaged")
        }
        var marks: [String] = []
        for document in request.documents {
            guard let bytes = process.host.disk.read(document.path) else {
                throw WorkError(.documentMissing, "'\(document.path)' cannot be read")
            }
            guard let mark = DocumentText.mark(of: bytes) else {
                simulation.violate("an incomplete document was prepared: \(document.path)")
                throw WorkError(.damaged, "the document is incomplete")
            }
            marks.append(mark)
        }
        let before = request.imposition.resumePoint.impressionsBefore
        let prepared = PreparedText(marks: marks.joined(separator: " "), before: before)
        do {
            try process.write(prepared.text, to: request.output)
        } catch {
            throw WorkError(.writeFailed, "\(error)")
        }
        simulation.note(.prepared, request.output)
        let count = prepared.sides.count
        return PreparedDocument(impressions: count, sheets: count, pages: count)
    }

    func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument { throw WorkError(.canceled, "the simulated printers accept PDF") }

    func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        RasterizedDocument(pages: [], impressions: 0, sheets: 0)
    }
}

/// The prepared form of documents: their marks, and the sides to print.
struct PreparedText {
    let marks: String
    /// The sides to print; a job has one to three sides.
    let sides: ClosedRange<Int>

    /// Creates the prepared form of documents, without the first `before` sides.
    init(marks: String, before: Int) {
        self.marks = marks
        let last = Self.sideCount(of: marks)
        sides = min(before + 1, last)...last
    }

    /// Parses the content of a prepared file.
    init(_ text: String) {
        let parts = text.split(separator: "@", maxSplits: 1)
        self.init(marks: parts.last.map(String.init) ?? "", before: parts.first.flatMap { Int($0) } ?? 0)
    }

    var text: String { "\(sides.lowerBound - 1)@\(marks)" }

    /// Returns the number of sides of documents with these marks.
    static func sideCount(of marks: String) -> Int { 1 + marks.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 3 } }
}

/// The content of simulated documents: a mark that identifies the order, and padding that shows whether the document is
/// complete.
enum DocumentText {
    /// Returns a document with a mark, of at least `count` bytes.
    static func bytes(mark: String, count: Int) -> [UInt8] {
        let padding = max(0, count - mark.utf8.count)
        return Array("\(mark)|\(padding)|".utf8) + [UInt8](repeating: 0x78, count: padding)
    }

    /// Returns the mark of a complete document; nil if the document is incomplete.
    static func mark(of bytes: [UInt8]) -> String? {
        let parts = bytes.prefix(100).split(
            separator: UInt8(ascii: "|"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let padding = Int(String(decoding: parts[1], as: UTF8.self)),
            bytes.count == parts[0].count + parts[1].count + 2 + padding, bytes.last != 0
        else { return nil }
        return String(decoding: parts[0], as: UTF8.self)
    }
}
