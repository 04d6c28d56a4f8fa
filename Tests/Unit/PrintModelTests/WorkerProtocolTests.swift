import FoundationEssentials
import PrintModel
import Testing

/// Tests of the JSON messages between the worker pool and its workers.
struct WorkerProtocolTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func `the JSON form of a worker request contains its documents and its task`() throws {
        let request = WorkerRequest.inspect(InputDocument(path: "/a/b.pdf", format: .pdf))
        #expect(
            try json(request)
                == #"{"files":{"documents":[{"format":"application/pdf","path":"/a/b.pdf"}]},"task":{"inspect":{}}}"#)
        #expect(try json(WorkerRequest.probe) == #"{"files":{"documents":[]},"task":{"probe":{}}}"#)
    }

    @Test func `the JSON form of a worker's response line contains the type of the line`() throws {
        #expect(try json(WorkerLine.progress(WorkProgress(page: 2, total: 5))) == #"{"progress":{"page":2,"total":5}}"#)
        #expect(
            try json(WorkerLine.failed(WorkError(.noPages, "it is empty")))
                == #"{"error":{"code":"noPages","message":"it is empty"}}"#)
    }

    @Test func `worker requests and response lines round-trip through JSON`() throws {
        let paper = PrintPaper(media: .a4)
        let document = InputDocument(path: "/in/d.pdf", password: "secret")
        let requests: [WorkerRequest] = [
            .probe, .inspect(document),
            .prepare(PrepareRequest(documents: [document], imposition: Imposition(paper: paper), output: "/out/p.pdf")),
            .render(
                RenderRequest(
                    document: "/jobs/1/prepared.pdf", pages: 3...4, pageCount: 5,
                    delivery: DeliveryFormat(
                        format: .urf, pixels: PixelForm(resolution: .usual, type: .gray8, isGray: true)),
                    options: DeviceOptions(paper: paper, resolution: .usual))),
            .rasterize(RasterizeRequest(document: document, paper: paper, outputFolder: "/out")),
            .view(ViewRequest(documents: [ViewedDocument(document, isGray: true)], folder: "/out")),
        ]
        for request in requests {
            #expect(try JSONDecoder().decode(WorkerRequest.self, from: JSONEncoder().encode(request)) == request)
        }
        let image = PageImage(page: 1, file: "page-0001.png", width: 10, height: 20, clipped: [.left])
        let lines: [WorkerLine] = [
            .locked(WorkerProtections(systemCalls: true, landlockVersion: 7)),
            .progress(WorkProgress(page: 1, total: 2)),
            .inspected(DocumentSummary(format: .pdf, pageCount: 3, title: "T")),
            .prepared(PreparedDocument(impressions: 2, sheets: 1, pages: 2, notices: ["mended"])),
            .drafted(PreparedDocument(impressions: 2, sheets: 1, pages: 2)),
            .rendered(RenderedDocument(bytes: 1234, notices: ["left out"])),
            .rasterized(RasterizedDocument(pages: [image], impressions: 1, sheets: 1)),
            .opened(OpenedPages(sizes: [Size(width: 72, height: 36)], documentPages: [1])),
            .drawn(DrawnTile(png: "iVBORw==", notice: "page 1 was drawn with another renderer")),
            .compared([SideDifference(cause: .printableArea, areas: [.zero], share: 0.5, edges: [.top])]),
            .words([PageWord("word", area: .zero, endsLine: true)]),
            .failed(WorkError(.damaged, "torn", detail: "page 3")),
        ]
        for line in lines {
            #expect(try JSONDecoder().decode(WorkerLine.self, from: JSONEncoder().encode(line)) == line)
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(WorkerLine.self, from: Data("{}".utf8)) }
    }

    @Test func `a worker request lists the paths of its documents and its output folders`() {
        let paper = PrintPaper(media: .a4)
        let document = InputDocument(path: "/in/d.pdf")
        let prepare = WorkerRequest.prepare(
            PrepareRequest(documents: [document], imposition: Imposition(paper: paper), output: "/jobs/1/p.pdf"))
        #expect(prepare.inputs == ["/in/d.pdf"])
        #expect(prepare.outputFolders == ["/jobs/1"])
        let rasterize = WorkerRequest.rasterize(
            RasterizeRequest(document: document, paper: paper, outputFolder: "/o/pages", sheets: "/o/sheets.pdf"))
        #expect(rasterize.outputFolders == ["/o/pages", "/o"])
        let render = WorkerRequest.render(
            RenderRequest(
                document: "/jobs/1/p.pdf", pages: 1...1, pageCount: 1, delivery: .pdf,
                options: DeviceOptions(paper: paper)))
        #expect(render.inputs == ["/jobs/1/p.pdf"] && render.outputFolders == ["/jobs/1"])
        #expect(WorkerRequest.inspect(document).outputFolders.isEmpty)
        let view = WorkerRequest.view(
            ViewRequest(
                documents: ["/in/d.pdf", "/o/page-0001.png"].map { ViewedDocument(InputDocument(path: $0)) },
                folder: "/o"))
        #expect(view.inputs == ["/o", "/in/d.pdf"] && view.inputFolders == ["/o"] && view.outputFolders.isEmpty)
    }

    @Test func `the task of a worker request contains no paths, and the complete task is the original request`() throws
    {
        let documents = ["/in/a.pdf", "/in/b.pdf"].map { InputDocument(path: $0, password: "secret") }
        var prepare = PrepareRequest(
            documents: documents, imposition: Imposition(paper: PrintPaper(media: .a4)), output: "/jobs/1/p.pdf")
        prepare.origin = WorkOrigin(printer: "laser", owner: "ann")
        let request = WorkerRequest.prepare(prepare)
        guard case .prepare(let task) = request.task else {
            Issue.record("not a request to prepare: \(request.task)")
            return
        }
        #expect(task.documents.isEmpty && task.output.isEmpty && task.origin == nil)
        #expect(request.complete(task) == prepare)
        #expect(request.documents == documents && request.output?.file == "/jobs/1/p.pdf")
        #expect(try !json(request).contains("ann"), "the worker does not receive the owner")
    }
}
