import FoundationEssentials
import PrintModel
import Testing

@testable import PrintWork

struct WorkerRequestTests {
    @Test func `all paths in a worker's request are absolute`() {
        func document(_ path: String) -> InputDocument { InputDocument(path: path, format: .jpeg) }
        let requests: [WorkerRequest] = [
            .inspect(document("a.jpg")),
            .prepare(
                PrepareRequest(
                    documents: [document("a.jpg"), document("b.jpg")],
                    imposition: Imposition(paper: PrintPaper(media: .a4)), output: "out.pdf")),
            .rasterize(
                RasterizeRequest(
                    document: document("a.jpg"), others: [document("b.jpg"), document("/c.jpg")],
                    paper: PrintPaper(media: .a4), outputFolder: "out", sheets: "out/sheets.pdf")),
        ]
        let here = FileManager.default.currentDirectoryPath
        for request in requests {
            let (before, after) = (request, request.forWorker)
            for (old, new) in zip(before.inputs + before.outputFolders, after.inputs + after.outputFolders) {
                #expect(new == (old.hasPrefix("/") ? old : old == "." ? here : "\(here)/\(old)"))
            }
        }
    }
}
