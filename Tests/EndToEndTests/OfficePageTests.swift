// Tests the commands of the page for print servers of offices.

import Foundation
import PrintTestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct OfficePageTests {
    /// The lines of code, and the code in the table of choices, in order.
    private static var commands: [String] {
        get throws {
            let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/office.md")
            let text = try String(contentsOf: page, encoding: .utf8)
            return text.split(separator: "\n").flatMap { line in
                if line.hasPrefix("    ") { return [line.trimmingCharacters(in: .whitespaces)] }
                guard line.hasPrefix("| ") else { return [] }
                return line.matches(of: /`([^`]+)`/).map { String($0.1) }
            }
        }
    }

    @Test func `every command of printq on the page works, in order`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let document = try spooler.file("a.pdf", .numbered(pages: 1))
        var count = 0
        for command in try Self.commands where command.hasPrefix("printq ") && !command.contains("login") {
            if command.contains("release --printer") {
                expect(try await spooler.printq("submit", "--pin", "-d", "office", document, input: "4815\n"))
            }
            // The page has no real printer and no real job.
            let run = try await spooler.run(
                "sh",
                [
                    "-c",
                    command.replacing("ipp://printer.local/ipp/print", with: "folder:\(spooler.folder.path)")
                        .replacing("printq ", with: "'\(spooler.program("printq"))' ")
                        .replacing("a.pdf", with: "-d office \(document)")
                        .replacing("release 12", with: "release 1"),
                ], input: command.contains("users add") ? "correct horse\n" : "4815\n")
            expect(run)
            count += 1
        }
        #expect(count == 12, "the page has other commands; change the count or the test")
    }
}
