import PrintModel
import Testing

@Suite struct DocumentTypesTests {
    private let registry = DocumentTypes.builtIn

    private func type(_ head: String, name: String? = nil, declared: DocumentFormat? = nil) -> String? {
        registry.type(ofHead: Array(head.utf8), name: name, declared: declared)?.name
    }

    @Test func `if the content identifies a format, the format takes precedence over the file extension`() {
        #expect(type("%PDF-1.7\n", name: "notes.txt") == "PDF document")
        #expect(type("GIF89a....", name: "page.html", declared: .pdf) == "GIF image")
        #expect(type("{\\rtf1 x}", name: "letter.doc") == "RTF document")
    }

    @Test func `the file extension determines the type of a text document`() {
        #expect(type("a,b\n1,2\n", name: "table.csv") == "Comma-separated values")
        #expect(type("# Title\n", name: "README.md") == "Markdown")
        #expect(type("int main;\n", name: "main.c") == "Source code")
        #expect(type("<svg/>", name: "drawing.SVG") == "SVG drawing")
    }

    @Test func `if the file name has no known extension, the declared format is used`() {
        #expect(
            type("a,b\n", name: "table", declared: DocumentFormat(rawValue: "text/csv")) == "Comma-separated values")
        #expect(type("Hello\n", name: "README") == "Plain text")
    }

    @Test func `text with the extension of a binary format is identified as text`() {
        #expect(type("Hello\n", name: "photo.png") == "Plain text")
        #expect(type("Hello\n", declared: .pdf) == "Plain text")
    }

    @Test func `a document in a container format has no type unless the file name has a matching extension`() {
        #expect(type("PK\u{3}\u{4}xxxx") == nil)
        #expect(type("PK\u{3}\u{4}xxxx", name: "letter.docx") == "Word document")
        #expect(type("PK\u{3}\u{4}xxxx", name: "letter.txt") == nil)
    }

    @Test func `a document without a known signature has no type`() {
        #expect(registry.type(ofHead: [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]) == nil)
        #expect(registry.type(ofHead: []) == nil)
    }

    @Test func `no two document types share a media type, a file extension or an identifier`() {
        let types = registry.types
        for list in [
            types.flatMap { $0.formats.map(\.rawValue) }, types.flatMap(\.extensions), types.map(\.identifier),
        ] {
            #expect(Set(list).count == list.count)
        }
    }

    @Test func `a registered type takes precedence over a built-in type`() {
        let own = DocumentType(
            name: "Own text", identifier: "org.example.text", formats: [.text], extensions: ["txt"],
            converter: .program(ConverterProgram(name: "own", arguments: ["/usr/bin/own", "{input}", "{output}"])))
        #expect(registry.adding([own]).type(for: .text)?.name == "Own text")
        #expect(registry.adding([own]).type(for: .pdf)?.name == "PDF document")
    }
}

@Suite struct PrintableTypesTests {
    private let types = PrintableTypes { type in
        type.converter == .office ? WorkError(.unsupportedFormat, "install libreoffice-writer-nogui") : nil
    }

    private func format(_ head: String, name: String? = nil, declared: DocumentFormat = .octetStream) throws -> String {
        try types.format(ofHead: Array(head.utf8), name: name, declared: declared).rawValue
    }

    @Test func `the content, the name or the declared format of a document determines the format`() throws {
        #expect(try format("%PDF-1.4") == "application/pdf")
        #expect(try format("a,b\n", name: "a.csv") == "text/csv")
        #expect(try format("Hello\n") == "text/plain")
        #expect(
            try format("<p>", declared: DocumentFormat(rawValue: "text/html")) == "text/html")
    }

    @Test func `if the converter for a document is missing, the document is refused, and the error names the package`()
    {
        #expect {
            _ = try format("{\\rtf1}", name: "letter.rtf")
        } throws: { error in
            let error = error as? WorkError
            return error?.code == .unsupportedFormat
                && error?.message == "'letter.rtf': install libreoffice-writer-nogui"
        }
    }

    @Test func `a container format is accepted only if a converter can read the format`() throws {
        // iWork documents are ZIP archives, and their converter is part of print-worker.
        #expect(try format("PK\u{3}\u{4}") == "application/octet-stream")
        #expect(throws: WorkError.self) {
            try types.format(
                ofHead: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], name: nil, declared: .octetStream)
        }
    }

    @Test func `a document with unknown content is refused with a message that suggests a solution`() {
        #expect {
            _ = try types.format(ofHead: [0x01, 0x45, 0x4C, 0x46, 0, 0], name: "program", declared: .octetStream)
        } throws: { error in
            (error as? WorkError)?.message.hasPrefix("'program': unsupported file type; save the document as PDF")
                == true
        }
    }

    @Test(arguments: [
        ("\u{7F}ELF\u{2}\u{1}", "tool", "program"), ("MZ\0\0", "setup.exe", "program"),
        ("\0\0\0\u{18}ftypmp42", "film.png", "video"), ("\0\0\0\u{18}ftypM4A ", "song.m4a", "audio"),
        ("RIFF\u{1}\0\0\0WAVEfmt ", "a.wav", "audio"), ("OggS\0\u{2}", "a.ogg", "audio or video"),
        ("Rar!\u{1A}\u{7}\u{1}\0", "a.rar", "archive"),
        ("SQLite format 3\0", "a.db", "database"), ("wOF2\0\u{1}", "a.woff2", "font"),
        ("8BPS\0\u{1}", "a.psd", "Photoshop image"), ("AT&TFORM\0", "a.djvu", "DjVu document"),
    ])
    func `a file that is no document is refused with the name of its type`(head: String, name: String, type: String) {
        let error = #expect(throws: WorkError.self) {
            try types.format(ofHead: Array(head.utf8), name: name, declared: .octetStream)
        }
        let start = "'\(name)': unsupported file type (\(type)); "
        #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "")")
    }

    @Test func `a registered type, and a compressed drawing, are not refused because of their first bytes`() throws {
        let converter = ConverterProgram(name: "play", arguments: ["/usr/bin/play"])
        let film = DocumentType(
            name: "Film", identifier: "x.film", formats: [DocumentFormat(rawValue: "video/mp4")], extensions: ["mp4"],
            converter: .program(converter))
        let registry = DocumentTypes.builtIn
        let head = Array("\0\0\0\u{18}ftypmp42".utf8)
        #expect(registry.unprintableType(ofHead: head, name: "a.mp4", declared: nil)?.name == "video")
        #expect(registry.adding([film]).unprintableType(ofHead: head, name: "a.mp4", declared: nil) == nil)
        #expect(registry.unprintableType(ofHead: [0x1F, 0x8B, 8, 0], name: "a.svgz", declared: nil) == nil)
        #expect(registry.unprintableType(ofHead: [0x1F, 0x8B, 8, 0], name: "a.gz", declared: nil)?.name == "archive")
    }

    @Test func `a declared media type has the name of its type`() {
        for (format, name) in [
            ("application/vnd.ms-outlook", "Outlook message"), ("video/x-matroska", "video"), ("audio/mpeg", "audio"),
            ("application/zip", "ZIP archive"), ("application/ofd", "OFD document"), ("application/x-unknown", nil),
        ] as [(String, String?)] {
            #expect(UnprintableType.type(for: DocumentFormat(rawValue: format))?.name == name)
        }
    }

    @Test func `the list of formats begins with PDF and images, and omits formats without a converter`() {
        #expect(types.formats.first == .pdf)
        #expect(types.formats.contains(.text))
        #expect(!types.formats.contains(DocumentFormat(rawValue: "application/msword")))
    }
}
