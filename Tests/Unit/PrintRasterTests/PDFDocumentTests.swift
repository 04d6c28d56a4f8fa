import FoundationEssentials
import PrintRaster
import PrintTestSupport
import Testing

struct PDFDocumentTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ bytes: [UInt8], name: String = "test.pdf", password: String? = nil) throws -> PDFDocument {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
        return try PDFDocument(path: folder.path(name), password: password)
    }

    @Test func `an open PDF document provides its page count, page sizes, title and text`() throws {
        var pdf = PDFBuilder(title: "Quarterly (draft)")
        pdf.addPage(.a4) { $0.text("Hello, paper", x: 72, y: 700) }
        pdf.addPage(.letter.landscape)
        let document = try open(pdf.bytes)
        #expect(document.pageCount == 2)
        #expect(document.title == "Quarterly (draft)")
        #expect(try document.pageSize(at: 0) == .init(width: 595, height: 842))
        #expect(try document.pageSize(at: 1) == .init(width: 792, height: 612))
        #expect(try document.text(at: 0).contains("Hello, paper"))
        #expect(try document.text(at: 1) == "")
    }

    @Test func `the text of a page is available after the page was drawn`() throws {
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.text("Hello, paper", x: 72, y: 700) }
        let document = try open(pdf.bytes)
        #expect(try !document.render(page: 0, dpi: 72).isBlank)
        #expect(try document.text(at: 0).contains("Hello, paper"))
    }

    @Test func `a page shows nothing of the page that was drawn before`() throws {
        // The ink of the first page extends beyond the lower edge of the page.
        let pages = ["0 0 0 rg 10 -40 30 70 re f", "", "1 0 0 rg 20 50 20 5 re f"]
        let all = try open(SharedResourcePDF(width: 60, height: 60, content: pages[0], pages[1], pages[2]).bytes)
        for (pixelsPerBand, index) in [(60 * 60, 0), (60 * 7, 0), (60 * 60, 1), (60 * 7, 1), (60 * 60, 2)] {
            all.pixelsPerBand = 60 * 60
            _ = try all.render(page: 0, dpi: 72)
            all.pixelsPerBand = pixelsPerBand
            let alone = try open(SharedResourcePDF(width: 60, height: 60, content: pages[index]).bytes, name: "one.pdf")
            #expect(try all.render(page: index, dpi: 72) == alone.render(page: 0, dpi: 72))
            #expect(try all.render(page: index, dpi: 72).isGray == (index < 2))
        }
    }

    @Test func `the title of a document without a title is nil`() throws {
        #expect(try open(PDFBuilder.numbered(pages: 1).bytes).title == nil)
    }

    @Test func `a document can be opened if the file name contains characters that must be escaped in URLs`() throws {
        let document = try open(PDFBuilder.numbered(pages: 1).bytes, name: "50% #1 ä?.pdf")
        #expect(document.pageCount == 1)
    }

    @Test func `the size of a page is the size of the crop box`() throws {
        var pdf = PDFBuilder()
        pdf.addPage(width: 100, height: 80) { page in
            page.cropBox = .init(x: 10, y: 20, width: 60, height: 50)
        }
        #expect(try open(pdf.bytes).pageSize(at: 0) == .init(width: 60, height: 50))
    }

    @Test func `if a page is rotated by a quarter turn, the width and the height are swapped`() throws {
        var pdf = PDFBuilder()
        pdf.addPage(width: 100, height: 80) { $0.rotate = 270 }
        #expect(try open(pdf.bytes).pageSize(at: 0) == .init(width: 80, height: 100))
    }

    @Test func `the user unit of a page does not apply to other pages`() throws {
        var pdf = PDFBuilder()
        pdf.addPage(width: 100, height: 80) { $0.userUnit = 2.5 }
        pdf.addPage(width: 100, height: 80)
        let document = try open(pdf.bytes)
        #expect(try document.pageSize(at: 0) == .init(width: 250, height: 200))
        #expect(try document.pageSize(at: 1) == .init(width: 100, height: 80))
    }

    @Test func `an encrypted document opens only with the user password or the owner password`() throws {
        for password in ["secret", "owner"] {
            #expect(try open(EncryptedPDF.userPassword, password: password).pageCount == 1)
        }
        let missing = #expect(throws: RasterError.self) { try open(EncryptedPDF.userPassword) }
        #expect(missing?.code == .encrypted)
        let wrong = #expect(throws: RasterError.self) { try open(EncryptedPDF.userPassword, password: "guess") }
        #expect(wrong?.code == .encrypted)
        #expect(wrong?.message != missing?.message)
    }

    @Test(arguments: [nil, "a password it does not need"])
    func `a document with only an owner password opens with any password or without a password`(password: String?)
        throws
    {
        let document = try open(EncryptedPDF.ownerPasswordOnly, password: password)
        expectPixels(try document.render(page: 0, dpi: 72), "RR__")
    }

    @Test func `if a file is not a PDF, the error contains the path and a reason`() throws {
        let path = folder.path("missing.pdf")
        let missing = #expect(throws: RasterError.self) { try PDFDocument(path: path) }
        #expect(missing?.code == .unreadable)
        #expect(missing?.message.contains(path) == true)
        #expect(missing?.cause?.isEmpty == false)

        let noise = #expect(throws: RasterError.self) { try open(Array("not a document at all".utf8)) }
        #expect(noise?.code == .unreadable)
        let nothing = #expect(throws: RasterError.self) { try open([]) }
        #expect(nothing?.code == .unreadable)
    }

    @Test func `a document without pages is rejected with the error code 'empty'`() throws {
        let error = #expect(throws: RasterError.self) { try open(PDFBuilder().bytes) }
        #expect(error?.code == .empty)
    }
}
