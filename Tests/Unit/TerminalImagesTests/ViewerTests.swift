import FoundationEssentials
import Glibc
import PageComparison
import PrintTestSupport
import Testing

@testable import TerminalImages

/// Tests of the viewer on a pseudo-terminal.
///
/// Only one raw terminal can exist, so the tests run one after another.
@Suite(.serialized) struct ViewerTests {
    private let pty: PseudoTerminal
    private let folder: TemporaryFolder

    init() throws {
        pty = try PseudoTerminal(columns: 80)
        folder = try TemporaryFolder()
    }

    private func page(_ name: String, _ color: [UInt8]) throws -> String {
        let path = folder.path(name)
        let image = PagePixels(width: 4, height: 4, bytes: (0..<16).flatMap { _ in color })
        try Data(image.png).write(to: URL(filePath: path))
        return path
    }

    @Test func `keys turn the pages of the page viewer, and the screen and the terminal mode are restored at the end`()
        async throws
    {
        var browser = PageBrowser(names: ["a.pdf"])
        browser.describe(0, as: "PDF document", sides: 2, images: 2)
        browser.add(try page("1.png", [255, 0, 0]), side: 1, of: 0)
        browser.add(try page("2.png", [0, 0, 255]), side: 2, of: 0)
        let before = pty.attributes
        let (shownFirst, path) = (browser, pty.path)
        async let end = shown(shownFirst, at: path)
        let first = try await pty.read(until: "q quit")
        #expect(first.contains("\u{1B}[?1049h") && first.contains("a.pdf: PDF document"))
        #expect(first.contains("38;2;255;0;0m"))
        pty.write("n")
        #expect(try await pty.read(until: "side 2 of 2").contains("38;2;0;0;255m"))
        pty.write("\u{3}")
        _ = try await pty.read(until: "\u{1B}[?25h\u{1B}[?1049l")
        let signal = try await end
        #expect(signal == nil)
        #expect(pty.attributes.c_lflag == before.c_lflag)
    }

    @Test func `the image protocols in a terminal's response are recognized`() async throws {
        let path = pty.path
        async let reply = asked(at: path)
        _ = try await pty.read(until: "\u{1B}[c")
        pty.write("\u{1B}_Gi=31;OK\u{1B}\\")
        pty.write("\u{1B}[?62;4c")
        let answer = try await reply
        #expect(answer.supportsKitty && answer.supportsSixel)
    }

    @Test func `'RawTerminal' refuses a file that is not a terminal`() {
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        #expect(RawTerminal(input: null, output: null) == nil)
    }

    /// Runs the viewer on a thread that may block.
    private func shown(_ browser: PageBrowser, at path: String) async throws -> Int32? {
        try await blocking {
            let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
            defer { close(descriptor) }
            let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
            defer { close(null) }
            let terminal = try #require(RawTerminal(input: descriptor, output: descriptor))
            var viewer = TerminalPageViewer(browser, on: terminal, as: .trueColorBlocks)
            return viewer.run(source: null) { _ in false }
        }
    }

    private func asked(at path: String) async throws -> TerminalReply {
        try await blocking {
            let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
            defer { close(descriptor) }
            return try #require(RawTerminal(input: descriptor, output: descriptor)).askForGraphics(within: 20_000)
        }
    }

    private func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            BlockingThread.start { continuation.resume(with: Result { try body() }) }
        }
    }
}

/// A new thread for a test that blocks.
private enum BlockingThread {
    private final class Work {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    static func start(_ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(run))
        pthread_create(
            &thread, nil,
            { work in
                guard let work else { return nil }
                Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run()
                return nil
            }, work.toOpaque())
        pthread_detach(thread)
    }
}
