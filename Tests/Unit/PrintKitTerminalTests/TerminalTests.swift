import Glibc
import PrintTestSupport
import Testing

@testable import DocumentInteraction
@testable import PrintKit
@testable import PrintKitTerminal

/// Tests of printer options on a pseudo-terminal.
struct TerminalTests {
    private let pty: PseudoTerminal

    init() throws { pty = try PseudoTerminal() }

    private var options: PrinterOptions {
        get async throws {
            PrinterOptions(
                title: "Letter", printers: try await StaticDestination().printers(), pageCount: 3, showsPages: true)
        }
    }

    @Test func `in the options form, keys choose options, Enter prints, and the terminal mode is restored`()
        async throws
    {
        let before = pty.attributes
        async let chosen = TerminalOptionsPresenter(terminal: pty.path).presentOptions(options)
        let screen = try await pty.read(until: "Escape cancels")
        #expect(screen.contains("> Printer  laser") && screen.contains("Pages    all of 3"))
        #expect(pty.attributes.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0)
        pty.write("\u{1B}[B\u{1B}[C\u{1B}[B2-")
        #expect(try await pty.read(until: "2- of 3").contains("< 2 >"))
        pty.write("\r")
        let options = try await chosen
        #expect(options?.copies == 2 && options?.pages.description == "2-")
        #expect(pty.attributes.c_lflag == before.c_lflag)
        // The last output clears the form and shows the cursor.
        #expect(try await pty.read(until: "\u{1B}[?25h").contains("\u{1B}[J"))
    }

    @Test func `after the user switches printers, the form recounts the pages and continues to process keys`()
        async throws
    {
        let printers = try await StaticDestination([("a", .laser), ("b", .laser)]).printers()
        var options = PrinterOptions(title: "Letter", printers: printers, pageCount: 3, showsPages: true)
        options.counter = { $0.printerIndex == 1 ? 7 : 3 }
        async let chosen = TerminalOptionsPresenter(terminal: pty.path).presentOptions(options)
        _ = try await pty.read(until: "all of 3")
        pty.write("\u{1B}[C")
        #expect(try await pty.read(until: "all of 7").contains("< b >"))
        pty.write("\u{1B}[B\u{1B}[B7\r")
        #expect(try await chosen?.pages.description == "7")
    }

    @Test(arguments: ["\u{1B}", "\u{3}"]) func `Escape and Control-C cancel the options form`(key: String) async throws
    {
        async let chosen = TerminalOptionsPresenter(terminal: pty.path).presentOptions(options)
        _ = try await pty.read(until: "Escape cancels")
        pty.write(key)
        #expect(try await chosen == nil)
    }

    @Test func `if the task is canceled, the options form closes`() async throws {
        let (options, path) = (try await options, pty.path)
        let task = Task { try await TerminalOptionsPresenter(terminal: path).presentOptions(options) }
        _ = try await pty.read(until: "Escape cancels")
        task.cancel()
        #expect(try await task.value == nil)
    }

    @Test func `Enter in the printer picker chooses the focused printer`() async throws {
        let printers = try await StaticDestination([("a", .laser), ("b", .laser)]).printers()
        async let index = TerminalOptionsPresenter(terminal: pty.path).presentPrinters(printers, selected: 0)
        _ = try await pty.read(until: "Escape cancels")
        pty.write("\u{1B}[B\r")
        #expect(try await index == 1)
    }

    @Test func `if the terminal is closed, the options form is canceled`() async throws {
        async let chosen = TerminalOptionsPresenter(terminal: pty.path).presentOptions(options)
        _ = try await pty.read(until: "Escape cancels")
        pty.hangUp()
        #expect(try await chosen == nil)
    }

    @Test func `if a path is not a terminal, the file descriptor is closed exactly once`() async throws {
        // Closing the descriptor twice could close a file that another thread has opened in the meantime.
        try await withThrowingTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    _ = try? await TerminalOptionsPresenter(terminal: "/dev/null").presentPrinters([], selected: 0)
                }
                group.addTask {
                    let file = open("/dev/zero", O_RDONLY | O_CLOEXEC)
                    await Task.yield()
                    var byte: UInt8 = 1
                    #expect(Glibc.read(file, &byte, 1) == 1 && byte == 0)
                    #expect(close(file) == 0)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `without a terminal, the error of the options presenter suggests 'print(to:)'`() async throws {
        let error = await #expect(throws: PrintError.self) {
            try await TerminalOptionsPresenter(terminal: "/dev/null").presentOptions(options)
        }
        #expect(error?.code == .printingNotAvailable && error?.message.contains("print(to:)") == true)
    }

    @Test func `without a terminal, the error names the form that cannot be shown`() async throws {
        let options = TerminalOptionsPresenter(terminal: "/nonexistent")
        let documents = TerminalDocumentPresenter(terminal: "/nonexistent")
        func message(_ show: () async throws -> Void) async -> String {
            do {
                try await show()
                return ""
            } catch {
                return (error as? PrintError)?.message ?? "\(error)"
            }
        }
        let prefix = "because there is no terminal ('/nonexistent': No such file or directory); "
        #expect(
            await message { _ = try await options.presentPrinters([], selected: 0) }
                == "cannot show the printers \(prefix)set the picker's presenter")
        #expect(
            await message { _ = try await documents.presentPreview([], startingAt: 0) }
                == "cannot show the preview \(prefix)set the controller's presenter")
        let menu = DocumentMenu(title: "a.txt", items: [.print])
        #expect(
            await message { _ = try await documents.presentMenu(menu) }
                == "cannot show the menu \(prefix)set the controller's presenter")
    }
}
