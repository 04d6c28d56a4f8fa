import FoundationEssentials
import PrintKit
import PrintTestSupport
import Testing

/// Tests of the errors for jobs that cannot be printed.
final class JobFailureTests: ControllerSuite {
    @Test func `if the destination throws an error, '.jobFailed' is thrown with the description of the error`()
        async throws
    {
        struct Down: Error, CustomStringConvertible { var description: String { "the spooler is down" } }
        controller.printFormatter = text()
        let error = try await failure(of: FakeDestination(answer: { throw Down() }))
        #expect(error?.code == .jobFailed && error?.description.contains("the spooler is down") == true)
        #expect(error?.domain == PrintErrorDomain)
        #expect(delegate.notes.last == "did finish" && controller.printFormatter == nil)
    }

    @Test func `the error for an unknown printer lists the available printers`() async throws {
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

    @Test func `the error for an encrypted or damaged PDF is '.jobFailed', not '.unknownImageFormat'`() async throws {
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

    @Test
    func `'canPrint' returns false if the document is missing, is empty, has no known type or requires a password`()
        throws
    {
        typealias Controller = PrintInteractionController
        #expect(Controller.isPrintingAvailable)
        #expect(Controller.printableUTIs.isSuperset(of: ["com.adobe.pdf", "public.png", "public.jpeg"]))
        #expect(Controller.canPrint(data: Data(PDFBuilder.numbered(pages: 1).bytes)))
        #expect(Controller.canPrint(data: Data(EncryptedPDF.ownerPasswordOnly)))
        #expect(!Controller.canPrint(data: Data(EncryptedPDF.userPassword)))
        let png = try picture(width: 4, height: 4).pngData()
        #expect(Controller.canPrint(data: png))
        let converts = Controller.defaultDestination.convertsDocuments
        #expect(Controller.canPrint(data: Data("text".utf8)) == converts && !Controller.canPrint(data: Data()))
        #expect(!Controller.canPrint(data: Data([0, 1, 2, 3, 4, 5, 6, 7])))
        try png.write(to: URL(filePath: folder.path("a.bin")))
        #expect(Controller.canPrint(url: URL(filePath: folder.path("a.bin"))))
        #expect(!Controller.canPrint(url: URL(filePath: folder.path("b.bin"))))
        #expect(Controller.canPrint(url: URL(string: "data:image/png;base64,\(png.base64EncodedString())")!))
        #expect(Controller.canPrint(url: URL(string: "data:text/plain,hello%20there")!) == converts)
    }

    @Test func `a page range beyond the document is refused before a job is submitted`() async throws {
        controller.printingItem = .data(Data(PDFBuilder.numbered(pages: 2).bytes))
        let ranges = try PageRanges("4-")
        #expect(try await failure(pages: ranges)?.message.contains("choose pages from 1 to 2") == true)
        controller.printFormatter = text()
        #expect(try await failure(pages: ranges)?.message.contains("has only 1 page") == true)
        controller.printFormatter = text()
        let single = try await failure(pages: PageRanges("9"))
        #expect(single?.message == "page 9 is out of range; the document has only 1 page")
        #expect(destination.jobs.isEmpty)
    }

    @Test func `a job fails if drawing takes longer than the time limit`() async throws {
        final class Long: PrintPageRenderer { override var numberOfPages: Int { 1_000_000 } }
        controller.drawingTimeLimit = .zero
        controller.printPageRenderer = Long()
        let error = try await failure()
        #expect(error?.code == .jobFailed && error?.message.contains("drawingTimeLimit") == true)
        #expect(error?.message.contains("longer than 0 seconds") == true)
        #expect(destination.jobs.isEmpty)
    }

    @Test
    func `after a layout exceeds the time limit, the same formatter can print short HTML`()
        async throws
    {
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

    @Test func `the error for too many pages mentions 'numberOfPages' only for a renderer`() async throws {
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

    @Test func `if a folder is printed, the error suggests a PDF or an image`() async throws {
        controller.printingItem = .url(URL(filePath: folder.path))
        #expect(
            try await failure()?.message.hasSuffix("Is a directory; choose a readable PDF or image") == true)
    }
}
