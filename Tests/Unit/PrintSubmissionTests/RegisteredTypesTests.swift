import FoundationEssentials
import PrintKit
import PrintSubmission
import PrintTestSupport
import Testing

/// Tests of the document types that administrators register in the spool.
struct RegisteredTypesTests {
    @Test func `a document of a type that is registered in the spool can be printed`() throws {
        let folder = try TemporaryFolder()
        let url = URL(filePath: folder.path("a.dvi"))
        try Data([0xF7, 0x02, 0x01, 0x83]).write(to: url)
        let controller = PrintInteractionController()
        controller.destination = SpoolerDestination(spool: folder.path("spool"))
        #expect(!controller.canPrint(.url(url)))
        try FileManager.default.createDirectory(
            atPath: folder.path("spool/types"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        try """
        {
          name: "DVI document", identifier: "org.tug.tex.dvi", formats: ["application/x-dvi"], extensions: ["dvi"],
          program: ["/usr/bin/dvipdfm", "-o", "{output}", "{input}"],
        }
        """.write(toFile: folder.path("spool/types/dvi.json5"), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: folder.path("spool/types/dvi.json5"))
        #expect(controller.destination.registeredDocumentTypes.map(\.identifier) == ["org.tug.tex.dvi"])
        #expect(controller.canPrint(.url(url)))
        controller.destination = PDFFileDestination(folder: folder.path("output"))
        #expect(!controller.canPrint(.url(url)))
    }
}
