import Foundation
import PrintModel
import PrintTestSupport
import Testing

@testable import PrintDocuments

@Suite struct TextEncodingTests {
    private let trial: ConversionTrial

    init() throws { trial = try ConversionTrial() }
    private static let japanese = "日本語のテキストです。\nカタカナと漢字、ひらがな。\n"
    private static let latin = "Le café est fermé à Noël, où êtes-vous ?\nÜber den Wolken, größer\n"

    private static func swapped(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
    private static func little(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }

    /// Encodes text with Python's codecs.
    private func encoded(_ text: String, _ codec: String) async throws -> [UInt8] {
        let path = trial.folder.path("encoded")
        let program = "import sys; open(sys.argv[1], 'wb').write(sys.stdin.buffer.read().decode().encode(sys.argv[2]))"
        let run = try await ProgramRun(
            "/usr/bin/python3", ["-c", program, path, codec], environment: [:], in: trial.folder.path, input: text)
        #expect(run.code == 0, "\(run.complaints)")
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test(arguments: [
        ("utf-8", japanese, TextEncoding.utf8), ("utf-8-sig", latin, .utf8), ("shift_jis", japanese, .shiftJIS),
        ("cp932", "①髙﨑さんの予定", .shiftJIS), ("euc_jp", japanese, .eucJP), ("iso2022_jp", japanese, .iso2022JP),
        ("latin-1", latin, .windows1252), ("cp1252", "Preis: 5 € – „gut“\n", .windows1252),
        ("utf-16", japanese, .utf16LittleEndian), ("utf-16-le", latin, .utf16LittleEndian),
        ("utf-16-be", latin, .utf16BigEndian), ("utf-16-be", japanese, .utf16BigEndian),
        ("utf-32", latin, .utf32LittleEndian), ("ascii", "plain", .utf8), ("shift_jis", "請求書\n東京都千代田区\n", .shiftJIS),
        ("euc_jp", "請求書\n東京都千代田区\n", .eucJP), ("latin-1", "é\n", .windows1252), ("latin-1", "Çà", .windows1252),
        ("cp1252", "naïve", .windows1252), ("cp1252", "señor España", .windows1252),
        ("gb18030", "你好,世界。这是一个测试。", TextEncoding(name: "GB18030")),
        ("big5", "這是一個測試文件", TextEncoding(name: "BIG5")), ("cp949", "안녕하세요 세계", TextEncoding(name: "UHC")),
        ("cp1251", "Привет, мир! Это проверка.", TextEncoding(name: "WINDOWS-1251")),
        ("cp1256", "مرحبا بالعالم هذا اختبار", TextEncoding(name: "WINDOWS-1256")),
        ("cp1250", "Zażółć gęślą jaźń", TextEncoding(name: "WINDOWS-1250")),
    ])
    func `the encoding of a text is detected, and the text is decoded`(
        codec: String, text: String, expected: TextEncoding
    ) async throws {
        let bytes = try await encoded(text, codec)
        let encoding = TextEncoding.detect(bytes)
        #expect(encoding == expected)
        let decoded = TextDecoder.decode(bytes, from: encoding)
        #expect(String(decoding: decoded.utf8, as: UTF8.self) == text)
        #expect(decoded.undecodable == 0)
    }

    @Test func `text in each supported encoding is printed`() async throws {
        for codec in ["shift_jis", "euc_jp", "utf-16"] {
            try await trial.convert(try await encoded(Self.japanese, codec))
            #expect(try await trial.lines().joined(separator: "\n") + "\n" == Self.japanese)
        }
        try await trial.convert(try await encoded(Self.latin, "latin-1"))
        #expect(try await trial.lines().joined(separator: "\n") + "\n" == Self.latin)
    }

    @Test func `a guessed encoding is named in a notice`() async throws {
        let guessed = try await trial.convert(try await encoded("Привет, мир! Это проверка.", "cp1251"))
        #expect(
            guessed.notices == [
                "the encoding of the text was guessed: WINDOWS-1251; if characters are wrong, set document-charset"
            ])
        for codec in ["utf-8", "utf-16", "iso2022_jp"] {
            #expect(try await trial.convert(try await encoded(Self.japanese, codec)).notices == [])
        }
    }

    @Test func `characters that no installed font has are named with the packages of fonts`() async throws {
        let result = try await trial.convert("x \u{13000}\u{200D}\u{FE0F} \u{E000} \u{13000} é\n")
        #expect(
            result.notices == [
                "no installed font has the characters '\u{13000}' (U+13000); install fonts-noto-extra"
            ])
    }

    @Test func `if the job requests a text encoding, printq does not detect the encoding of the text`() async throws {
        var trial = trial
        trial.layout.text.encoding = "koi8-r"
        let result = try await trial.convert(try await encoded("Привет, мир", "koi8-r"))
        #expect(try await trial.lines() == ["Привет, мир"])
        #expect(result.notices == [])
    }

    @Test(arguments: ["klingon", "UTF-8//TRANSLIT", "../../evil", "utf-8\n"])
    func `an unknown encoding name causes an error`(name: String) async throws {
        var trial = trial
        trial.layout.text.encoding = name
        await #expect(
            throws: WorkError(
                .unsupportedFormat,
                "unknown character encoding '\(name)'; use a name such as UTF-8, ISO-8859-1 or Shift_JIS")
        ) { try await trial.convert("text") }
    }

    @Test func `invalid bytes become replacement characters, and a notice contains the number of replacements`()
        async throws
    {
        var trial = trial
        trial.layout.text.encoding = "utf-8"
        let result = try await trial.convert([0x61, 0xFF, 0x62, 0xC3, 0x0A])
        #expect(
            result.notices == [
                "2 characters are invalid in UTF-8 and printed as \u{FFFD}; set document-charset to the text's encoding"
            ])
        #expect(try await trial.lines() == ["a\u{FFFD}b\u{FFFD}"])
    }

    @Test func `a text with one damaged character is still detected as UTF-8`() {
        let bytes = Array(String(repeating: "größer ", count: 30).utf8) + [0xC3, 0x20]
        #expect(TextEncoding.detect(bytes) == .utf8)
    }

    @Test func `an incomplete character at the end of a text is counted as undecodable`() {
        for (encoding, bytes) in [
            (TextEncoding.shiftJIS, [0x93, 0xFA, 0x96] as [UInt8]), (.eucJP, [0xC6, 0xFC, 0xCB]),
            (.utf16LittleEndian, [0x61, 0x00, 0x62]), (.utf8, [0x61, 0xE3, 0x81]), (.utf16BigEndian, [0xD8, 0x00]),
        ] {
            #expect(TextDecoder.decode(bytes, from: encoding).undecodable >= 1)
        }
    }

    @Test func `binary data is not detected as text`() {
        #expect(!TextEncoding.isText([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
        #expect(TextEncoding.isText(Self.little("plain\n")))
        #expect(TextEncoding.isText(Self.swapped("日本語 text\n")))
    }
}
