// Makes documents with unusual encryption (ISO 32000-1 §7.6.5, crypt filters).

extension CorpusDocument {
    /// The encryption of a document.
    public enum Encryption: String, Sendable, CaseIterable {
        /// The document is not encrypted.
        case none
        /// Only attachments are encrypted, with an unknown password.
        ///
        /// The page is readable.
        case attachmentsOnly
        /// Strings are encrypted, streams are not; no password is required.
        case streamsAreIdentity
        /// Streams are encrypted, except for the page's content stream; no password is required.
        case contentIsIdentity
        /// All strings and streams are encrypted with an unknown password.
        case everything
    }

    /// Returns a document of one page in four colors with the given encryption.
    public static func encrypted(_ encryption: Encryption) -> CorpusDocument {
        var pdf = RawPDF()
        let content = """
            0.8 g 0 0 160 120 re f 1 0 0 rg 0 60 80 60 re f 0 0.6 0 rg 80 60 80 60 re f 0 0 1 rg 0 0 80 60 re f
            """
        // libqpdf 11.3 requires the type, which is optional in the standard.
        let parameters = "<< /Type /CryptFilterDecodeParms /Name /Identity >>"
        let filter = encryption == .contentIsIdentity ? "/Filter /Crypt /DecodeParms \(parameters)" : ""
        let stream = pdf.stream(filter, encryption == .everything ? String(repeating: "x", count: 96) : content)
        pdf.page(contents: stream)
        if encryption != .none {
            // The attachment has random bytes, which cannot be decrypted.
            let file = pdf.stream("/Type /EmbeddedFile", [UInt8](repeating: 0xA7, count: 64))
            let specification = pdf.add("<< /Type /Filespec /F () /UF () /EF << /F \(file) 0 R >> >>")
            pdf.catalog = "/Names << /EmbeddedFiles << /Names [<61> \(specification) 0 R] >> >>"
            let dictionary = pdf.add(encryption.dictionary)
            pdf.trailer =
                "/ID [<31415926535897932384626433832795><31415926535897932384626433832795>] /Encrypt \(dictionary) 0 R"
        }
        return CorpusDocument(name: encryption.rawValue, pages: ["a page"], bytes: pdf.bytes)
    }
}

extension CorpusDocument.Encryption {
    /// Whether the page can be read without a password.
    public var isReadable: Bool { self != .everything }

    /// The encryption dictionary.
    fileprivate var dictionary: String {
        // qpdf made these values for the file identifiers, with a password and without a password.
        let secret = (
            owner: "0db5855fc5326569e765906caf64e4429a4c20d6e996fdef963e9b5080f9e083",
            user: "30eabcb886d436efd161ab7b96a778fd0122456a91bae5134273a6db134c87c4"
        )
        let open = (
            owner: "566fa873ee33c797cd3b904fdadf814afa34df9a38f6ed41b984e2c6da2aa6f5",
            user: "e21cc3d13b0faa9934db7d20f11e333e0122456a91bae5134273a6db134c87c4"
        )
        let keys = self == .attachmentsOnly || self == .everything ? secret : open
        let filters =
            switch self {
            case .attachmentsOnly: "/StmF /Identity /StrF /Identity /EFF /StdCF"
            case .streamsAreIdentity: "/StmF /Identity /StrF /StdCF"
            default: "/StmF /StdCF /StrF /StdCF"
            }
        let event = self == .attachmentsOnly ? "EFOpen" : "DocOpen"
        return """
            << /Filter /Standard /V 4 /R 4 /Length 128 /P -4 /O <\(keys.owner)> /U <\(keys.user)>
            /CF << /StdCF << /AuthEvent /\(event) /CFM /AESV2 /Length 16 >> >> \(filters) >>
            """
    }
}
