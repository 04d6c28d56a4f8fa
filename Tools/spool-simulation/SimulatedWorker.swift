// What prepares documents in a world.

import PrintModel

/// What prepares documents in a world: it reads the files, checks them to the last byte, and writes what it was asked for.
///
/// A real worker is a process of its own with a disk that may be full; what it writes is whole or not there, and not
/// forced onto the disk.
struct SimulatedWorker: DocumentWorking {
    let world: World
    let process: SpoolerProcess

    func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        DocumentSummary(format: .pdf, pageCount: 1)
    }

    func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        let dice = world.dice
        await world.loop.pause(dice.seconds(0.001...(dice.chance(0.1) ? 60 : 0.5)))
        guard process.isAlive, !Task.isCancelled else { throw WorkError(.canceled, "canceled") }
        if dice.chance(world.workerTrouble) {
            world.note(.workerTrouble)
            guard dice.chance(0.3) else { throw WorkError(.workerUnavailable, "no worker can be started") }
            world.ledger.blame(.worker, jobFolder: request.output)
            throw WorkError(.damaged, "the document is damaged")
        }
        var marks: [String] = []
        for document in request.documents {
            guard let bytes = world.disk.read(document.path) else {
                throw WorkError(.documentMissing, "'\(document.path)' cannot be read")
            }
            guard let mark = DocumentText.mark(of: bytes) else {
                world.violate("a torn document was to be prepared: \(document.path)")
                throw WorkError(.damaged, "torn")
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
        world.note(.prepared, request.output)
        let count = prepared.sides.count
        return PreparedDocument(impressions: count, sheets: count, pages: count)
    }

    func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument { throw WorkError(.canceled, "the printers here take PDF") }

    func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        RasterizedDocument(pages: [], impressions: 0, sheets: 0)
    }
}

/// What a worker makes of documents: their marks, and from which side on they are to be printed.
struct PreparedText {
    let marks: String
    /// The sides to print; a job has one to three.
    let sides: ClosedRange<Int>

    /// The documents of those marks without so many sides at the start.
    init(marks: String, before: Int) {
        self.marks = marks
        let last = Self.sideCount(of: marks)
        sides = min(before + 1, last)...last
    }

    /// What a file holds.
    init(_ text: String) {
        let parts = text.split(separator: "@", maxSplits: 1)
        self.init(marks: parts.last.map(String.init) ?? "", before: parts.first.flatMap { Int($0) } ?? 0)
    }

    var text: String { "\(sides.lowerBound - 1)@\(marks)" }

    /// How many sides documents of those marks have.
    static func sideCount(of marks: String) -> Int { 1 + marks.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 3 } }
}

/// What is in the documents of a world: a mark that tells whose they are, and padding that tells whether they are whole.
enum DocumentText {
    /// A document of that mark, of so many bytes or a little more.
    static func bytes(mark: String, count: Int) -> [UInt8] {
        let padding = max(0, count - mark.utf8.count)
        return Array("\(mark)|\(padding)|".utf8) + [UInt8](repeating: 0x78, count: padding)
    }

    /// The mark of a whole document; nil when it is torn.
    static func mark(of bytes: [UInt8]) -> String? {
        let parts = bytes.prefix(100).split(
            separator: UInt8(ascii: "|"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let padding = Int(String(decoding: parts[1], as: UTF8.self)),
            bytes.count == parts[0].count + parts[1].count + 2 + padding, bytes.last != 0
        else { return nil }
        return String(decoding: parts[0], as: UTF8.self)
    }
}
