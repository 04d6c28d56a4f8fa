import FoundationEssentials
import PrintDocuments
import PrintModel
import PrintTestSupport
import Testing

/// Tests of encrypted documents that open without a password, compared with the unencrypted documents.
@Suite(.timeLimit(.minutes(5)))
struct CorpusEncryptionTests {
    /// A qpdf encryption method with an owner password only.
    struct Way: Sendable, CustomTestStringConvertible {
        let name: String
        let options: [String]

        var testDescription: String { name }
    }

    private static let ways = [
        Way(name: "RC4, 40 bits", options: ["40", "--"]),
        Way(name: "RC4, 128 bits", options: ["128", "--use-aes=n", "--"]),
        Way(name: "RC4, 128 bits, with crypt filters", options: ["128", "--use-aes=n", "--force-V4", "--"]),
        Way(name: "AES, 128 bits", options: ["128", "--use-aes=y", "--"]),
        Way(
            name: "AES, 128 bits, metadata in clear text",
            options: ["128", "--use-aes=y", "--cleartext-metadata", "--"]),
        Way(name: "AES, 256 bits", options: ["256", "--"]),
        Way(name: "AES, 256 bits, metadata in clear text", options: ["256", "--cleartext-metadata", "--"]),
        Way(name: "AES, 256 bits, as in Acrobat 9", options: ["256", "--force-R5", "--"]),
    ]

    @Test(arguments: ways)
    func `a document with only an owner password is printed like the unencrypted document`(way: Way) async throws {
        let folder = try TemporaryFolder()
        let (plain, secret) = (folder.path("plain.pdf"), folder.path("secret.pdf"))
        try Data(CorpusDocument.boxes.bytes).write(to: URL(fileURLWithPath: plain))
        let made = try run(["qpdf", "--allow-weak-crypto", "--encrypt", "", "owner"] + way.options + [plain, secret])
        try #require(made.status == 0, "\(made.output)")
        let document = CorpusDocument(
            name: "secret", pages: CorpusDocument.boxes.pages,
            bytes: Array(try Data(contentsOf: URL(fileURLWithPath: secret))))
        try await expectLike(try #require(try await Originals.drawn(by: .ghostscript)["boxes"]), document)
    }

    @Test(arguments: CorpusDocument.Encryption.allCases.filter { $0.isReadable && $0 != .none })
    func `a document with unencrypted pages is printed without a password`(encryption: CorpusDocument.Encryption)
        async throws
    {
        let folder = try TemporaryFolder()
        let plain = folder.path("plain.pdf")
        try Data(CorpusDocument.encrypted(.none).bytes).write(to: URL(fileURLWithPath: plain))
        let original = try Oracle.ghostscript.draw(
            [Oracle.Document(path: plain, pages: 1)], size: (CorpusDocument.width, CorpusDocument.height))
        try await expectLike(original[0], CorpusDocument.encrypted(encryption))
    }

    @Test func `the preparation throws '.passwordRequired' if a page is encrypted with a user password`()
        async throws
    {
        let error = await #expect(throws: WorkError.self) {
            try await CorpusSheets([.encrypted(.everything)], .alone)
        }
        #expect(error?.code == .passwordRequired)
    }

    /// Prepares a document, and expects the sheets, as a PDF and as page images, to show the given pages.
    private func expectLike(_ pages: [Thumbnail], _ document: CorpusDocument) async throws {
        let layout = try #require(CorpusLayout.all.first { $0.name == "moved" })
        let sheets = try await CorpusSheets([document], layout)
        #expect(try run("qpdf", "--is-encrypted", sheets.path(0)).status == 2, "the prepared PDF is not encrypted")
        let drawings = [
            ("prepared.pdf", try sheets.drawn(by: .ghostscript)[0]), ("page image", try await sheets.pageImages()[0]),
        ]
        for (kind, seen) in drawings {
            expectNone(
                zip(layout.sides(of: pages), seen).enumerated().compactMap { index, sides in
                    sides.1.mismatch(with: sides.0, "\(document.pages[index]), \(document.name), \(kind)")
                }, of: pages.count)
        }
    }
}
