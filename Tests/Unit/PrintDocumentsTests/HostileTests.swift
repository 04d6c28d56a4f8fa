import FoundationEssentials
import PrintDocuments
import PrintModel
import PrintTestSupport
import Testing

struct HostileTests {
    private let catalog = "<< /Type /Catalog /Pages 2 0 R >>"

    private func onePage(_ entries: String, tree: String = "") -> [UInt8] {
        HandMadePDF(
            catalog, "<< /Type /Pages /Kids [3 0 R] /Count 1 \(tree) >>",
            "<< /Type /Page /Parent 2 0 R \(entries) >>"
        ).bytes
    }

    @Test(arguments: [
        "/MediaBox [0 0 0 0]", "/MediaBox [0 0 1e99 5]", "/MediaBox [0 0 99999999999999 9]", "/MediaBox [nan inf a b]",
        "/MediaBox 7", "/MediaBox [1 2 3]", "/MediaBox [0 0 0.001 600]", "", "/MediaBox [0 0 90000000 90000000]",
        "/MediaBox [0 0 20 20] /CropBox [100 100 200 200]", "/MediaBox [0 0 9 9] /UserUnit 0",
        "/MediaBox [0 0 9 9] /UserUnit -1", "/MediaBox [0 0 9 9] /UserUnit 1e40", "/MediaBox [0 0 9 9] /Rotate 45",
        "/MediaBox [0 0 9 9] /Rotate 9999999999999", "/MediaBox [0 0 9 9] /Rotate (x) /Contents 3 0 R",
        "/MediaBox [0 0 9 9] /Contents [null 5 3 0 R] /Resources 9 0 R /Annots 3 0 R /Group [1]",
    ])
    func `a page with an invalid box, rotation or user unit is printed`(entries: String) async throws {
        for count in [1, 2] {
            let sheets = try await PreparedSheets(files: [onePage(entries)]) {
                $0.numberUp = NumberUp(count: count)
                $0.scaling = .fit
            }
            #expect(sheets.result.impressions == 1)
        }
    }

    @Test func `the existing pages of a page tree with loops are printed`() async throws {
        let file = HandMadePDF(
            catalog, "<< /Type /Pages /Kids [3 0 R 2 0 R 4 0 R null 17 0 R 3 0 R] /Count 9 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
            "<< /Type /Pages /Parent 4 0 R /Kids [2 0 R 4 0 R 3 0 R] /Count 1 >>")
        let sheets = try await PreparedSheets(files: [file.bytes])
        // The result is the page of object 3 three times, and a notice for the missing object 17.
        #expect(sheets.result.impressions == 4)
        #expect(sheets.result.notices.count == 1)
    }

    @Test func `a page tree with 50,000 levels is read without recursion`() async throws {
        let depth = 50_000
        var objects = [catalog]
        for level in 0..<depth {
            objects.append("<< /Type /Pages /Kids [\(level + 3) 0 R] /Count 1 /Parent \(level + 1) 0 R >>")
        }
        objects.append("<< /Type /Page /Parent \(depth + 1) 0 R /MediaBox [0 0 120 60] >>")
        var file = HandMadePDF()
        file.objects = objects
        #expect(try await PreparedSheets(files: [file.bytes]).result.impressions == 1)
    }

    @Test func `a chain of 50,000 PDF objects is copied without recursion`() async throws {
        let length = 50_000
        var objects = [
            catalog, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 120 60] /Resources << /Properties << /A 4 0 R >> >> >>",
        ]
        for index in 0..<length { objects.append("<< /Next \(index + 5) 0 R /Page 3 0 R >>") }
        objects.append("<< /Next 4 0 R >>")
        var file = HandMadePDF()
        file.objects = objects
        #expect(try await PreparedSheets(files: [file.bytes]).result.impressions == 1)
    }

    @Test func `the last pages of a document with 100,000 pages are imposed`() async throws {
        let pages = 100_000
        var file = HandMadePDF(catalog, "", "<< /Length 24 >>\nstream\n0 0 1 rg 0 0 120 60 re f\nendstream")
        let nodes = (0..<pages / 100).map { 4 + $0 * 101 }
        let tree = nodes.map { "\($0) 0 R" }.joined(separator: " ")
        file.objects[1] = "<< /Type /Pages /Kids [\(tree)] /Count \(pages) >>"
        for node in nodes {
            let kids = (1...100).map { "\(node + $0) 0 R" }.joined(separator: " ")
            file.objects.append("<< /Type /Pages /Parent 2 0 R /Kids [\(kids)] /Count 100 /MediaBox [0 0 120 60] >>")
            let page = "<< /Type /Page /Parent \(node) 0 R /Contents 3 0 R >>"
            file.objects += Array(repeating: page, count: 100)
        }
        let folder = try TemporaryFolder()
        let document = InputDocument(path: folder.path("a.pdf"))
        try Data(file.bytes).write(to: URL(fileURLWithPath: document.path))
        #expect(try await DocumentWorker().inspect(document).pageCount == pages)
        var imposition = Imposition(paper: PrintPaper(media: .a4), numberUp: NumberUp(count: 4))
        imposition.pageRanges = try PageRanges("99989-")
        let request = PrepareRequest(documents: [document], imposition: imposition, output: folder.path("out.pdf"))
        let prepared = try await DocumentWorker().prepare(request)
        #expect((prepared.pages, prepared.impressions) == (12, 3))
        #expect(try run("qpdf", "--show-npages", folder.path("out.pdf")).output == "3\n")
    }

    @Test func `an incorrect page count in the page tree is ignored`() async throws {
        let file = HandMadePDF(
            catalog, "<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>")
        let folder = try TemporaryFolder()
        try Data(file.bytes).write(to: URL(fileURLWithPath: folder.path("a.pdf")))
        #expect(try await DocumentWorker().inspect(InputDocument(path: folder.path("a.pdf"))).pageCount == 1)
    }

    @Test func `the preparation of a document with randomly changed bytes causes no crash`() async throws {
        var pdf = PDFBuilder(title: "Changed")
        for _ in 0..<2 {
            pdf.addPage(width: 100, height: 50) { page in
                page.text("changed", x: 10, y: 10)
                page.link(toPage: 0, x: 0, y: 0, width: 10, height: 10)
            }
        }
        let bytes = pdf.bytes
        let folder = try TemporaryFolder()
        let document = InputDocument(path: folder.path("a.pdf"))
        var generator = SplitMix(state: 7)
        var outcomes: Set<String> = []
        for _ in 0..<300 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let place = Int.random(in: 9..<bytes.count, using: &generator)
                changed[place] = UInt8.random(in: 32...126, using: &generator)
            }
            try Data(changed).write(to: URL(fileURLWithPath: document.path))
            let imposition = Imposition(paper: PrintPaper(media: .a4), numberUp: NumberUp(count: 2))
            do {
                _ = try await DocumentWorker().inspect(document)
                _ = try await DocumentWorker().prepare(
                    PrepareRequest(documents: [document], imposition: imposition, output: folder.path("out.pdf")))
                outcomes.insert("prepared")
            } catch {
                outcomes.insert(error.code.rawValue)
            }
        }
        #expect(outcomes.contains("prepared"))
        #expect(outcomes.isSubset(of: ["prepared", "damaged", "noPages", "passwordRequired"]))
    }

    /// A generator that always returns the same sequence.
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}
