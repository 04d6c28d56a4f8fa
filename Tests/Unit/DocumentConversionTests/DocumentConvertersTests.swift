import DocumentConversion
import PrintModel
import Testing

@Suite struct DocumentConvertersTests {
    @Test func `the converter of a PDF document has no engine`() async {
        let type = DocumentTypeRegistry.builtIn.type(for: .pdf)
        #expect(type?.converter.engine == DocumentConverter.Engine.none)
    }
}
