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

    @Test(arguments: [
        ("xls", ContainerForm.capitals), ("xls", .object), ("xls", .apart), ("ppt", .apart), ("doc", .apart),
        ("odt", .last), ("pptx", .stored),
    ])
    func `an Office document becomes a PDF regardless of the order and the embedded documents of its container`(
        ending: String, form: ContainerForm
    ) async throws {
        let path = place.folder.path("copy.\(ending)")
        try await form.copy(
            OfficeFixtures.shared.document(ending), to: path, workbook: OfficeFixtures.shared.document("xlsx"))
        let worker = WorkerPool(executable: BuiltPrograms.folder + "print-worker", isWarm: false)
        let unnamed = place.folder.path("unnamed")
        try FileManager.default.copyItem(atPath: path, toPath: unnamed)
        let format = try await worker.identify(InputDocument(path: unnamed))
        #expect(format == DocumentTypes.builtIn.type(forExtension: ending)?.formats.first)
        let request = try place.request(path)
        #expect(try await place.pool().convert(request).pageCount == 1)
        let text = try #require(OfficeFixtures.kinds.first { $0.ending == ending }?.text)
        #expect(try await OfficeWorkplace.text(of: request.output).contains(text))
    }

    @Test func `the paper determines whether an Office document without a page size has Letter or A4 pages`()
        async throws
    {
        let path = place.folder.path("plain.odt")
        let made = try await ProgramRun(
            "/usr/bin/python3", ["-c", Self.plainText, path], environment: [:], in: place.folder.path)
        try #require(made.code == 0, "\(made.complaints)")
        let pool = place.pool()
        for (paper, width) in [
            (Size(width: 612, height: 792), 612), (Size(width: 595, height: 842), 595),
            (Size(width: 1008, height: 612), 612), (Size(width: 420, height: 595), 595),
        ] {
            var request = try place.request(path)
            request.layout = ConversionLayout(pageSize: paper)
            _ = try await pool.convert(request)
            let run = try await ProgramRun(
                "/usr/bin/pdfinfo", [request.output], environment: ["LANG": "C.UTF-8"], in: "/")
            #expect(run.output.firstMatch(of: /Page size: +([0-9]+)/).map { "\($0.1)" } == "\(width)", "\(run.output)")
        }
    }

    /// A Python program that writes a text document without styles.
    private static let plainText = """
        import sys, zipfile
        names = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
            for name in ("office", "text", "manifest"))
        kind = "application/vnd.oasis.opendocument.text"
        with zipfile.ZipFile(sys.argv[1], "w") as file:
            file.writestr("mimetype", kind)
            file.writestr("META-INF/manifest.xml", f'<manifest:manifest {names}><manifest:file-entry manifest:full-path="/" '
                f'manifest:media-type="{kind}"/><manifest:file-entry manifest:full-path="content.xml" '
                'manifest:media-type="text/xml"/></manifest:manifest>')
            file.writestr("content.xml", f'<office:document-content {names} office:version="1.2"><office:body>'
                '<office:text><text:p>Hello</text:p></office:text></office:body></office:document-content>')
        """

    @Test func `an Office document of more than 256 MiB is refused with the error '.documentTooLarge'`() async throws {
        let path = try place.file("large.docx", "PK\u{3}\u{4}".utf8)
        let request = try place.request(path)
        #expect(truncate(path, 256 << 20) == 0)
        let damaged = await failure(of: request)
        #expect(damaged?.code == .damaged, "a document of 256 MiB is read")
        #expect(truncate(path, 256 << 20 + 1) == 0)
        let error = await failure(of: request)
        #expect(error?.code == .documentTooLarge)
        #expect(error?.message.contains("is larger than 256 MiB") == true)
    }

    @Test
    func `a missing font and its replacement are reported in a notice, or in a note if the character widths are equal`()
        async throws
    {
        let html = """
            <p style="font-family:'Calibri'">one</p><p style="font-family:'Liberation Serif'">two</p>
            <p style="font-family:'No Such Grotesk'">three</p><p style="font-family:'Arial'">four</p>
            """
        let path = try await OfficeFixtures.shared.make(
            "odt", name: "fonts.html", text: html, filter: "HTML (StarWriter)")
        let converted = try await place.pool().convert(try place.request(path))
        #expect(converted.notices.count == 1)
        #expect(converted.notices.first?.hasPrefix("the font 'No Such Grotesk' is not installed; '") == true)
        // These substitutions change no line, so they are notes, not warnings.
        #expect(
            converted.notes
                == [("Calibri", "Carlito"), ("Arial", "Liberation Sans")].map { requested, used in
                    "the font '\(requested)' is not installed; '\(used)' was used (same character widths)"
                })
    }

    @Test func `an Office document has no notices if it uses only installed fonts`() async throws {
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
    func `random bytes after the signature of an Office file are refused as damaged`(
        ending: String, signature: [UInt8]
    ) async throws {
        let bytes = signature + (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }
        let error = await failure(of: try place.request(try place.file("noise.\(ending)", bytes)))
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("'noise.\(ending)'") == true)
    }

    @Test(arguments: ["docx", "doc"])
    func `an Office document is refused as damaged if it is truncated to its first half`(ending: String) async throws {
        let whole = try Data(contentsOf: URL(filePath: try await OfficeFixtures.shared.document(ending)))
        let error = await failure(
            of: try place.request(try place.file("half.\(ending)", whole.prefix(whole.count / 2))))
        #expect(error?.code == .damaged)
    }

    @Test func `an encrypted Office document requires a password`() async throws {
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

    @Test func `a missing Office document and a named pipe are refused`() async throws {
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
        #expect(error?.message.contains("run 'apt install libreoffice-calc-nogui' or, in a checkout, ") == true)
        #expect(pool.unavailability?.message.contains("libreoffice-writer-nogui libreoffice-calc-nogui") == true)
    }

    @Test func `without print-office, the error names the package printq-office`() async throws {
        let pool = place.pool(executable: place.folder.path("print-office"))
        let path = try place.file("a.docx", Array("PK\u{3}\u{4}".utf8))
        let error = await #expect(throws: WorkError.self) { try await pool.convert(try place.request(path)) }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.message.contains("run 'apt install printq-office'") == true)
    }

    @Test func `if only Writer is installed, presentations are refused, and the error names the missing package`()
        throws
    {
        for library in ["libmergedlo.so", "libswlo.so"] { _ = try place.file(library, []) }
        let pool = place.pool(installation: OfficeInstallation(program: place.folder.path))
        let types = DocumentTypes.builtIn
        #expect(pool.unavailability == nil)
        #expect(pool.check()(try #require(types.type(forExtension: "doc"))) == nil)
        let error = pool.check()(try #require(types.type(forExtension: "pptx")))
        #expect(error?.message.contains("libreoffice-impress-nogui") == true)
    }

    @Test func `'missingPackages' lists the packages whose fonts are not in the font folders`() throws {
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
