import FoundationEssentials
import PrintGraphics
import PrintTestSupport
import Testing

/// Tests of reading the properties of PDFs.
struct PDFReadingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns the path of a document with two pages, as Ghostscript writes it.
    ///
    /// The first page is cropped, and the second page is rotated.
    private func foreignDocument() async throws -> String {
        let program = """
            %!PS
            [ /Title (Bericht) /Author (Ada) /Subject (Numbers) /Keywords (one, two) /Creator (hand) /DOCINFO pdfmark
            << /PageSize [400 300] >> setpagedevice
            /Helvetica 20 selectfont 50 200 moveto (First page) show
            [ /Rect [50 190 150 220] /Action << /Subtype /URI /URI (https://example.org/x) >> /Subtype /Link /ANN pdfmark
            [ /Rect [50 90 150 120] /Page 2 /View [/XYZ 20 250 null] /Subtype /Link /ANN pdfmark
            [ /Title (Chapter 1) /Page 1 /View [/FitH 250] /Count 2 /OUT pdfmark
            [ /Title (Section 1.1) /Page 1 /View [/XYZ 30 150 0] /OUT pdfmark
            [ /Title (Section 1.2) /Page 2 /View [/Fit] /OUT pdfmark
            [ /Title (Chapter 2) /Page 2 /View [/XYZ 20 250 0] /OUT pdfmark
            [ /CropBox [20 30 380 270] /PAGE pdfmark
            showpage
            /Helvetica 20 selectfont 50 200 moveto (Second page) show
            [ /Rotate 90 /PAGE pdfmark
            showpage
            """
        try Data(program.utf8).write(to: URL(filePath: folder.path("foreign.ps")))
        let path = folder.path("foreign.pdf")
        let run = try await ProgramRun(
            "/usr/bin/gs", ["-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-sOutputFile=\(path)", "foreign.ps"],
            environment: ["PATH": "/usr/bin"], in: folder.path)
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
        return path
    }

    @Test func `the properties and boxes of another program's PDF are the ones that pdfinfo prints`() async throws {
        let path = try await foreignDocument()
        let file = try PDFFile(path: path)
        let info = try file.info()
        #expect(info.title == "Bericht" && info.author == "Ada" && info.subject == "Numbers" && info.creator == "hand")
        #expect(info.keywords == ["one", "two"])
        let told = try await run("pdfinfo", "-isodates", "-box", path)
        let date = try #require(info.creationDate).formatted(Date.ISO8601FormatStyle())
        #expect(told.contains("CreationDate:    \(date.dropLast())"))
        let (first, second) = (try #require(file.page(at: 0)), try #require(file.page(at: 1)))
        #expect(first.box(.media) == Rect(x: 0, y: 0, width: 400, height: 300) && first.rotation == 0)
        for box in PDFPage.Box.allCases where box != .media {
            #expect(first.box(box) == Rect(x: 20, y: 30, width: 360, height: 240), "\(box)")
            #expect(told.contains("\(box.rawValue.dropFirst()):"))
        }
        #expect(second.rotation == 90 && second.size == Size(width: 300, height: 400))
    }

    @Test func `links and outline entries of another program's PDF have places on the displayed pages`() async throws {
        let file = try PDFFile(path: try await foreignDocument())
        let turned = PDFLink.Target.page(1, at: Point(x: 250, y: 20))
        #expect(
            try file.page(at: 0)?.links() == [
                PDFLink(
                    rect: Rect(x: 30, y: 50, width: 100, height: 30), target: .url("https://example.org/x")),
                PDFLink(rect: Rect(x: 30, y: 150, width: 100, height: 30), target: turned),
            ])
        #expect(try file.page(at: 1)?.links() == [])
        #expect(
            try file.outline() == [
                PDFFile.OutlineEntry(
                    title: "Chapter 1", target: .page(0, at: Point(x: 0, y: 20)),
                    children: [
                        PDFFile.OutlineEntry(title: "Section 1.1", target: .page(0, at: Point(x: 10, y: 120))),
                        PDFFile.OutlineEntry(title: "Section 1.2", target: .page(1, at: .zero)),
                    ]),
                PDFFile.OutlineEntry(title: "Chapter 2", target: turned),
            ])
    }

    @Test func `a PDF in memory has the outline, links, boxes, properties and attachments with which it was drawn`()
        throws
    {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let info = DocumentInfo(
            title: "Größe 章", author: "Ada", keywords: ["a", "b c"], creator: "me", creationDate: date)
        let table = Data("a,b\n1,2\n".utf8)
        let data = try PDFContext.data(bounds: Rect(x: 0, y: 0, width: 200, height: 100), info: info) { pdf in
            pdf.beginPage()
            pdf.setDestination("end", for: Rect(x: 10, y: 20, width: 30, height: 40))
            pdf.setURL(
                try #require(URL(string: "https://example.org/a%20b")), for: Rect(x: 50, y: 0, width: 10, height: 10))
            pdf.addOutlineEntry("One")
            pdf.addOutlineEntry("One.One", level: 1, at: Point(x: 5, y: 60))
            pdf.beginPage(
                bounds: Rect(x: 0, y: 0, width: 100, height: 50),
                boxes: PageBoxes(trim: Rect(x: 10, y: 5, width: 80, height: 40)))
            pdf.addDestination("end", at: Point(x: 20, y: 30))
            pdf.addOutlineEntry("Two")
            pdf.attach(table, name: "Zahlen.csv", type: "text/csv", description: "The figures")
            pdf.addMetadata(Data("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8))
        }
        let file = try PDFFile(data: data)
        #expect(file.pageCount == 2)
        #expect(try file.info() == info)
        let target = PDFLink.Target.page(1, at: Point(x: 20, y: 30))
        #expect(
            try file.page(at: 0)?.links() == [
                PDFLink(rect: Rect(x: 10, y: 20, width: 30, height: 40), target: target),
                PDFLink(rect: Rect(x: 50, y: 0, width: 10, height: 10), target: .url("https://example.org/a%20b")),
            ])
        let below = PDFFile.OutlineEntry(title: "One.One", target: .page(0, at: Point(x: 5, y: 60)))
        #expect(
            try file.outline() == [
                PDFFile.OutlineEntry(title: "One", target: .page(0, at: .zero), children: [below]),
                PDFFile.OutlineEntry(title: "Two", target: .page(1, at: .zero)),
            ])
        #expect(file.page(at: 1)?.box(.trim) == Rect(x: 10, y: 5, width: 80, height: 40))
        #expect(file.page(at: 1)?.box(.art) == Rect(x: 0, y: 0, width: 100, height: 50))
        let attachment = try #require(try file.attachments().first)
        #expect(attachment.name == "Zahlen.csv" && attachment.type == "text/csv")
        #expect(attachment.description == "The figures" && attachment.relationship == nil)
        #expect(try file.data(ofAttachment: "Zahlen.csv") == table)
        #expect(try file.data(ofAttachment: "none") == nil)
        #expect(try file.metadata() == Data("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8))
    }

    @Test func `a PDF without outline, links, properties and attachments has empty lists`() throws {
        let file = try PDFFile(data: PDFBuilder.numbered(pages: 1).bytes)
        #expect(try file.outline().isEmpty && file.attachments().isEmpty && file.metadata() == nil)
        #expect(try file.page(at: 0)?.links() == [])
        #expect(try file.info() == DocumentInfo())
    }

    @Test func `an outline that refers to itself is read once`() throws {
        var data = try PDFContext.data { pdf in
            pdf.beginPage()
            pdf.addOutlineEntry("One")
            pdf.addOutlineEntry("Two")
        }
        // The second entry is its own successor: the key that referred to the first entry has the same length.
        let (entry, loop) = (Array("/Prev".utf8), Array("/Next".utf8))
        let place = try #require(data.indices.first { data[$0...].starts(with: entry) })
        let rest = data[place...]
        let reference = try #require(rest.dropFirst(6).split(separator: UInt8(ascii: "R")).first)
        #expect(String(decoding: reference, as: UTF8.self).hasSuffix(" 0 "))
        data.replaceSubrange(place..<place + 5, with: loop)
        #expect(try PDFFile(data: data).outline().map(\.title) == ["One", "Two"])
    }

    @Test func `data can be drawn, extracted and rejected as a file can`() throws {
        expectFailure(.damaged) { _ = try PDFFile(data: Data("no PDF".utf8)) }
        let failure = #expect(throws: GraphicsError.self) { _ = try PDFFile(data: EncryptedPDF.userPassword) }
        #expect(failure?.code == .passwordRequired && failure?.message.contains("the PDF data") == true)
        let file = try PDFFile(data: PDFBuilder.numbered(pages: 4).bytes)
        try file.write(pages: [1, 3], to: folder.path("some.pdf"))
        #expect(try PDFFile(path: folder.path("some.pdf")).pageCount == 2)
        let page = try #require(file.page(at: 2))
        let data = try PDFContext.data { pdf in
            pdf.beginPage()
            page.draw(at: .zero)
        }
        #expect(try PDFFile(data: data).pageCount == 1)
    }
}
