// Tests the manual pages that scripts/packaging/man-pages writes.

import Foundation
import PrintTestSupport
import ProcessLaunch
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ManualPageTests {
    private static let sections = [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "SEE ALSO",
    ]

    @Test func `every command has a manual page with all sections, and man reports no warnings`() async throws {
        let folder = try TemporaryFolder()
        let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80"]
        let writing = try await ProgramRun(
            "\(root)/scripts/packaging/man-pages",
            ["--programs", String(Programs.beside("").dropLast()), "--output", folder.path("man")],
            environment: environment, in: folder.path)
        try #require(writing.code == 0, "\(writing.complaints)")
        let pages = try FileManager.default.subpathsOfDirectory(atPath: folder.path("man"))
            .filter { $0.hasSuffix(".gz") }
        for expected in [
            "man1/printq.1.gz", "man1/printq-submit.1.gz", "man1/printq-printers-add.1.gz", "man8/printd.8.gz",
            "man1/printsim-run.1.gz", "man5/printd.json5.5.gz",
        ] {
            #expect(pages.contains(expected))
        }
        for page in pages {
            let man = try await ProgramRun(
                "/usr/bin/man", ["--warnings", "-l", folder.path("man/\(page)")], environment: environment,
                in: folder.path)
            #expect(man.code == 0 && man.complaints.isEmpty, "\(page): \(man.complaints)")
            let headings = Set(man.output.split(separator: "\n").map(String.init))
            for section in Self.sections { #expect(headings.contains(section), "\(page) has no section \(section)") }
        }
    }
}
