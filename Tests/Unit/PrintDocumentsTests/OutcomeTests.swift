import CQPDF
import FoundationEssentials
import PrintDocuments
import PrintModel
import PrintTestSupport
import Testing

struct OutcomeTests {
    let folder: TemporaryFolder
    let worker = DocumentWorker()

    init() throws { folder = try TemporaryFolder() }

    private func file(_ bytes: [UInt8], _ name: String = "a.pdf") throws -> InputDocument {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
        return InputDocument(path: folder.path(name))
    }

    private func prepare(_ document: InputDocument, to output: String? = nil, pages: String = "1-") async throws
        -> PreparedDocument
    {
        var imposition = Imposition(paper: PrintPaper(media: .a4))
        imposition.pageRanges = try PageRanges(pages)
        return try await worker.prepare(
            PrepareRequest(
                documents: [document], imposition: imposition, output: output ?? folder.path("prepared.pdf")))
    }

    /// Expects inspecting and preparing a document to fail with the same error, and returns the error message.
    private func refusal(_ document: InputDocument, _ code: WorkError.Code) async throws -> String {
        let inspecting = await #expect(throws: WorkError.self) { try await worker.inspect(document) }
        let preparing = await #expect(throws: WorkError.self) { try await prepare(document) }
        #expect(inspecting?.code == code)
        #expect(preparing?.code == code)
        #expect(preparing?.message == inspecting?.message)
        #expect(!FileManager.default.fileExists(atPath: folder.path("prepared.pdf")))
        return try #require(inspecting).message
    }

    // MARK: - Inspecting

