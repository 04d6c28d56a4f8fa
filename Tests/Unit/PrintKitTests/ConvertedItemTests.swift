import FoundationEssentials
import PrintKit
import PrintTestSupport
import Synchronization
import Testing

/// Tests of printing items that the destination converts.
final class ConvertedItemTests: ControllerSuite {
    /// A destination that converts documents, as the spooler does.
    private final class Converter: PrintDestination {
        struct Job {
            var request: PrintRequest
            var contents: Data?
        }

        private let kept = Mutex<[Job]>([])
        var jobs: [Job] { kept.withLock { $0 } }
        var convertsDocuments: Bool { true }

        func printers() async throws -> [Printer] {
            [Printer(id: "a", url: URL(filePath: "/a"), displayName: "a", capabilities: .laser, destination: self)]
        }

        func capabilities(of printer: Printer) async throws -> PrinterCapabilities { .laser }

        func submit(
            _ request: PrintRequest, to printer: Printer, report: @escaping @Sendable (PrintReport) -> Void
        ) async throws -> PrintEnd {
            let contents = try? Data(contentsOf: URL(filePath: request.documentPath))
            kept.withLock { $0.append(Job(request: request, contents: contents)) }
            report(.accepted(jobID: nil))
            return .completed
        }
    }

    private let converter = Converter()

    @Test func `a destination that converts documents receives a Markdown document unchanged`()
        async throws
    {
        let path = folder.path("letter.md")
        try Data("# Hello\n".utf8).write(to: URL(filePath: path))
        controller.destination = converter
        controller.printingItem = .url(URL(filePath: path))
        #expect(try await controller.print(to: converter.printers()[0], pages: try PageRanges("2-3")))
        let job = try #require(converter.jobs.first)
        #expect(job.request.documentPath == path && job.request.documentFormat.rawValue == "text/markdown")
        #expect(job.request.pageCount == 0 && job.request.ticket.pageRanges?.description == "2-3")
        #expect(FileManager.default.fileExists(atPath: path), "the app's document remains")
    }

    @Test
    func `when an app prints data, a temporary file with the data type's extension exists until the job is accepted`()
        async throws
    {
        controller.destination = converter
        controller.printingItems = [.data(Data("{\\rtf1 hello}".utf8)), .data(Data("hello".utf8))]
        #expect(try await controller.print(to: converter.printers()[0]))
        let requests = converter.jobs.map(\.request)
        #expect(requests.map(\.documentFormat.rawValue) == ["application/rtf", "text/plain"])
        #expect(requests.map { $0.documentPath.hasSuffix(".rtf") } == [true, false])
        #expect(converter.jobs.map(\.contents) == [Data("{\\rtf1 hello}".utf8), Data("hello".utf8)])
        #expect(requests.allSatisfy { !FileManager.default.fileExists(atPath: $0.documentPath) })
    }

    @Test func `a destination refuses a text document if the destination does not convert documents`() async throws {
        controller.printingItem = .data(Data("hello".utf8))
        let error = try await failure()
        #expect(error?.code == .unknownImageFormat)
        #expect(error?.message.contains("'laser' cannot print a document of the type Plain text") == true)
        #expect(destination.jobs.isEmpty)
    }

    @Test func `the destination determines whether an item can be printed`() throws {
        let text = PrintingItem.data(Data("hello".utf8))
        let pdf = PrintingItem.data(Data(PDFBuilder.numbered(pages: 1).bytes))
        #expect(!controller.canPrint(text) && controller.canPrint(pdf))
        controller.destination = converter
        #expect(controller.canPrint(text) && controller.canPrint(pdf))
        #expect(!controller.canPrint(.data(Data([0, 1, 2, 3]))))
        #expect(PrintInteractionController.printableUTIs.contains("org.openxmlformats.wordprocessingml.document"))
    }
}
