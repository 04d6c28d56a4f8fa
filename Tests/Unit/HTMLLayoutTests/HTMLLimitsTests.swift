import Dispatch
import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import Testing

@testable import HTMLLayout
@testable import ProcessPools

struct HTMLLimitsTests {
    let room = Size(width: 400, height: 400)

    private func failure(_ html: String, _ limits: HTMLLimits) -> WorkError? {
        #expect(throws: WorkError.self) { try testEngine.layOut(html, pageSize: room, limits: limits) }
    }

    /// Expects that the next document is laid out normally.
    private func expectRecovery() throws {
        #expect(try testEngine.layOut("x", pageSize: room).pageCount == 1)
    }

    @Test func `the HTML layout stops when the document has too many pages`() throws {
        let error = failure(String(repeating: "<p style='break-after: page'>x", count: 50), HTMLLimits(pages: 20))
        #expect(error?.code == .outputTooLarge)
        #expect(
            error?.message == "the HTML has more than 20 pages; print the document in parts, or raise the page limit")
        try expectRecovery()
    }

    @Test func `the error is '.outputTooLarge' if the PDF of an HTML document exceeds the size limit`() throws {
        let error = failure(String(repeating: "<p>words and more words", count: 500), HTMLLimits(outputBytes: 2000))
        #expect(error?.code == .outputTooLarge)
        try expectRecovery()
    }

    @Test func `HTML is refused before the layout if it exceeds the input size limit`() throws {
        #expect(failure(String(repeating: "x", count: 2000), HTMLLimits(inputBytes: 1000))?.code == .outputTooLarge)
    }

    @Test(arguments: [
        // Each entity refers to the previous entity ten times.
        "<svg><g id=a0><rect width=1 height=1 /></g>"
            + (1...11).map { n in "<g id=a\(n)>\(String(repeating: "<use href='#a\(n - 1)'/>", count: 10))</g>" }
            .joined()
            + "<use href='#a11'/></svg>",
        "<table><tr>" + String(repeating: "<td>x", count: 50000),
    ])
    func `an endless HTML layout is stopped at the CPU time limit`(html: String) throws {
        let error = failure(html, HTMLLimits(processorSeconds: 2))
        #expect(error?.code == .processorTimeExceeded)
        #expect(error?.message.contains("more than 2 s of CPU time") == true)
        try expectRecovery()
    }

    @Test(arguments: [
        // Each variable contains the previous variable ten times.
        "<style>:root { --a0: xxxxxxxxxx;"
            + (1...12).map { n in "--a\(n): \(String(repeating: "var(--a\(n - 1)) ", count: 10));" }.joined()
            + "} p::before { content: var(--a12) }</style><p>x",
        "<table><tr><td rowspan=1000000000 colspan=1000000000>x",
        "<div style='height: 100px; background: repeating-linear-gradient(red 0, blue 1e-9px)'>x",
    ])
    func `HTML is stopped at the memory limit or the CPU time limit if it expands exponentially`(html: String) throws {
        let error = failure(html, HTMLLimits(memoryBytes: 700 << 20, processorSeconds: 30))
        #expect(error.map { [.memoryExceeded, .processorTimeExceeded].contains($0.code) } == true)
        try expectRecovery()
    }

    @Test func `images with too many pixels, and SVG images with exponential entity expansion, are omitted`()
        async throws
    {
        // The header of a PNG with 60,000 by 60,000 pixels, without pixel data.
        let header = "iVBORw0KGgoAAAANSUhEUgAA6mAAAOpgCAIAAAAPsOIV"
        let entities =
            "<!DOCTYPE s [<!ENTITY a 'xxxxxxxxxx'>"
            + (0..<9).map { n in
                "<!ENTITY \(Character(UnicodeScalar(98 + n)!)) '"
                    + String(repeating: "&\(Character(UnicodeScalar(97 + n)!));", count: 10) + "'>"
            }.joined() + "]><svg xmlns='http://www.w3.org/2000/svg'><text>&j;</text></svg>"
        let svg = Data(entities.utf8).base64EncodedString()
        let pages = try await testEngine.layOut(
            "<p>kept<img src='data:image/png;base64,\(header)'><img src='data:image/svg+xml;base64,\(svg)'>",
            pageSize: room)
        #expect(pages.notes == ["Failed to load image at 'data:…'"])
        #expect(try await pages.words() == [["kept"]])
    }

    @Test func `if HTML contains numbers out of range, the layout fails with a message`() throws {
        let error = failure("<p style='font-size: 1e30px'>x", HTMLLimits())
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("style sheets") == true)
        try expectRecovery()
    }

    @Test func `if an HTML layout exceeds the wall-clock limit, the layout is stopped, and its process ends`() throws {
        let error = failure(String(repeating: "<p>word", count: 100_000), HTMLLimits(wallSeconds: 0.05))
        #expect(error?.code == .timeExceeded)
        try expectRecovery()
    }

    @Test(arguments: ["<div>", "<table><tr><td>", "<svg><g>", "<ul><li>"])
    func `HTML with too many unclosed elements is rejected during parsing`(tags: String) throws {
        // Parsing the whole document, or laying out a tenth of the document, would take minutes of processor time.
        let error = failure(String(repeating: tags, count: 100_000) + "x", HTMLLimits(processorSeconds: 20))
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("nested too deeply") == true)
        try expectRecovery()
    }

    @Test func `HTML with hundreds of nested elements is accepted`() async throws {
        let pages = try await testEngine.layOut(String(repeating: "<div>", count: 400) + "deep", pageSize: room)
        #expect(try await pages.words() == [["deep"]])
    }

    @Test func `several threads can lay out different HTML documents at the same time`() async throws {
        let engine = HTMLEngine(concurrent: 2, warm: 2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    let pages = try await withCheckedThrowingContinuation { continuation in
                        DispatchQueue.global().async {
                            continuation.resume(
                                with: Result {
                                    try engine.layOut("<p>document \(number)", pageSize: Size(width: 300, height: 99))
                                })
                        }
                    }
                    #expect(try await pages.words() == [["document", "\(number)"]])
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `one HTML layout process handles many documents, and a killed layout process is replaced`() throws {
        // A unique program name lets the test find the processes of the program.
        let folder = try TemporaryFolder()
        let name = folder.path("engine")
        symlink(try #require(testEngine.installation), name)
        let engine = HTMLEngine(folder: name, concurrent: 1, warm: 1)
        _ = try engine.layOut("x", pageSize: room)
        let workers = Self.processes(naming: name)
        #expect(workers.count == 1)
        for _ in 0..<5 { _ = try engine.layOut("x", pageSize: room) }
        #expect(Self.processes(naming: name) == workers)

        for worker in workers { kill(worker, SIGKILL) }
        #expect(try engine.layOut("x", pageSize: room).pageCount == 1)
        engine.coolDown()
        #expect(Self.processes(naming: name) == [])
    }

    @Test func `the error for a missing HTML engine explains how to install the engine`() throws {
        let error = #expect(throws: WorkError.self) {
            try HTMLEngine(folder: "/nowhere").layOut("x", pageSize: room)
        }
        #expect(error?.code == .workerUnavailable)
        #expect(error?.message.contains("scripts/setup") == true)
    }

    private static func processes(naming path: String) -> [pid_t] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
            .filter { process in
                let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
                return String(decoding: line, as: UTF8.self).contains(path)
            }
    }

    @Test func `many documents at once are laid out by as few processes as may work at once`() async throws {
        let engine = HTMLEngine(concurrent: 2)
        let documents = 24
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<documents {
                group.addTask { _ = try await engine.layOut("<p>\(number)", pageSize: room) }
            }
            try await group.waitForAll()
        }
        let workers = engine.processes.state.withLock { $0.waiting.map(\.process) }
        // Each of the processes that remain is idle, and none has ended.
        #expect(workers.count == 2)
        #expect(workers.reduce(0) { $0 + $1.served } == documents)
        engine.coolDown()
    }

    @Test(.timeLimit(.minutes(1)), arguments: 1...2)
    func `the HTML engine converts as many large documents concurrently as its settings allow`(concurrent: Int)
        async throws
    {
        let conversions = HTMLEngine(concurrent: concurrent).processes.queue
        for _ in 1...concurrent { _ = try await conversions.enter(from: nil, isSmall: false) }
        // A small document does not wait for large documents.
        _ = try await conversions.enter(from: nil, isSmall: true)
    }
}
