import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrintWork
import Testing

/// Tests of Office documents with features for which LibreOffice creates controls of its user interface.
@Suite(.enabled(if: OfficeInstallation.find() != nil, "LibreOffice is not installed"))
struct OfficeFeatureTests {
    private let place: OfficeWorkplace

    init() throws { place = try OfficeWorkplace() }

    /// Converts a document that LibreOffice makes from a flat OpenDocument file, and returns the text of the PDF.
    private func text(
        of ending: String, from name: String, _ body: String, as kind: String
    ) async throws -> (pages: Int, text: String) {
        let path = try await OfficeFixtures.shared.make(ending, name: name, text: FlatDocument.xml(kind, body))
        let request = try place.request(path)
        let converted = try await place.pool().convert(request)
        return (converted.pageCount, try await OfficeWorkplace.text(of: request.output))
    }

    @Test(arguments: ["doc", "docx", "odt", "rtf"])
    func `a text document with comments and tracked changes becomes a PDF`(ending: String) async throws {
        let (pages, text) = try await text(of: ending, from: "remarks.fodt", FlatDocument.remarks, as: "text")
        #expect(pages == 1)
        #expect(text.contains("Zebra crossing"))
        #expect(text.contains("Foot note"))
    }

    @Test(arguments: ["xls", "xlsx", "ods"])
    func `a spreadsheet with comments becomes a PDF`(ending: String) async throws {
        let body = """
            <table:table table:name="One"><table:table-row><table:table-cell office:value-type="string">
            \(FlatDocument.comment)<text:p>Pomegranate</text:p></table:table-cell></table:table-row></table:table>
            """
        let (pages, text) = try await text(of: ending, from: "remarks.fods", body, as: "spreadsheet")
        #expect(pages == 1)
        #expect(text.contains("Pomegranate"))
    }

    @Test(arguments: ["ppt", "pptx", "odp"])
    func `a presentation with comments becomes a PDF`(ending: String) async throws {
        let body = """
            <draw:page draw:name="one"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="20cm" svg:height="3cm">
            <draw:text-box><text:p>Giraffe slide</text:p></draw:text-box></draw:frame>
            \(FlatDocument.comment)</draw:page>
            """
        let (pages, text) = try await text(of: ending, from: "remarks.fodp", body, as: "presentation")
        #expect(pages == 1)
        #expect(text.contains("Giraffe slide"))
    }
}

/// OpenDocument files in one XML file, from which LibreOffice makes documents of all types.
enum FlatDocument {
    /// Returns a file of a kind (`text`, `spreadsheet` or `presentation`).
    ///
    /// - Parameters:
    ///   - kind: The name of the kind in OpenDocument.
    ///   - body: The content.
    ///   - head: Elements before the body, such as settings or styles.
    static func xml(_ kind: String, _ body: String, head: String = "") -> String {
        let names = ["office", "text", "table", "form", "style", "config"]
            .map { "xmlns:\($0)=\"urn:oasis:names:tc:opendocument:xmlns:\($0):1.0\"" }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <office:document \(names.joined(separator: " "))
                xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
                xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
                xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"
                office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.\(kind)">
            \(head)<office:body><office:\(kind)>\(body)</office:\(kind)></office:body></office:document>
            """
    }

    static let comment = """
        <office:annotation office:name="a"><dc:creator>A. Reader</dc:creator>\
        <dc:date>2024-01-02T03:04:05</dc:date><text:p>A remark</text:p></office:annotation>
        """

    /// A text with a comment, a tracked insertion and a footnote.
    static let remarks = """
        <text:tracked-changes><text:changed-region text:id="c1"><text:insertion><office:change-info>
        <dc:creator>B. Editor</dc:creator><dc:date>2024-01-02T03:04:05</dc:date>
        </office:change-info></text:insertion></text:changed-region></text:tracked-changes>
        <text:p>Zebra\(comment) crossing<office:annotation-end office:name="a"/>
        <text:change-start text:change-id="c1"/> inserted<text:change-end text:change-id="c1"/>
        <text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>
        <text:note-body><text:p>Foot note</text:p></text:note-body></text:note></text:p>
        """
}
