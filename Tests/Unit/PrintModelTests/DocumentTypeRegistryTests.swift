import PrintModel
import Testing

@Suite struct DocumentTypeRegistryTests {
    private let registry = DocumentTypeRegistry.builtIn

    private func type(_ head: String, name: String? = nil, declared: DocumentFormat? = nil) -> String? {
        registry.type(ofHead: Array(head.utf8), name: name, declared: declared)?.name
    }

    @Test func `content that identifies a format takes precedence over the extension`() {
        #expect(type("%PDF-1.7\n", name: "notes.txt") == "PDF document")
        #expect(type("GIF89a....", name: "page.html", declared: .pdf) == "GIF image")
        #expect(type("{\\rtf1 x}", name: "letter.doc") == "RTF document")
    }

    @Test func `the extension decides between types of text`() {
        #expect(type("a,b\n1,2\n", name: "table.csv") == "Comma separated values")
        #expect(type("# Title\n", name: "README.md") == "Markdown")
        #expect(type("int main;\n", name: "main.c") == "Source code")
        #expect(type("<svg/>", name: "drawing.SVG") == "SVG drawing")
    }

    @Test func `the declared format decides when the name has no known extension`() {
        #expect(
            type("a,b\n", name: "table", declared: DocumentFormat(rawValue: "text/csv")) == "Comma separated values")
        #expect(type("Hello\n", name: "README") == "Plain text")
    }

    @Test func `text with the extension of a binary format is text`() {
        #expect(type("Hello\n", name: "photo.png") == "Plain text")
        #expect(type("Hello\n", declared: .pdf) == "Plain text")
    }

    @Test func `a container without a name has no type`() {
        #expect(type("PK\u{3}\u{4}xxxx") == nil)
        #expect(type("PK\u{3}\u{4}xxxx", name: "letter.docx") == "Word document")
        #expect(type("PK\u{3}\u{4}xxxx", name: "letter.txt") == nil)
    }

    @Test func `unknown bytes have no type`() {
        #expect(registry.type(ofHead: [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]) == nil)
        #expect(registry.type(ofHead: []) == nil)
    }

    @Test func `each media type, extension and identifier belongs to one type`() {
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
