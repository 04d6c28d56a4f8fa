import FoundationEssentials
import PrintKit
import PrintTestSupport
import Testing

/// Jobs that cannot be printed, and what is said then.
final class JobFailureTests: ControllerSuite {
    @Test func `a destination that fails ends the job with its words`() async throws {
        struct Down: Error, CustomStringConvertible { var description: String { "the spooler is down" } }
        controller.printFormatter = text()
        let error = try await failure(of: FakeDestination(answer: { throw Down() }))
        #expect(error?.code == .jobFailed && error?.description.contains("the spooler is down") == true)
        #expect(error?.domain == PrintErrorDomain)
        #expect(delegate.notes.last == "did finish" && controller.printFormatter == nil)
    }

    @Test func `an unknown printer is an error that names those there are`() async throws {
        let error = await #expect(throws: PrintError.self) { try await controller.printer(named: "nowhere") }
        #expect(error?.code == .printingNotAvailable && error?.message.contains("'laser'") == true)
        #expect(try await controller.printer(named: "laser").id == "laser")
        #expect(try await controller.printer(named: nil).id == "laser")
        controller.destination = FakeDestination([("laser", .laser), ("second", .laser)])
        controller.printInfo.printerID = "second"
        #expect(try await controller.printer(named: nil).id == "second")
        controller.printInfo.printerID = "gone"
        let other = await #expect(throws: PrintError.self) { try await controller.printer(named: nil) }
        #expect(other?.code == .printingNotAvailable && other?.message.contains("'gone'") == true)
        controller.printInfo.printerID = nil
        controller.destination = FakeDestination([])
        await #expect(throws: PrintError.self) { try await controller.printer(named: nil) }
        let gone = Printer(id: "gone", url: URL(string: "fake:gone")!, displayName: "gone", destination: destination)
        controller.printFormatter = text()
        let failed = await #expect(throws: PrintError.self) { try await controller.print(to: gone) }
        #expect(failed?.code == .printingNotAvailable)
    }

    @Test func `an encrypted or damaged PDF is told from an unknown format`() async throws {
        controller.printingItem = .data(Data(EncryptedPDF.userPassword))
        let encrypted = try await failure()
        #expect(encrypted?.code == .jobFailed && encrypted?.message.contains("encrypted") == true)
        controller.printingItem = .data(Data("%PDF-1.7 and no more".utf8))
        #expect(try await failure()?.code == .jobFailed)
        controller.printingItem = .url(URL(filePath: folder.path("missing.pdf")))
        #expect(try await failure()?.code == .jobFailed)
        controller.printingItem = .url(URL(string: "https://example.com/a.pdf")!)
        #expect(try await failure()?.message.contains("only file: and data: URLs") == true)
        #expect(destination.jobs.isEmpty)
    }

    @Test func `what can be printed is known beforehand`() throws {
        typealias Controller = PrintInteractionController
        #expect(Controller.isPrintingAvailable)
        #expect(Controller.printableUTIs.isSuperset(of: ["com.adobe.pdf", "public.png", "public.jpeg"]))
        #expect(Controller.canPrint(data: Data(PDFBuilder.numbered(pages: 1).bytes)))
        #expect(Controller.canPrint(data: Data(EncryptedPDF.ownerPasswordOnly)))
        #expect(!Controller.canPrint(data: Data(EncryptedPDF.userPassword)))
        let png = try picture(width: 4, height: 4).pngData()
        #expect(Controller.canPrint(data: png))
        #expect(!Controller.canPrint(data: Data("text".utf8)) && !Controller.canPrint(data: Data()))
        try png.write(to: URL(filePath: folder.path("a.bin")))
        #expect(Controller.canPrint(url: URL(filePath: folder.path("a.bin"))))
        #expect(!Controller.canPrint(url: URL(filePath: folder.path("b.bin"))))
        #expect(Controller.canPrint(url: URL(string: "data:image/png;base64,\(png.base64EncodedString())")!))
        #expect(!Controller.canPrint(url: URL(string: "data:text/plain,hello%20there")!))
    }

    @Test func `a page range beyond the document is refused before anything is sent`() async throws {
        controller.printingItem = .data(Data(PDFBuilder.numbered(pages: 2).bytes))
        let ranges = try PageRanges("4-")
        #expect(try await failure(pages: ranges)?.message.contains("has 2 pages") == true)
        controller.printFormatter = text()
        #expect(try await failure(pages: ranges)?.message.contains("has 1 page;") == true)
        controller.printFormatter = text()
        let single = try await failure(pages: PageRanges("9"))
        #expect(single?.message == "page 9 was chosen, but the document has 1 page; choose a page that is there")
        #expect(destination.jobs.isEmpty)
    }

    @Test func `a renderer that does not come to an end within the time limit fails`() async throws {
        final class Long: PrintPageRenderer { override var numberOfPages: Int { 1_000_000 } }
        controller.drawingTimeLimit = .zero
        controller.printPageRenderer = Long()
        let error = try await failure()
        #expect(error?.code == .jobFailed && error?.message.contains("drawingTimeLimit") == true)
        #expect(error?.message.contains("longer than 0 seconds") == true)
        #expect(destination.jobs.isEmpty)
    }

    @Test func `HTML is given up when the drawing time is over, and printed with more of it`() async throws {
        let html = String(repeating: "<p>word", count: 20_000)
        controller.printFormatter = MarkupTextPrintFormatter(markupText: html)
        controller.drawingTimeLimit = .milliseconds(50)
        let formatter = try #require(controller.printFormatter as? MarkupTextPrintFormatter)
        #expect(try await failure()?.message.contains("drawingTimeLimit") == true)
        formatter.markupText = "<p>short"
        formatter.invalidateLayout()
        controller.printFormatter = formatter
        controller.drawingTimeLimit = .seconds(60)
        #expect(try await failure() == nil)
        #expect(destination.jobs.count == 1)
    }

    @Test func `too many pages of a formatter are not blamed on the renderer`() async throws {
        final class Endless: PrintFormatter {
            override func layOut(on pages: FormatterPages) throws -> Int { .max }
        }
        controller.printFormatter = Endless()
        let error = try await failure()
        #expect(error?.message.contains("the content needs more than 1000000 pages") == true)
        final class Many: PrintPageRenderer { override var numberOfPages: Int { 2_000_000 } }
        controller.printPageRenderer = Many()
        #expect(try await failure()?.message.contains("check its numberOfPages") == true)
    }

    @Test func `a folder instead of a file is an error that says what to name`() async throws {
        controller.printingItem = .url(URL(filePath: folder.path))
        #expect(
            try await failure()?.message.hasSuffix("Is a directory; name a PDF or an image that can be read") == true)
    }
}
