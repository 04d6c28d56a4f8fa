import FoundationEssentials
import PageComparison
import PrintTestSupport
import Testing

/// Tests of `printq preview` with files: nothing is printed.
struct FilePreviewTests {
    private let spooler: TestSpooler

    init() throws { spooler = try TestSpooler() }

    @Test func `without a running printd, 'printq preview' lists the types, pages and papers of files`() async throws {
        let first = try spooler.file("a.pdf", .numbered(pages: 3, title: "Report"))
        let second = try spooler.file("b.pdf", .numbered(pages: 1))
        let run = try await spooler.printq("preview", "--paper", "A4", first, second)
        expect(run)
        #expect(run.lines.count == 3)
        #expect(run.lines[0].split(separator: " ") == ["FILE", "TYPE", "PAGES", "SIDES", "SHEETS", "PAPER", "TITLE"])
        #expect(run.lines[1].hasSuffix("PDF document      3      3       3  A4     Report"))
        #expect(run.lines[2].hasSuffix("PDF document      1      1       1  A4"))
    }

    @Test func `'printq preview' draws the sheets of a document with the same layout as on the printer`() async throws {
        let path = try spooler.file("a.pdf", .numbered(pages: 4))
        let folder = spooler.folder.path("preview")
        let run = try await spooler.printq(
            "preview", "--number-up", "2", "--paper", "A4", "--resolution", "20", "--output", folder, path)
        expect(run)
        #expect(run.lines == ["\(folder)/1/page-0001.png", "\(folder)/1/page-0002.png"])
        // A side with two pages is as large as the paper.
        let image = try PagePixels(png: run.lines[0])
        #expect(abs(image.width - 165) <= 1 && abs(image.height - 234) <= 1)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(folder)/1").sorted() == [
                "page-0001.png", "page-0002.png",
            ])
        let again = try await spooler.printq("preview", "--output", folder, path)
        expect(again, code: 74)
        #expect(again.complaints.contains("'\(folder)/1' already contains files; choose another folder"))
        expect(try await spooler.printq("preview", "--output", folder, "--resolution", "20", "--force", path))
    }

    @Test func `'printq preview --json' lists files as JSON, with an error for each file that cannot be previewed`()
        async throws
    {
        let path = try spooler.file("a.pdf", .numbered(pages: 2))
        let run = try await spooler.printq("preview", "--json", path, spooler.folder.path("none.pdf"))
        #expect(run.code == 66)
        #expect(run.output.contains(#""type": "PDF document""#) && run.output.contains(#""pages": 2"#))
        #expect(run.output.contains(#""error": "cannot open"#))
    }

    @Test func `'printq preview' shows a document from standard input`() async throws {
        let path = try spooler.file("a.pdf", .numbered(pages: 2))
        let bytes = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        let run = try await spooler.printq("preview", "-", input: bytes)
        expect(run)
        #expect(run.lines.count == 2 && run.lines[1].contains("PDF document"))
    }
}
