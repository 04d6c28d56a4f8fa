import FoundationEssentials
import PrintGraphics
import PrintTestSupport
import Testing

/// Tests of layouts that tasks use on several threads while other tasks lay out text.
struct ThreadTests {
    /// The visible result of a layout.
    private struct Seen: Equatable {
        var page: [UInt8]
        var measures: [Double]
    }

    private static let room = Rect(x: 0, y: 0, width: 60, height: 30)

    /// Returns framesetters for words that are different for each task and each round, so that the word cache keeps
    /// growing.
    ///
    /// Plain text uses the word cache. Pango draws text with attributes and text in non-Latin scripts.
    private func framesetters(_ task: Int, _ round: Int) -> [Framesetter] {
        func words(_ count: Int) -> String { (0..<count).map { "w\(task)x\(round)y\($0)" }.joined(separator: " ") }
        var colored = AttributedString(words(6) + " שלום 日本語")
        colored.font = Font(family: "DejaVu Serif", size: 5 + Double(round % 3))
        colored.textColor = .purple
        return [
            Framesetter(
                words(150), font: Font(family: "DejaVu Sans", size: 6),
                style: ParagraphStyle(lineBreakMode: .byClipping)),
            Framesetter(words(6), font: Font(family: "DejaVu Sans Mono", size: 6)), Framesetter(colored),
        ]
    }

    /// Lays out, draws and measures text, with a pause at each point where a task might suspend.
    private func seen(
        _ task: Int, _ round: Int, pause: nonisolated(nonsending) () async -> Void
    ) async throws -> [Seen] {
        var seen: [Seen] = []
        for framesetter in framesetters(task, round) {
            var frame = framesetter.frame(in: Self.room)
            await pause()
            let page = try bitmap(Self.room.width, Self.room.height) { _ in frame.draw() }.pngData(compression: 1)
            await pause()
            frame = framesetter.frame(in: Self.room, startingAt: frame.visibleRange.upperBound / 2)
            await pause()
            let measures = frame.lines.flatMap { line in
                line.runs.map(\.width) + line.range.prefix(20).map { line.position(ofCharacterAt: $0) }
            }
            seen.append(Seen(page: Array(page), measures: measures))
            await pause()
        }
        return seen
    }

    @Test func `text can be laid out on one thread, and drawn and released on different threads`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            // There are more tasks than threads, so each thread always has another task to run.
            for task in 0..<32 {
                group.addTask {
                    for round in 0..<10 {
                        let alone = try await seen(task, round) {}
                        let among = try await seen(task, round) { await Task.yield() }
                        #expect(among == alone, "task \(task), round \(round)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
