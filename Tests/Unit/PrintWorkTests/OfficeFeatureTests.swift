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
    func `the notes and the hidden slides of a presentation are printed on request`(ending: String) async throws {
        func frame(_ text: String, _ attributes: String = "") -> String {
            """
            <draw:frame \(attributes) svg:x="2cm" svg:y="2cm" svg:width="15cm" svg:height="3cm">
            <draw:text-box><text:p>\(text)</text:p></draw:text-box></draw:frame>
            """
        }
        let body = """
            <draw:page draw:name="one">\(frame("Giraffe slide"))<presentation:notes>
            \(frame("Speaker words", "presentation:class=\"notes\""))</presentation:notes></draw:page>
            <draw:page draw:name="two" draw:style-name="hidden">\(frame("Hidden slide"))</draw:page>
            """
        let head = """
            <office:automatic-styles><style:style style:name="hidden" style:family="drawing-page">
            <style:drawing-page-properties presentation:visibility="hidden"/></style:style></office:automatic-styles>
            """
        let path = try await OfficeFixtures.shared.make(
            ending, name: "deck.fodp", text: FlatDocument.xml("presentation", body, head: head))
        for (pages, count, expected) in [
            (nil, 1, ["Giraffe slide"]), (.notes, nil, ["Speaker words"]),
            (.hiddenSlides, 2, ["Giraffe slide", "Hidden slide"]),
        ] as [(OfficePages?, Int?, [String])] {
            var request = try place.request(path)
            request.layout.text.office = pages
            let converted = try await place.pool().convert(request)
            if let count { #expect(converted.pageCount == count) }
            let text = try await OfficeWorkplace.text(of: request.output)
            for word in ["Giraffe slide", "Speaker words", "Hidden slide"] where word != "Giraffe slide" || pages == nil
            {
                #expect(text.contains(word) == expected.contains(word), "\(word), \(text)")
            }
        }
    }

    @Test func `only the active sheet of a spreadsheet is printed on request`() async throws {
        func sheet(_ name: String) -> String {
            """
            <table:table table:name="\(name)"><table:table-row><table:table-cell office:value-type="string">
            <text:p>\(name) sheet</text:p></table:table-cell></table:table-row></table:table>
            """
        }
        let head = """
            <office:settings><config:config-item-set config:name="ooo:view-settings">
            <config:config-item-map-indexed config:name="Views"><config:config-item-map-entry>
            <config:config-item config:name="ActiveTable" config:type="string">Second</config:config-item>
            </config:config-item-map-entry></config:config-item-map-indexed></config:config-item-set></office:settings>
            """
        let path = place.folder.path("active.fods")
        let xml = FlatDocument.xml("spreadsheet", sheet("First") + sheet("Second"), head: head)
            .replacing("xmlns:dc=", with: "xmlns:ooo=\"http://openoffice.org/2004/office\" xmlns:dc=")
        let made = try await ProgramRun(
            "/usr/bin/python3", ["-c", Self.packing, path.replacing(".fods", with: ".ods"), xml], environment: [:],
            in: place.folder.path)
        try #require(made.code == 0, "\(made.complaints)")
        for (pages, hasFirst) in [(nil, true), (.activeSheet, false)] as [(OfficePages?, Bool)] {
            var request = try place.request(path.replacing(".fods", with: ".ods"))
            request.layout.text.office = pages
            _ = try await place.pool().convert(request)
            let text = try await OfficeWorkplace.text(of: request.output)
            #expect(text.contains("First sheet") == hasFirst)
            #expect(text.contains("Second sheet"))
        }
    }

    /// A Python program that makes an OpenDocument spreadsheet from the parts of a flat file.
    private static let packing = """
        import re, sys, zipfile
        kind = "application/vnd.oasis.opendocument.spreadsheet"
        flat = sys.argv[2]
        root = re.search(r"<office:document (.*?)office:mimetype=[^>]*>", flat, re.S)[1]
        parts = {
            "settings.xml": ("settings", re.search(r"<office:settings>.*</office:settings>", flat, re.S)[0]),
            "content.xml": ("content", re.search(r"<office:body>.*</office:body>", flat, re.S)[0])}
        with zipfile.ZipFile(sys.argv[1], "w") as file:
            file.writestr("mimetype", kind)
            names = "".join(f'<m:file-entry m:full-path="{name}" m:media-type="text/xml"/>' for name in parts)
            file.writestr("META-INF/manifest.xml",
                '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry '
                f'm:full-path="/" m:media-type="{kind}"/>{names}</m:manifest>')
            for name, (element, content) in parts.items():
                file.writestr(name, f'<office:document-{element} {root}>{content}</office:document-{element}>')
        """

    @Test(arguments: ["doc", "docx", "odt", "rtf"])
    func `numbered comments are printed after a text on request`(ending: String) async throws {
        let path = try await OfficeFixtures.shared.make(
            ending, name: "remarks.fodt", text: FlatDocument.xml("text", FlatDocument.remarks))
        for pages in [nil, OfficePages.comments] {
            var request = try place.request(path)
            request.layout.text.office = pages
            #expect(try await place.pool().convert(request).pageCount == (pages == nil ? 1 : 2))
            let text = try await OfficeWorkplace.text(of: request.output)
            #expect(text.contains("Zebra"))
            #expect(text.contains("[1] A. Reader, 2024-01-02: A remark") == (pages == .comments), "\(text)")
            #expect(text.split(separator: "[1]", omittingEmptySubsequences: false).count == (pages == nil ? 1 : 3))
        }
    }

    @Test(arguments: ["xls", "xlsx", "ods"])
    func `comments are printed after a sheet on request`(ending: String) async throws {
        let body = """
            <table:table table:name="One"><table:table-row><table:table-cell office:value-type="string">
            \(FlatDocument.comment)<text:p>Pomegranate</text:p></table:table-cell></table:table-row></table:table>
            """
        let path = try await OfficeFixtures.shared.make(
            ending, name: "remarks.fods", text: FlatDocument.xml("spreadsheet", body))
        for pages in [nil, OfficePages.comments] {
            var request = try place.request(path)
            request.layout.text.office = pages
            #expect(try await place.pool().convert(request).pageCount == (pages == nil ? 1 : 2))
            let text = try await OfficeWorkplace.text(of: request.output)
            #expect(text.contains("Pomegranate") && text.contains("A remark") == (pages == .comments), "\(text)")
        }
    }

    @Test(arguments: TestRun.pairs(["xls", "xlsx", "ods"], [[], ["Second"], ["First", "Fourth"]]))
    func `only the chosen sheets of a spreadsheet are printed`(ending: String, ranges: [String]) async throws {
        func sheet(_ name: String, rows: Int = 1, style: String = "") -> String {
            let row = """
                <table:table-row><table:table-cell office:value-type="string"><text:p>\(name) sheet</text:p>
                </table:table-cell></table:table-row>
                """
            let range = ranges.contains(name) ? " table:print-ranges=\"\(name).A1:\(name).B\(rows)\"" : ""
            return "<table:table table:name=\"\(name)\"\(style)\(range)>"
                + String(repeating: row, count: rows) + "</table:table>"
        }
        let head = """
            <office:automatic-styles><style:style style:name="hidden" style:family="table">
            <style:table-properties table:display="false"/></style:style></office:automatic-styles>
            """
        let body =
            sheet("First", rows: 100) + sheet("Hidden", style: " table:style-name=\"hidden\"") + sheet("Second")
            + sheet("Third") + sheet("Fourth")
        let path = try await OfficeFixtures.shared.make(
            ending, name: "sheets\(ranges.count).fods", text: FlatDocument.xml("spreadsheet", body, head: head))
        for (sheets, names) in [
            (nil, ["First", "Second", "Third", "Fourth"]), ("2-", ["Second", "Third", "Fourth"]),
            ("1,4", ["First", "Fourth"]), ("2,7", ["Second"]), ("3", ["Third"]), ("5-9", []),
        ] as [(String?, [String])] {
            var request = try place.request(path)
            request.layout.text.sheets = sheets
            guard !names.isEmpty else {
                let error = await #expect(throws: WorkError.self) { try await place.pool().convert(request) }
                #expect(error?.code == .noPages)
                #expect(error?.message.hasSuffix("have no pages; the number of visible sheets is 4") == true)
                continue
            }
            let converted = try await place.pool().convert(request)
            let text = try await OfficeWorkplace.text(of: request.output)
            for name in ["First", "Hidden", "Second", "Third", "Fourth"] {
                #expect(text.contains("\(name) sheet") == names.contains(name), "\(sheets ?? "all"): \(text)")
            }
            let warning = "has no sheets after sheet 4, but sheets '2,7' were chosen"
            #expect(converted.notices.contains { $0.hasSuffix(warning) } == (sheets == "2,7"))
        }
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

/// Tests of spreadsheets with hidden sheets, and of encrypted documents.
@Suite(.enabled(if: OfficeInstallation.find() != nil, "LibreOffice is not installed"))
struct OfficeSheetTests {
    private let place: OfficeWorkplace

    init() throws { place = try OfficeWorkplace() }

    @Test(arguments: ["xls", "xlsx", "ods"])
    func `a hidden sheet is not printed, even if it has a print range`(ending: String) async throws {
        for ranges in [["Salaries"], ["Salaries", "Seen"], []] {
            func range(_ name: String) -> String {
                ranges.contains(name) ? " table:print-ranges=\"\(name).A1:\(name).B2\"" : ""
            }
            let body = """
                <table:table table:name="Seen"\(range("Seen"))><table:table-row>
                <table:table-cell office:value-type="string"><text:p>Pomegranate</text:p></table:table-cell>
                </table:table-row></table:table>
                <table:table table:name="Salaries" table:style-name="hidden"\(range("Salaries"))><table:table-row>
                <table:table-cell office:value-type="string"><text:p>Confidential</text:p></table:table-cell>
                </table:table-row></table:table>
                """
            let head = """
                <office:automatic-styles><style:style style:name="hidden" style:family="table">
                <style:table-properties table:display="false"/></style:style></office:automatic-styles>
                """
            let path = try await OfficeFixtures.shared.make(
                ending, name: "hidden\(ranges.count).fods", text: FlatDocument.xml("spreadsheet", body, head: head))
            try await printsVisibleSheet(path)
        }
    }

    @Test func `a sheet that only a macro can show is not printed`() async throws {
        let body = """
            <table:table table:name="Seen"><table:table-row><table:table-cell office:value-type="string">
            <text:p>Pomegranate</text:p></table:table-cell></table:table-row></table:table>
            <table:table table:name="Salaries" table:print-ranges="Salaries.A1:Salaries.B2"><table:table-row>
            <table:table-cell office:value-type="string"><text:p>Confidential</text:p></table:table-cell>
            </table:table-row></table:table>
            """
        let path = try await OfficeFixtures.shared.make(
            "xlsx", name: "veryhidden.fods", text: FlatDocument.xml("spreadsheet", body))
        let copy = place.folder.path("veryhidden.xlsx")
        let edited = try await ProgramRun(
            "/usr/bin/python3", ["-c", Self.hidingProgram, path, copy], environment: [:], in: place.folder.path)
        try #require(edited.code == 0, "\(edited.complaints)")
        try await printsVisibleSheet(copy)
    }

    /// A Python program that copies a workbook and sets the state of its second sheet to `veryHidden`.
    private static let hidingProgram = """
        import re, sys, zipfile
        with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2], "w") as new:
            for name in old.namelist():
                data = old.read(name)
                if name == "xl/workbook.xml":
                    data, count = re.subn(rb'(name="Salaries"[^>]*?) state="visible"', rb'\\1 state="veryHidden"', data)
                    assert count == 1, data
                new.writestr(name, data)
        """

    private func printsVisibleSheet(_ path: String) async throws {
        let request = try place.request(path)
        let converted = try await place.pool().convert(request)
        #expect(converted.pageCount == 1)
        let text = try await OfficeWorkplace.text(of: request.output)
        #expect(text.contains("Pomegranate"))
        #expect(!text.contains("Confidential"))
    }

    @Test(arguments: ["docx", "xlsx", "pptx"])
    func `an encrypted Office Open XML document is identified without the extension of its name`(
        ending: String
    ) async throws {
        let path = place.folder.path("unnamed")
        try FileManager.default.copyItem(
            atPath: try await OfficeFixtures.shared.encrypted(ending, password: "open"), toPath: path)
        let worker = WorkerPool(executable: BuiltPrograms.folder + "print-worker", isWarm: false)
        let format = try #require(try await worker.identify(InputDocument(path: path)))
        var request = try place.request(path, as: "docx")
        request.type = try #require(DocumentTypes.builtIn.type(for: format))
        let error = await #expect(throws: WorkError.self) { try await place.pool().convert(request) }
        #expect(error?.code == .passwordRequired)
        #expect(error?.message.hasPrefix("'unnamed' is encrypted and requires a password") == true)
        request.document.password = "open"
        _ = try await place.pool().convert(request)
        let text = try #require(OfficeFixtures.kinds.first { $0.ending == ending }?.text)
        #expect(try await OfficeWorkplace.text(of: request.output).contains(text))
    }

    @Test(arguments: ["doc", "docx", "xls", "xlsx", "pptx", "odt", "odp"])
    func `an encrypted document is printed with its password, and refused without the password`(
        ending: String
    ) async throws {
        let password = "pass \"1\" wörd)"
        let path = try await OfficeFixtures.shared.encrypted(ending, password: "open")
        var request = try place.request(path)
        for (given, message) in [(nil, "is encrypted and requires a password"), (password, "incorrect password for ")] {
            request.document.password = given
            let error = await #expect(throws: WorkError.self) { try await place.pool().convert(request) }
            #expect(error?.code == .passwordRequired, "\(String(describing: error))")
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        }
        request.document.password = "open"
        #expect(try await place.pool().convert(request).pageCount == 1)
        let text = try #require(OfficeFixtures.kinds.first { $0.ending == ending }?.text)
        #expect(try await OfficeWorkplace.text(of: request.output).contains(text))
    }

    /// The first record of a worksheet, and the fields before the length of a text, in Excel 2, 3 and 4 ([MS-XLS]).
    @Test(
        arguments: [
            (2, [9, 0, 4, 0, 2, 0, 0x10, 0], [4, 0], [UInt8](repeating: 0, count: 7) + [11]),
            (3, [9, 2, 6, 0, 0, 0, 0x10, 0, 0, 0], [4, 2], [UInt8](repeating: 0, count: 6) + [11, 0]),
            (4, [9, 4, 6, 0, 0, 0, 0x10, 0, 0, 0], [4, 2], [UInt8](repeating: 0, count: 6) + [11, 0]),
        ] as [(Int, [UInt8], [UInt8], [UInt8])])
    func `a worksheet of an Excel version without compound files becomes a PDF`(
        version: Int, start: [UInt8], label: [UInt8], fields: [UInt8]
    ) async throws {
        let text = Array("Pomegranate".utf8)
        let record = label + [UInt8(fields.count + text.count), 0] + fields + text
        let path = try place.file("excel\(version).xls", start + record + [10, 0, 0, 0])
        let request = try place.request(path)
        #expect(try await place.pool().convert(request).pageCount == 1)
        #expect(try await OfficeWorkplace.text(of: request.output).contains("Pomegranate"))
    }

    @Test func `XML of Word 2003 and of Excel 2003 becomes a PDF`() async throws {
        let word = "http://schemas.microsoft.com/office/word/2003/wordml"
        let excel = "urn:schemas-microsoft-com:office:spreadsheet"
        for (name, type, content) in [
            (
                "letter", "application/vnd.ms-wordml",
                "<w:wordDocument xmlns:w='\(word)'><w:body><w:p><w:r><w:t>Pomegranate</w:t></w:r></w:p></w:body>"
                    + "</w:wordDocument>"
            ),
            (
                "table", "application/vnd.ms-spreadsheetml",
                "<?mso-application progid='Excel.Sheet'?><Workbook xmlns='\(excel)' xmlns:ss='\(excel)'>"
                    + "<Worksheet ss:Name='One'><Table><Row><Cell><Data ss:Type='String'>Pomegranate</Data></Cell></Row>"
                    + "</Table></Worksheet></Workbook>"
            ),
        ] {
            let path = try place.file("\(name).xml", Array("<?xml version='1.0'?>\n\(content)".utf8))
            var request = try place.request(path)
            request.type = try #require(DocumentTypes.builtIn.type(for: DocumentFormat(rawValue: type)))
            #expect(try await place.pool().convert(request).pageCount == 1)
            #expect(try await OfficeWorkplace.text(of: request.output).contains("Pomegranate"), "\(name)")
        }
    }

    @Test func `an encrypted presentation for PowerPoint 97 requires a copy without a password`() async throws {
        var bytes = try Data(contentsOf: URL(filePath: try await OfficeFixtures.shared.document("ppt")))
        func units(_ text: String) -> Data { Data(text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) }
        // The entry of the directory has 64 bytes for the name, and the length of the name with its end.
        let entry = try #require(bytes.range(of: units("\u{5}SummaryInformation"))).lowerBound
        let name = units("EncryptedSummary")
        bytes.replaceSubrange(entry..<entry + 64, with: name + Data(count: 64 - name.count))
        bytes[entry + 64] = UInt8(name.count + 2)
        let request = try place.request(try place.file("locked.ppt", bytes))
        let error = await #expect(throws: WorkError.self) { try await place.pool().convert(request) }
        #expect(error?.code == .passwordRequired)
        #expect(error?.message.contains("LibreOffice cannot decrypt presentations of type PPT") == true)
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
        let names = ["office", "text", "table", "form", "style", "config", "presentation"]
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
