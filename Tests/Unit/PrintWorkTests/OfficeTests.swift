import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import PrintWork
import Testing

/// Tests of the conversion of Office documents with LibreOffice.
@Suite(.enabled(if: OfficeInstallation.find() != nil, "LibreOffice is not installed"))
struct OfficeTests {
    private let place: OfficeWorkplace

    init() throws { place = try OfficeWorkplace() }

    @Test(arguments: OfficeFixtures.kinds.map { $0.ending })
    func `a document of each Office type becomes a PDF with its text`(ending: String) async throws {
        let text = try #require(OfficeFixtures.kinds.first { $0.ending == ending }?.text)
        let request = try place.request(try await OfficeFixtures.shared.document(ending))
        let converted = try await place.pool().convert(request)
        #expect(converted.pageCount == 1)
        #expect(try await OfficeWorkplace.text(of: request.output).contains(text))
        #expect(place.remains() == [])
        let files = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
        #expect(!files.contains { $0.hasSuffix(".partial") })
    }

    @Test func `a notice names each font that was substituted, and the font that was used`() async throws {
        let html = """
            <p style="font-family:'Calibri'">one</p><p style="font-family:'Liberation Serif'">two</p>
            <p style="font-family:'No Such Grotesk'">three</p>
            """
        let path = try await OfficeFixtures.shared.make(
            "odt", name: "fonts.html", text: html, filter: "HTML (StarWriter)")
        let converted = try await place.pool().convert(try place.request(path))
        #expect(converted.notices.first == "the font 'Calibri' is not installed; 'Carlito' was used")
        #expect(converted.notices.contains { $0.hasPrefix("the font 'No Such Grotesk' is not installed; '") })
        #expect(converted.notices.count == 2)
    }

    @Test func `a document in installed fonts has no notices`() async throws {
        let request = try place.request(try await OfficeFixtures.shared.document("odt"))
        #expect(try await place.pool().convert(request).notices == [])
    }

    // MARK: - Documents that cannot be converted

    private func failure(of request: ConvertRequest) async -> WorkError? {
        let error = await #expect(throws: WorkError.self) { try await place.pool().convert(request) }
        #expect(!FileManager.default.fileExists(atPath: request.output))
        #expect(place.remains() == [])
        return error
    }

    @Test(arguments: ["doc", "docx", "xls", "odp"])
    func `random bytes with an Office extension are refused as damaged`(ending: String) async throws {
        var numbers = SystemRandomNumberGenerator()
        let bytes = (0..<3000).map { _ in UInt8(truncatingIfNeeded: numbers.next()) | 1 }
        let error = await failure(of: try place.request(try place.file("noise.\(ending)", bytes)))
        #expect(error?.code == .damaged)
        #expect(
            error?.message.hasPrefix("'noise.\(ending)' is damaged, or its type is not ") == true,
            "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("doc", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] as [UInt8]), ("docx", [0x50, 0x4B, 3, 4]),
    ])
    func `random bytes after the signature of a container are refused as damaged`(
        ending: String, signature: [UInt8]
    ) async throws {
        let bytes = signature + (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }
        let error = await failure(of: try place.request(try place.file("noise.\(ending)", bytes)))
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("'noise.\(ending)'") == true)
    }

    @Test(arguments: ["docx", "doc"])
    func `half of a document is refused as damaged`(ending: String) async throws {
        let whole = try Data(contentsOf: URL(filePath: try await OfficeFixtures.shared.document(ending)))
        let error = await failure(
            of: try place.request(try place.file("half.\(ending)", whole.prefix(whole.count / 2))))
        #expect(error?.code == .damaged)
    }

    @Test func `an encrypted document requires a password`() async throws {
        let path = try await HostileDocuments(folder: place.folder.path, canary: "/nonexistent", server: "http://x")
            .make(
                "encrypted.odt")
        let error = await failure(of: try place.request(path))
        #expect(error?.code == .passwordRequired)
        #expect(error?.message.contains("'encrypted.odt' is encrypted") == true)
        var request = try place.request(path)
        request.document.password = "wrong"
        let again = await failure(of: request)
        #expect(again?.code == .passwordRequired)
        #expect(again?.message.hasPrefix("incorrect password") == true)
    }

    @Test func `a missing file and a FIFO are refused`() async throws {
        let missing = await failure(of: try place.request(place.folder.path("none.docx")))
        #expect(missing?.code == .documentMissing)
        let fifo = place.folder.path("pipe.docx")
        mkfifo(fifo, 0o600)
        let error = await failure(of: try place.request(fifo))
        #expect(error?.code == .documentMissing)
        #expect(error?.message.contains("is not a regular file") == true)
    }

    // MARK: - LibreOffice is missing

    @Test func `without LibreOffice, the error names the package for the type of the document`() async throws {
        let pool = place.pool(installation: nil)
        let path = try place.file("a.xlsx", Array("PK\u{3}\u{4}".utf8))
        let error = await #expect(throws: WorkError.self) { try await pool.convert(try place.request(path)) }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.message.contains("install libreoffice-calc-nogui,") == true)
        #expect(pool.obstacle?.message.contains("libreoffice-writer-nogui, libreoffice-calc-nogui") == true)
    }

    @Test func `if only Writer is installed, presentations are refused with the name of the package`() throws {
        for library in ["libmergedlo.so", "libswlo.so"] { _ = try place.file(library, []) }
        let pool = place.pool(installation: OfficeInstallation(program: place.folder.path))
        let types = DocumentTypeRegistry.builtIn
        #expect(pool.obstacle == nil)
        #expect(pool.obstacle(for: try #require(types.type(forExtension: "doc"))) == nil)
        let error = pool.obstacle(for: try #require(types.type(forExtension: "pptx")))
        #expect(error?.message.contains("libreoffice-impress-nogui") == true)
    }

    @Test func `missing fonts are reported by their packages`() throws {
        #expect(
            OfficeFonts.missingPackages(in: [place.folder.path])
                == ["fonts-liberation2", "fonts-crosextra-carlito", "fonts-crosextra-caladea"])
        try FileManager.default.createDirectory(
            atPath: place.folder.path("truetype"), withIntermediateDirectories: true)
        _ = try place.file("truetype/Carlito-Regular.ttf", [])
        _ = try place.file("LiberationSans-Regular.ttf", [])
        #expect(OfficeFonts.missingPackages(in: [place.folder.path]) == ["fonts-crosextra-caladea"])
    }
}
