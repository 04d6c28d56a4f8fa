// Tests documents that have unusual damage or encryption but can be printed.

import Foundation
import PrintDocuments
import PrintModel
import PrintTestSupport
import Testing

struct DamagedTests {
    private var document: PDFBuilder {
        var pdf = PDFBuilder()
        pdf.addPage(width: 120, height: 60) { $0.fill(.red, x: 0, y: 0, width: 60, height: 60) }
        pdf.addPage(width: 120, height: 60) { $0.fill(.blue, x: 60, y: 0, width: 60, height: 60) }
        return pdf
    }

    private func text(_ pdf: PDFBuilder) -> String { String(decoding: pdf.bytes, as: UTF8.self) }

    /// Returns a document with 40 pages whose object stream is damaged near the end.
    ///
    /// Poppler can read the objects before the damage.
    private func damagedObjectStream() throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let (source, packed) = (folder.path("source.pdf"), folder.path("packed.pdf"))
        var pdf = PDFBuilder()
        for _ in 0..<40 {
            pdf.addPage(width: 120, height: 60) { $0.fill(.red, x: 0, y: 0, width: 60, height: 60) }
        }
        try Data(pdf.bytes).write(to: URL(fileURLWithPath: source))
        _ = try run("qpdf", "--object-streams=generate", source, packed)
        let whole = try Data(contentsOf: URL(fileURLWithPath: packed))
        let objects = try #require(whole.firstRange(of: Data("/ObjStm".utf8)))
        let end = try #require(whole.range(of: Data("endstream".utf8), in: objects.upperBound..<whole.count))
        for distance in 90..<300 {
            var bytes = [UInt8](whole)
            bytes[end.lowerBound - distance] = 0xFF
            try Data(bytes).write(to: URL(fileURLWithPath: packed))
            let isRefused = try run("qpdf", packed, folder.path("out.pdf")).status == 2
            if isRefused, try run("pdfinfo", packed).output.contains("Pages:           40") { return bytes }
        }
        throw CommandFailure(command: ["found no damage that qpdf rejects and pdfinfo accepts"])
    }

    @Test func `a PDF without a header is printed`() async throws {
        let bytes = Array(
            text(document).replacing("%PDF-1.7", with: "-------").replacing("%PDF-1.4", with: "-------").utf8)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("%PDF"))
        let sheets = try await PreparedSheets(files: [bytes], format: .pdf)
        expectPixels(try sheets.side(0), "R_")
        expectPixels(try sheets.side(1), "_B")
        #expect(sheets.result.notices.count == 1)
    }

    @Test func `a text file is refused if the file is declared as PDF`() async throws {
        let error = await #expect(throws: WorkError.self) {
            try await PreparedSheets(files: [Array("Dear Sir or Madam,\n".utf8)], format: .pdf)
        }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.message.contains("was submitted as PDF, but is not a PDF") == true)
    }

    @Test func `if only poppler can read a document, the document is converted to a new PDF`() async throws {
        let sheets = try await PreparedSheets(files: [try damagedObjectStream()])
        expectPixels(try sheets.side(0), "R_")
        #expect(
            sheets.result.notices.first
                == "document-1.pdf is damaged; its 40 pages were drawn again as far as possible")
    }

    @Test func `a document without a cross-reference table and a trailer is printed`() async throws {
        let whole = text(document)
        let cut = try #require(whole.range(of: "\nxref"))
        let sheets = try await PreparedSheets(files: [Array(whole[..<cut.lowerBound].utf8)])
        expectPixels(try sheets.side(0), "R_")
        expectPixels(try sheets.side(1), "_B")
        #expect(sheets.result.notices.count == 1)
    }

    /// Returns a document with one page of 120 × 60 points and the given content.
    private func page(content: String) -> HandMadePDF {
        HandMadePDF(
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 120 60] /Contents 4 0 R >>", stream: "<< >>", content)
    }

    @Test(arguments: [60.0, 80], ["0 cm", "[0 1] 2 rg", "/F Tf", "0 0 m (text) 0 0 10 l 5 c"])
    func `page content is drawn even if it follows an operator with missing operands`(height: Double, damage: String)
        async throws
    {
        let damaged = page(content: "1 0 0 rg 0 0 60 60 re f \(damage) 0 0 1 rg 60 0 60 60 re f")
        // A page with the paper's size and a page that is moved on the paper use different code.
        let sheets = try await PreparedSheets(files: [damaged.bytes], paper: (120, height)) { $0.scaling = .fit }
        expectPixels(try sheets.side(0), height == 60 ? "RB" : "__\nRB\nRB\nRB\nRB\nRB\nRB\n__")
        #expect(
            sheets.result.notices == [
                "document-1.pdf is damaged and was repaired as far as possible: an operator lacks operands"
            ])
    }

    @Test(arguments: [60.0, 80])
    func `page content in a run-length encoded stream is drawn`(height: Double) async throws {
        var pdf = RawPDF()
        let left = "1 0 0 rg 0 0 60 60 re f "
        let first = pdf.stream("/Filter /RunLengthDecode", [UInt8(left.utf8.count - 1)] + Array(left.utf8) + [128])
        let second = pdf.stream("", "0 0 1 rg 60 0 60 60 re f")
        pdf.page(box: "[0 0 120 60]", contents: pdf.add("[\(first) 0 R \(second) 0 R]"))
        let sheets = try await PreparedSheets(files: [pdf.bytes], paper: (120, height)) { $0.scaling = .fit }
        expectPixels(try sheets.side(0), height == 60 ? "RB" : "__\nRB\nRB\nRB\nRB\nRB\nRB\n__")
    }

    @Test func `an inline image is not changed even if its bytes look like damaged operators`() async throws {
        // The data of the inline image has nine bytes for three pixels.
        let image = "BI /W 3 /H 1 /BPC 8 /CS /RGB ID \n cm re f EI"
        let whole = page(content: "1 0 0 rg 0 0 60 60 re f q 1 0 0 1 0 -5 cm \(image) Q 0 0 1 rg 60 0 60 60 re f")
        let sheets = try await PreparedSheets(files: [whole.bytes])
        expectPixels(try sheets.side(0), "RB")
        #expect(sheets.result.notices.isEmpty)
    }

    @Test func `a missing page is replaced with a page that contains a notice`() async throws {
        let holed = HandMadePDF(
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R 99 0 R 4 0 R] /Count 3 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 120 60] >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 120 60] >>")
        let sheets = try await PreparedSheets(files: [holed.bytes])
        #expect(try sheets.words() == "- Page+2+is+missing+from+the+document. -")
        #expect(sheets.result.notices.count == 1)
    }

    @Test func `a job that requires fidelity fails if a page is missing`() async throws {
        let holed = HandMadePDF(
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R 99 0 R] /Count 2 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 120 60] >>")
        let error = await #expect(throws: WorkError.self) {
            try await PreparedSheets(files: [holed.bytes], requiresFidelity: true)
        }
        #expect(error?.code == .damaged)
        #expect(
            error?.message
                == "document-1.pdf lacks 1 of its pages; save a new copy, or print without --fidelity")
    }

    @Test func `a document is printed if only its attachments are encrypted`() async throws {
        var pdf = text(document)
        // The values of /O and /U match no known password. The password is needed only for attachments
        // (ISO 32000-1 §7.6.5).
        let key = String(repeating: "41", count: 32)
        let encryption = """
            /Encrypt << /Filter /Standard /V 4 /R 4 /Length 128 /P -4 /O <\(key)> /U <\(key)>
              /CF << /StdCF << /CFM /AESV2 /AuthEvent /EFOpen /Length 16 >> >>
              /StmF /Identity /StrF /Identity /EFF /StdCF >> /ID [<00112233> <00112233>]
            """
        pdf = pdf.replacing("/Root", with: "\(encryption) /Root")
        let sheets = try await PreparedSheets(files: [Array(pdf.utf8)])
        expectPixels(try sheets.side(0), "R_")
    }

    @Test func `a document requires a password if its pages are encrypted`() async throws {
        let error = await #expect(throws: WorkError.self) {
            try await PreparedSheets(files: [EncryptedPDF.userPassword])
        }
        #expect(error?.code == .passwordRequired)
    }
}
