import FoundationEssentials
import PDFRendering
import PrintGraphics
import PrintTestSupport
import Testing

/// Tests of PDF/A documents.
struct ConformanceTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("archive.pdf") }

    /// Draws each kind of content: text in several kinds of fonts, images, transparency, gradients, links and a page of
    /// another PDF.
    private func draw(on pdf: PDFContext) throws {
        pdf.beginPage()
        for (index, family) in ["DejaVu Sans", "Nimbus Roman", "IPAGothic"].enumerated() {
            "Text fi ﬃ שלום 日本語 \(index)".draw(
                at: Point(x: 50, y: 50 + Double(index) * 30), with: Font(family: family, size: 14))
        }
        let pixels = (0..<300).map { UInt8($0 % 256) }
        try Image(width: 10, height: 10, rgb: pixels).draw(in: Rect(x: 50, y: 200, width: 100, height: 100))
        let clear = (0..<400).map { UInt8($0 % 200) }
        try Image(width: 10, height: 10, rgba: clear).draw(in: Rect(x: 160, y: 200, width: 100, height: 100))
        pdf.fillColor = Color(cyan: 1, magenta: 0, yellow: 0, black: 0, alpha: 0.5)
        pdf.fill(Rect(x: 50, y: 320, width: 50, height: 50))
        pdf.withSavedState { pdf in
            pdf.clip(to: Rect(x: 120, y: 320, width: 50, height: 50))
            pdf.drawLinearGradient(
                Gradient(colors: [.orange, .purple]), from: Point(x: 120, y: 320), to: Point(x: 170, y: 370))
        }
        pdf.setDestination("end", for: Rect(x: 50, y: 400, width: 50, height: 20))
        pdf.setURL(
            try #require(URL(string: "https://example.org")), for: Rect(x: 50, y: 430, width: 50, height: 20))
        pdf.addOutlineEntry("First")
        let other = try PDFContext.data { other in
            other.beginPage()
            "placed".draw(at: .zero, with: .system(ofSize: 12))
        }
        pdf.beginPage()
        pdf.addDestination("end", at: .zero)
        try #require(try PDFFile(data: other).page(at: 0)).draw(in: Rect(x: 0, y: 0, width: 100, height: 100))
    }

    private let info = DocumentInfo(
        title: "Größe <&> 章", author: "Ada", subject: "Rules", keywords: ["one", "two"], creator: "tests",
        language: "de", conformance: .pdfA2b)

    private func check() async throws { _ = try await run("qpdf", "--check", path) }

    @Test func `a document with text, images, transparency, links and placed pages conforms to PDF/A-2b`() async throws
    {
        try PDFContext.write(to: path, info: info) { try draw(on: $0) }
        try await check()
        #expect(try await ArchiveRules(path).violations(part: 2) == [])
        let file = try PDFFile(path: path)
        #expect(try file.info().title == info.title)
        #expect(try file.text()[0].contains("日本語") && file.text()[1].contains("placed"))
        #expect(try file.outline().map(\.title) == ["First"])
    }

    @Test func `a document without properties and pages with text conforms to PDF/A-2b`() async throws {
        try PDFContext.write(to: path, info: DocumentInfo(conformance: .pdfA2b)) { $0.beginPage() }
        #expect(try await ArchiveRules(path).violations(part: 2) == [])
    }

    @Test func `an invoice with its XML conforms to PDF/A-3b, and states its profile`() async throws {
        let xml = Data("<rsm:CrossIndustryInvoice xmlns:rsm='urn:x'/>".utf8)
        var info = info
        info.conformance = .pdfA3b
        try PDFContext.write(to: path, info: info) { pdf in
            try draw(on: pdf)
            pdf.attachInvoice(xml, profile: .en16931)
            pdf.attach(Data("a,b".utf8), name: "lines.csv")
        }
        try await check()
        #expect(try await ArchiveRules(path).violations(part: 3) == [])
        let file = try PDFFile(path: path)
        #expect(try file.data(ofAttachment: "factur-x.xml") == xml)
        let relationships = try file.attachments().map { "\($0.name) \($0.type) \($0.relationship?.rawValue ?? "-")" }
        #expect(
            relationships == [
                "factur-x.xml text/xml Alternative", "lines.csv application/octet-stream Unspecified",
            ])
        let metadata = String(decoding: try #require(try file.metadata()), as: UTF8.self)
        #expect(metadata.contains("<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>"))
        #expect(metadata.contains("<pdfaSchema:prefix>fx</pdfaSchema:prefix>"))
    }

    @Test func `a document without conformance breaks the rules`() async throws {
        var info = info
        info.conformance = nil
        try PDFContext.write(to: path, info: info) { pdf in
            try draw(on: pdf)
            pdf.attach(Data("a,b".utf8), name: "lines.csv")
        }
        let broken = try await ArchiveRules(path).violations(part: 2)
        for rule in [
            "the document has an output intent of PDF/A", "the document has metadata", "images are not interpolated",
            "only PDF/A-3 has attachments", "attachments are described",
        ] { #expect(broken.contains(rule), "\(rule)") }
    }

    @Test func `a password, other metadata, an attachment and a CMYK profile are errors`() throws {
        var info = DocumentInfo(conformance: .pdfA2b, userPassword: "u")
        expectFailure(.nonconforming) { _ = try PDFContext(info: info) }
        info.userPassword = nil
        func expectRefusal(_ info: DocumentInfo, _ draw: (PDFContext) -> Void) {
            expectFailure(.nonconforming) {
                try PDFContext.write(to: path, info: info) { pdf in
                    pdf.beginPage()
                    draw(pdf)
                }
            }
        }
        expectRefusal(info) { $0.addMetadata(Data("<x/>".utf8)) }
        expectRefusal(info) { $0.attach(Data("a".utf8), name: "a.txt") }
        expectRefusal(info) { $0.attachInvoice(Data("a".utf8), profile: .basic) }
        expectRefusal(DocumentInfo()) { $0.attachInvoice(Data("a".utf8), profile: .basic) }
        var bytes = Array(ICCProfile.sRGB.data)
        bytes.replaceSubrange(16..<20, with: Array("CMYK".utf8))
        expectFailure(.nonconforming) {
            info.outputProfile = try ICCProfile(data: Data(bytes), name: "press")
            _ = try PDFContext(info: info)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a placed page with a font that is not embedded or with CMYK colors is an error`() throws {
        var other = PDFBuilder()
        other.addPage(width: 100, height: 100) { $0.text("no font", x: 10, y: 10) }
        let bare = try #require(try PDFFile(data: other.bytes).page(at: 0))
        let inks = try #require(
            try PDFFile(
                data: PDFContext.data { pdf in
                    pdf.beginPage()
                    pdf.fillColor = Color(cyan: 1, magenta: 0, yellow: 0, black: 0)
                    pdf.fill(Rect(x: 0, y: 0, width: 10, height: 10))
                }
            ).page(at: 0))
        for (page, words) in [(bare, "font 'Helvetica' of a placed page is not embedded"), (inks, "CMYK")] {
            let failure = #expect(throws: GraphicsError.self) {
                try PDFContext.write(to: path, info: info) { pdf in
                    pdf.beginPage()
                    page.draw(at: .zero)
                }
            }
            #expect(failure?.code == .nonconforming && failure?.message.contains(words) == true, "\(words)")
        }
    }

    @Test func `the output profile of any document is kept`() async throws {
        var info = DocumentInfo()
        info.outputProfile = .sRGB
        try PDFContext.write(to: path, info: info) { $0.beginPage() }
        let text = try await run("qpdf", "--qdf", path, "-")
        #expect(text.contains("/OutputIntents") && text.contains("(sRGB IEC61966-2.1)"))
    }
}
