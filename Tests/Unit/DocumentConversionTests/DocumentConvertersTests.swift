import DocumentConversion
import PrintModel
import Testing

@Suite struct DocumentConvertersTests {
    @Test func `a document of pages is not converted`() async {
        let type = DocumentTypeRegistry.builtIn.type(for: .pdf)
        #expect(type?.converter.engine == DocumentConverter.Engine.none)
    }
}
