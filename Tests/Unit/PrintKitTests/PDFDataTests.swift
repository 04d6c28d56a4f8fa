import DestinationTrials
import FoundationEssentials
import PDFRendering
import PrintKit
import PrintTestSupport
import Testing

/// Tests of PDFs that stay in memory.
struct PDFDataTests {
    private func letter(_ text: String = "first\u{C}second") -> SimpleTextPrintFormatter {
        let lines = (1...80).map { "\(text) \($0)" }.joined(separator: "\n")
        return SimpleTextPrintFormatter(text: lines)
    }

    @Test func `a renderer returns the PDF that it would write to a file`() async throws {
        let renderer = NotingRenderer()
        renderer.headerHeight = 10
        renderer.addPrintFormatter(letter(), startingAtPageAt: 0)
        let info = DocumentInfo(title: "Letter", creationDate: Date(timeIntervalSince1970: 0))
        let folder = try TemporaryFolder()
        try await renderer.write(to: folder.path("a.pdf"), on: smallPaper, orientation: .landscape, info: info)
        let data = try await renderer.pdfData(on: smallPaper, orientation: .landscape, info: info)
        #expect(try data == Data(contentsOf: URL(filePath: folder.path("a.pdf"))))
        #expect(renderer.notes.contains("header 1"))
        let file = try PDFFile(data: data)
        #expect(file.page(at: 0)?.size.isLandscape == true)
        #expect(try file.info().title == "Letter")
        func blocking() throws -> Data { try renderer.pdfData(on: smallPaper, orientation: .landscape, info: info) }
        #expect(try blocking() == data)
    }

    @Test func `a formatter returns the chosen pages, and then belongs to no other renderer`() async throws {
        let (renderer, formatter) = (PrintPageRenderer(), letter("line"))
        renderer.addPrintFormatter(formatter, startingAtPageAt: 0)
        let all = try await PDFFile(data: formatter.pdfData(on: smallPaper))
        #expect(renderer.printFormatters.isEmpty && all.pageCount > 2)
        let some = try await PDFFile(data: formatter.pdfData(on: smallPaper, pages: PageRanges("2")))
        #expect(try some.text() == [all.text()[1]])
        let error = await #expect(throws: PrintError.self) {
            try await formatter.pdfData(on: smallPaper, pages: PageRanges("99"))
        }
        #expect(error?.code == .jobFailed && error?.message.contains("page 99 is out of range") == true)
        let none = #expect(throws: PrintError.self) { try SimpleTextPrintFormatter(text: "").pdfData(on: smallPaper) }
        #expect(none?.code == .noContent)
    }

    @Test func `in a tagged PDF, paragraphs are tagged, and headers are artifacts`() async throws {
        final class Titled: PrintPageRenderer {
            override func drawHeaderForPage(at index: Int, in rect: Rect) {
                "Header".draw(at: rect.origin, with: .system(ofSize: 8))
            }
        }
        let renderer = Titled()
        renderer.headerHeight = 20
        renderer.addPrintFormatter(SimpleTextPrintFormatter(text: "One\nTwo"), startingAtPageAt: 0)
        renderer.addPrintFormatter(TextView(text: "Three\nFour").viewPrintFormatter(), startingAtPageAt: 1)
        let folder = try TemporaryFolder()
        try await renderer.write(to: folder.path("a.pdf"), on: smallPaper, info: DocumentInfo(isTagged: true))
        let run = try await ProgramRun(
            "/usr/bin/pdfinfo", ["-struct-text", folder.path("a.pdf")], environment: [:], in: folder.path)
        let words = run.output.split { !$0.isLetter }.filter { $0 != "block" }
        #expect(words == ["Document", "P", "One", "P", "Two", "P", "Three", "P", "Four"])
    }

    @Test func `HTML conforms to PDF/A, and is a block of a tagged PDF`() async throws {
        let html = """
            <h1>Rechnung</h1><p style="font-family: serif">Text mit <b>fi</b> und 日本語, <a href="https://example.org">Link</a>.</p>
            <svg width="50" height="50"><circle cx="25" cy="25" r="20" fill="red" opacity="0.5"/></svg>
            <div style="background: linear-gradient(red, blue); height: 20px"></div>
            """
        let info = DocumentInfo(title: "Rechnung", language: "de", conformance: .pdfA3b, isTagged: true)
        let folder = try TemporaryFolder()
        let renderer = PrintPageRenderer()
        renderer.addPrintFormatter(MarkupTextPrintFormatter(markupText: html), startingAtPageAt: 0)
        try await renderer.write(to: folder.path("a.pdf"), on: smallPaper, info: info)
        #expect(try await ArchiveRules(folder.path("a.pdf")).violations(part: 3) == [])
        let run = try await ProgramRun(
            "/usr/bin/pdfinfo", ["-struct-text", folder.path("a.pdf")], environment: ["LC_ALL": "C.UTF-8"],
            in: folder.path)
        #expect(run.output.contains("Div") && run.output.contains("Rechnung"))
    }

    @Test func `PDFDataDestination passes the tests for all print destinations`() async throws {
        let destination = PDFDataDestination()
        try await expectDestination(destination)
        #expect(destination.takeDocuments().map(\.title) == ["Trial", "Later"])
        #expect(destination.takeDocuments().isEmpty)
    }

    @Test func `a controller prints each item to data, with the chosen pages`() async throws {
        let (controller, destination) = (PrintInteractionController(), PDFDataDestination())
        controller.destination = destination
        controller.printInfo.jobName = "Report"
        let bytes = Data(PDFBuilder.numbered(pages: 4).bytes)
        controller.printingItem = .data(bytes)
        #expect(try await controller.print(to: controller.printer(named: nil)))
        controller.printingItem = .data(bytes)
        #expect(try await controller.print(to: destination.printer, pages: PageRanges("2,4")))
        controller.printingItems = [.data(bytes), .image(try Image(width: 1, height: 1, rgb: [255, 0, 0]))]
        #expect(try await controller.print(to: destination.printer))
        controller.printFormatter = letter()
        #expect(try await controller.print(to: destination.printer, pages: PageRanges("1")))
        let documents = destination.takeDocuments()
        #expect(documents.map(\.title) == Array(repeating: "Report", count: 5))
        #expect(documents.map(\.pageCount) == [4, 2, 4, 1, 1])
        #expect(documents[0].data == bytes)
        #expect(try PDFFile(data: documents[1].data).text().map { $0.filter(\.isNumber) } == ["2", "4"])
        let other = await #expect(throws: PrintError.self) {
            try await PDFDataDestination().capabilities(of: destination.printer)
        }
        #expect(other?.code == .printingNotAvailable)
    }
}