    @Test func `the inspection of a document returns the number of pages, the page size and the title`() async throws {
        var pdf = PDFBuilder(title: "Two pages")
        pdf.addPage(width: 200, height: 100) { page in
            page.cropBox = .init(x: 10, y: 0, width: 100, height: 40)
            page.rotate = 90
            page.userUnit = 2
        }
        pdf.addPage(.a4)
        let summary = try await worker.inspect(try file(pdf.bytes))
        #expect(
            summary
                == DocumentSummary(
                    format: .pdf, pageCount: 2, firstPageSize: Size(width: 80, height: 200), title: "Two pages"))
    }

    @Test func `a page inherits boxes and rotation from the page tree`() async throws {
        let pdf = HandMadePDF(
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [300 200 0 0] /Rotate -90 >>",
            "<< /Type /Pages /Parent 2 0 R /Kids [4 0 R] /Count 1 /CropBox [0 0 100 1000] >>",
            "<< /Type /Page /Parent 3 0 R >>")
        #expect(try await worker.inspect(try file(pdf.bytes)).firstPageSize == Size(width: 200, height: 100))
    }

    // MARK: - Refusals

    @Test func `a missing file, a folder and a pipe cause different error messages`() async throws {
        let missing = folder.path("missing.pdf")
        #expect(
            try await refusal(InputDocument(path: missing), .documentMissing)
                == "there is no file '\(missing)'; check the name")
        #expect(
            try await refusal(InputDocument(path: folder.path), .documentMissing)
                == "'\(folder.path)' is a folder; choose a document in the folder")
        #expect(try run("mkfifo", folder.path("pipe")).status == 0)
        #expect(
            try await refusal(InputDocument(path: folder.path("pipe")), .documentMissing)
                == "'\(folder.path("pipe"))' is not a regular file; choose a regular file")
    }

    @Test func `an empty file and a damaged file cause different error messages`() async throws {
        #expect(
            try await refusal(try file([]), .damaged)
                == "a.pdf is empty; save the document again and submit the new file")
        let bytes = PDFBuilder.numbered(pages: 3).bytes
        #expect(
            try await refusal(try file(Array(bytes.prefix(20))), .damaged)
                == "a.pdf is damaged beyond repair; open the document in a viewer and save a new copy")
    }

    @Test func `the error for an unsupported file contains the file type`() async throws {
        #expect(
            try await refusal(try file([0x89, 0x50, 0x4E, 0x47], "a.png"), .unsupportedFormat)
                == "unsupported file type image/png: a.png; save the document as PDF and print the PDF")
        #expect(
            try await refusal(try file([0xFF, 0xD8, 0xFF, 0xE0], "a.jpg"), .damaged)
                == "the JPEG image 'a.jpg' cannot be decoded; check that the image opens in another viewer, and send the "
                + "image again")
        #expect(
            try await refusal(try file(Array("hello".utf8), "a.txt"), .unsupportedFormat)
                == "unsupported file type: a.txt; save the document as PDF and print the PDF")
        var declared = try file(Array("hello".utf8))
        declared.format = .pdf
        #expect(
            try await refusal(declared, .unsupportedFormat)
                == "a.pdf was submitted as PDF, but is not a PDF; save the document as PDF and print the PDF")
    }

    @Test func `a document without pages is refused`() async throws {
        let pdf = HandMadePDF("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>")
        #expect(
            try await refusal(try file(pdf.bytes), .noPages)
                == "a.pdf has no pages; check that the correct document was submitted")
    }

    @Test func `the preparation fails with the error code 'damaged' if a document has no readable pages`() async throws
    {
        let pdf = HandMadePDF(
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Rotate 99999999999999999999 >>")
        #expect(
            try await refusal(try file(pdf.bytes), .damaged)
                == "a.pdf is damaged and has no readable pages; open the document in a viewer and save a new copy")
    }

    @Test func `the error for page ranges beyond the document contains the valid range`() async throws {
        let document = try file(PDFBuilder.numbered(pages: 3).bytes)
        let error = await #expect(throws: WorkError.self) { try await prepare(document, pages: "7-9,12") }
        #expect(error?.code == .noPages)
        #expect(error?.message == "pages 7-9,12 of a.pdf are out of range (1-3)")
    }

    // MARK: - Encrypted

    @Test func `a missing password and an incorrect password cause different error messages`() async throws {
        var document = try file(EncryptedPDF.userPassword)
        #expect(
            try await refusal(document, .passwordRequired)
                == "a.pdf is encrypted and requires a password; enter the password with 'printq submit --password', or "
                + "print a copy without a password")
        document.password = "wrong"
        #expect(
            try await refusal(document, .passwordRequired)
                == "incorrect password for a.pdf; enter the password with which the document was encrypted")
    }

    @Test(arguments: ["secret", "owner"])
    func `the correct password opens the document, and the prepared PDF needs no password`(password: String)
        async throws
    {
        var document = try file(EncryptedPDF.userPassword)
        document.password = password
        #expect(try await worker.inspect(document).isEncrypted)
        _ = try await prepare(document)
        #expect(try await !worker.inspect(InputDocument(path: folder.path("prepared.pdf"))).isEncrypted)
    }

    @Test func `a document with only an owner password is printed even if an incorrect password is given`() async throws
    {
        var document = try file(EncryptedPDF.ownerPasswordOnly)
        document.password = "wrong"
        #expect(try await prepare(document).pages == 1)
    }

    // MARK: - Repair

    @Test func `a repairable document is repaired, and a notice reports the repair`() async throws {
        let whole = String(decoding: PDFBuilder.numbered(pages: 3).bytes, as: UTF8.self)
        guard let start = whole.firstRange(of: "startxref\n")?.upperBound else { return #expect(Bool(false)) }
        let document = try file(Array((whole[..<start] + "7\n%%EOF\n").utf8))
        #expect(try await worker.inspect(document).pageCount == 3)
        let prepared = try await prepare(document)
        #expect(prepared.pages == 3)
        #expect(prepared.notices.count == 1)
        #expect(prepared.notices[0].hasPrefix("a.pdf is damaged and was repaired as far as possible: "))
    }

    // MARK: - Writing

    @Test func `a write to an unwritable path fails with the reason and leaves no files`() async throws {
        let document = try file(PDFBuilder.numbered(pages: 1).bytes)
        let output = folder.path("missing/prepared.pdf")
        let error = await #expect(throws: WorkError.self) { try await prepare(document, to: output) }
        #expect(error?.code == .writeFailed)
        #expect(
            error?.message
                == "cannot write '\(output)': No such file or directory; free some space or choose another folder")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.pdf"])
    }

    @Test func `a full disk causes a write error, and not the error for a damaged document`() throws {
        var status = cqpdf_status()
        let document = try #require(cqpdf_open(try file(PDFBuilder.numbered(pages: 1).bytes).path, nil, &status))
        defer { cqpdf_close(document) }
        var count = 0
        #expect(cqpdf_page_count(document, &count, &status))
        var handle: OpaquePointer? = document
        var placement = cqpdf_placement()
        placement.as_it_is = true
        var side = cqpdf_side(first: 0, count: 1)
        var order: UInt32 = 0
        var plan = cqpdf_plan()
        withUnsafePointer(to: &handle) { handles in
            withUnsafePointer(to: &placement) { placements in
                withUnsafePointer(to: &side) { sides in
                    withUnsafePointer(to: &order) { order in
                        (plan.documents, plan.document_count) = (handles, 1)
                        (plan.placements, plan.placement_count) = (placements, 1)
                        (plan.sides, plan.side_count, plan.order, plan.order_count) = (sides, 1, order, 1)
                        (plan.paper_width, plan.paper_height) = (100, 100)
                        #expect(!cqpdf_impose(&plan, "/dev/full", nil, nil, &status))
                    }
                }
            }
        }
        #expect(status.code == CQPDF_UNWRITABLE)
        #expect(status.system_error == 28)
    }

    @Test func `a request for too many copies is refused before the document is prepared`() async throws {
        let document = try file(PDFBuilder.numbered(pages: 3).bytes)
        var imposition = Imposition(paper: PrintPaper(media: .a4))
        imposition.copies = 1_000_000_000
        let request = PrepareRequest(documents: [document], imposition: imposition, output: folder.path("prepared.pdf"))
        let error = await #expect(throws: WorkError.self) { try await worker.prepare(request) }
        #expect(error?.code == .outputTooLarge)
    }

    @Test func `if the task is canceled, the preparation stops and leaves no file`() async throws {
        let document = try file(PDFBuilder.numbered(pages: 3).bytes)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await prepare(document)
        }
        let error = await #expect(throws: WorkError.self) { try await task.value }
        #expect(error?.code == .canceled)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.pdf"])
    }
}
