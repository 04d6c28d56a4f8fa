import PrintDocuments
import PrintModel
import Testing

@Suite struct DocumentConvertersTests {
    @Test func `the built-in document type for PDF has no conversion engine`() async {
        let type = DocumentTypes.builtIn.type(for: .pdf)
        #expect(type?.converter.engine == DocumentConverter.Engine.none)
    }
}
