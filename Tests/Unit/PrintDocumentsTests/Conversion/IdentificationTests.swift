import PrintDocuments
import Foundation
import Glibc
import PrintModel
import PrintTestSupport
import Testing

@Suite struct IdentificationTests {
    private let trial: ConversionTrial

    init() throws { trial = try ConversionTrial() }

    private func identify(
        _ bytes: some Sequence<UInt8>, name: String, declared: String? = nil
    ) async throws -> String? {
        var document = try trial.document(bytes, name: name)
        document.format = declared.map(DocumentFormat.init(rawValue:))
        return try await DocumentConverters().identify(document)?.rawValue
    }

    private static let prose = "The quick brown fox jumps over the lazy dog.\nimport nothing; return home.\n"
    private static let code = "#include <stdio.h>\nint main(void) {\n  printf(\"hi\\n\");\n  return 0;\n}\n"
    private static let mail =
        "From: a@example.com\nTo: b@example.com\nSubject: Hello\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\nText\n"
    private static let svg = "<?xml version=\"1.0\"?>\n<!-- x -->\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n"

    @Test(arguments: [
        // Text: the extension precedes a guess.
        ("a.txt", prose, "text/plain"), ("README", prose, "text/plain"), ("a.txt", code, "text/plain"),
        ("notes", code, "text/plain"), ("a.c", code, "text/x-csrc"), ("a.c", prose, "text/x-csrc"),
        ("a.swift", "let a = 1\n", "text/x-swift"), ("a.md", "# Title\n\n<div>x</div>\n", "text/markdown"),
        ("a.md", "<p align=center>\n<h1>Title</h1>\n", "text/markdown"), ("a.csv", "a,b\n1,2\n", "text/csv"),
        ("a.tsv", "a\tb\n", "text/tab-separated-values"), ("a.log", prose, "text/plain"),
        ("a.json", "{\"a\": 1}", "application/json"), ("noname", "{\"a\": [1, 2]}", "application/json"),
        ("a.doc", prose, "text/plain"), ("a.unknown", prose, "text/plain"),
        ("Makefile", "all:\n\ttrue\n", "text/x-makefile"),
        ("poem", "Roses, red\nViolets, blue\nSugar, sweet\nAnd so, you\n", "text/plain"),
        ("script", "#!/bin/sh\necho hello\n", "text/x-shellscript"), ("a.txt", "#!/bin/sh\necho hello\n", "text/plain"),
        // Markup.
        ("a.html", "<html><body>x</body></html>", "text/html"),
        ("page", "<!DOCTYPE html>\n<title>x</title>", "text/html"),
        ("a.txt", "\u{FEFF}<!doctype HTML>\n<p>x", "text/html"), ("a.xls", "<html><table></table></html>", "text/html"),
        ("a.svg", svg, "image/svg+xml"), ("drawing", svg, "image/svg+xml"), ("a.xml", svg, "image/svg+xml"),
        ("a.xml", "<?xml version=\"1.0\"?><note/>", "application/xml"),
        ("data", "<?xml version=\"1.0\"?><note/>", "application/xml"),
        // E-mail.
        ("a.eml", mail, "message/rfc822"), ("message", mail, "message/rfc822"),
        ("a.eml", "no header", "message/rfc822"),
        ("memo", "From: the boss\nTo: all of you\nPlease be quiet.\n", "text/plain"), ("a.txt", mail, "text/plain"),
        // First bytes that identify a format.
        ("a.txt", "%PDF-1.7\n", "application/pdf"), ("a.txt", "%!PS-Adobe-3.0\n", "application/postscript"),
        ("a.doc", "{\\rtf1 x}", "application/rtf"),
        ("a.xbm", "#define a_width 8\n#define a_height 1\nstatic char a_bits[] = { 0x00 };\n", "image/x-xbitmap"),
    ])
    func `the content and the name of a text file determine the document type`(
        name: String, text: String, expected: String
    ) async throws {
        #expect(try await identify(text.utf8, name: name) == expected)
    }

    @Test(arguments: [
        ("1", "text/csv", prose, "text/csv"), ("1", "text/plain", code, "text/plain"),
        ("1.txt", "text/csv", prose, "text/plain"), ("1", "application/octet-stream", prose, "text/plain"),
        ("1", "application/pdf", prose, "text/plain"), ("1", "text/plain", "<!DOCTYPE html>", "text/html"),
        ("1", "text/plain", mail, "text/plain"), ("1.xyz", "text/markdown", prose, "text/markdown"),
    ])
    func `if the file name does not determine the type, the declared format is used`(
        name: String, declared: String, text: String, expected: String
    ) async throws {
        #expect(try await identify(text.utf8, name: name, declared: declared) == expected)
    }

    @Test
    func `the extension of the document name, not of the file on the disk, determines the type of a text`() async throws
    {
        var document = try trial.document("a;b".utf8, name: "1.txt")
        document.name = "table.csv"
        #expect(try await DocumentConverters().identify(document)?.rawValue == "text/csv")
        document.name = "Report of May"
        #expect(try await DocumentConverters().identify(document)?.rawValue == "text/plain")
    }

    @Test func `UTF-16 text is identified as text, with or without a byte order mark`() async throws {
        let bytes = "Grüße\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try await identify([0xFF, 0xFE] + bytes, name: "a") == "text/plain")
        #expect(try await identify(bytes, name: "a.csv") == "text/csv")
    }

    @Test func `random binary data has no document type, and a log with some control characters is identified as text`()
        async throws
    {
        let random = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        #expect(try await identify([1, 2, 3, 0, 255] + random, name: "a.txt") == nil)
        #expect(try await identify(Array(Self.prose.utf8) + [0, 1], name: "a.log") == "text/plain")
    }

    @Test(
        arguments: [
            ([0x9B, 0xA5, 0x21, 0], "application/msword"), ([0xDB, 0xA5, 0x2D, 0], "application/msword"),
            ([9, 0, 4, 0, 2, 0, 0x10, 0], "application/vnd.ms-excel"),
            ([9, 2, 6, 0, 0, 0, 0x10, 0], "application/vnd.ms-excel"),
            ([9, 4, 6, 0, 0, 0, 0, 1], "application/vnd.ms-excel"),
            ([9, 8, 8, 0, 0, 5, 5, 0], "application/vnd.ms-excel"),
            ([0, 0, 2, 0, 4, 4, 5, 0x54], "application/vnd.lotus-1-2-3"),
            ([0, 0, 2, 0, 1, 0, 16, 16], "image/x-win-bitmap"),
        ] as [([UInt8], String)])
    func `the first record of an old Office document determines the document type`(
        start: [UInt8], expected: String
    ) async throws {
        let rest = (0..<600).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }
        #expect(try await identify(start + rest, name: "a.bin") == expected)
    }

    @Test func `the entry 'mimetype' of an EPUB book determines the document type`() async throws {
        let type = "application/epub+zip"
        let path = try await archive(["mimetype": type, "META-INF/container.xml": "<x/>"], name: "a.bin")
        #expect(try await DocumentConverters().identify(InputDocument(path: path))?.rawValue == type)
    }

    @Test(arguments: [
        (
            "<w:wordDocument xmlns:w='http://schemas.microsoft.com/office/word/2003/wordml'>",
            "application/vnd.ms-wordml"
        ),
        ("<Workbook xmlns='urn:schemas-microsoft-com:office:spreadsheet'>", "application/vnd.ms-spreadsheetml"),
        ("<Workbook xmlns='http://example.org/'>", "application/xml"),
    ])
    func `the root element of XML identifies a document of Office 2003`(root: String, expected: String) async throws {
        let text = "<?xml version='1.0'?>\n<?mso-application progid='Word.Document'?>\n\(root)\n"
        for name in ["a.xml", "a.doc", "a"] {
            let found = try await identify(Array(text.utf8), name: name)
            #expect(found == expected, "\(name): \(found ?? "")")
        }
    }

    @Test(arguments: [
        ("odt", "text"), ("ods", "spreadsheet"), ("odp", "presentation"),
    ])
    func `the entry 'mimetype' of an OpenDocument file determines the document type`(ending: String, kind: String)
        async throws
    {
        let type = "application/vnd.oasis.opendocument.\(kind)"
        let path = try await archive(["mimetype": type, "content.xml": "<x/>"], name: "a.bin")
        #expect(try await DocumentConverters().identify(InputDocument(path: path))?.rawValue == type)
        #expect(DocumentTypes.builtIn.type(forExtension: ending)?.formats.first?.rawValue == type)
    }

    @Test(arguments: [
        ("word/document.xml", "a.zip", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("xl/workbook.xml", "a.docx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("ppt/presentation.xml", "a", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
        ("Index/Slide-1.iwa", "a.key", "application/vnd.apple.keynote"),
        ("Index/Document.iwa", "a.numbers", "application/vnd.apple.numbers"),
        ("Index/Document.iwa", "a", "application/vnd.apple.pages"),
    ])
    func `the file names in a ZIP archive determine the document type`(entry: String, name: String, expected: String)
        async throws
    {
        let path = try await archive(["[Content_Types].xml": "<x/>", entry: "<x/>"], name: name)
        #expect(try await DocumentConverters().identify(InputDocument(path: path))?.rawValue == expected)
    }

    /// Returns the message of the refusal of a file.
    private func refusal(_ path: String) async -> String {
        let error = await #expect(throws: WorkError.self) {
            try await DocumentConverters().identify(InputDocument(path: path))
        }
        #expect(error?.code == .unsupportedFormat)
        return error?.message ?? ""
    }

    @Test(arguments: [
        (["a.txt": "x"], "a.docx", "ZIP archive"),
        (["OFD.xml": "<x/>"], "a.ofd", "OFD document"),
        (["META-INF/MANIFEST.MF": "x", "A.class": "x"], "a.jar", "program"),
        (["FixedDocSeq.fdseq": "<x/>", "[Content_Types].xml": "<x/>"], "a.xps", "XPS document"),
        (["visio/document.xml": "<x/>", "[Content_Types].xml": "<x/>"], "a.vsdx", "Visio drawing"),
    ])
    func `a ZIP archive that is no document is refused with the name of its type`(
        entries: [String: String], name: String, type: String
    ) async throws {
        let message = await refusal(try await archive(entries, name: name))
        #expect(message.hasPrefix("'\(name)': unsupported file type (\(type)); "), "\(message)")
    }

    @Test(arguments: [
        (["__properties_version1.0", "__substg1.0_0037001F"], "Outlook message"), (["VisioDocument"], "Visio drawing"),
        (["Contents", "Quill/QuillSub"], "Publisher document"), (["Other"], "document of an unknown program"),
    ])
    func `a compound file that is no document is refused with the name of its type`(streams: [String], type: String)
        async throws
    {
        let path = trial.folder.path("a.bin")
        try await ContainerForm.writeCompoundFile(streams, to: path)
        let message = await refusal(path)
        #expect(message.hasPrefix("'a.bin': unsupported file type (\(type)); "), "\(message)")
    }

    @Test(arguments: [("\u{7F}ELF\u{2}\u{1}\u{1}\0", "program"), ("\0\0\0\u{18}ftypmp42", "film.png")])
    func `a program or a film is refused, whatever its name is`(head: String, name: String) async throws {
        let path = try trial.document(head.utf8 + [UInt8](repeating: 0xA7, count: 4096), name: name).path
        #expect(await refusal(path).contains(": unsupported file type ("))
    }

    @Test func `a damaged archive has the type of its extension`() async throws {
        let damaged: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 0, 0] + [UInt8](repeating: 7, count: 200)
        #expect(try await identify(damaged, name: "b.xlsx")?.hasSuffix("spreadsheetml.sheet") == true)
    }

    @Test(.enabled(if: access("/usr/bin/soffice", X_OK) == 0))
    func `documents from LibreOffice are identified by their content, without file names`() async throws {
        let source = try trial.document("Name,City\nAnna,Berlin\n".utf8, name: "table.csv").path
        let text = try trial.document("Text\n".utf8, name: "text.txt").path
        for (input, ending) in [
            (text, "docx"), (text, "odt"), (text, "doc"), (text, "rtf"), (source, "xlsx"), (source, "ods"),
            (source, "xls"),
        ] {
            let run = try await ProgramRun(
                "/usr/bin/soffice",
                [
                    "-env:UserInstallation=file://\(trial.folder.path)/profile", "--headless", "--convert-to", ending,
                    "--outdir", trial.folder.path, input,
                ], environment: ["HOME": trial.folder.path, "PATH": "/usr/bin:/bin"], in: trial.folder.path)
            let made = String(input.prefix { $0 != "." }) + "." + ending
            let hidden = trial.folder.path("hidden")
            try Data(contentsOf: URL(fileURLWithPath: made)).write(to: URL(fileURLWithPath: hidden))
            let format = try await DocumentConverters().identify(InputDocument(path: hidden))
            #expect(
                format == DocumentTypes.builtIn.type(forExtension: ending)?.formats.first,
                "\(ending): \(run.complaints)")
        }
    }

    @Test func `the identification of a missing file, a folder, a pipe or an empty file throws an error`() async throws
    {
        let converters = DocumentConverters()
        let pipe = trial.folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let empty = try trial.document([], name: "empty.txt").path
        for (path, code) in [
            (trial.folder.path("missing"), WorkError.Code.documentMissing), (trial.folder.path, .documentMissing),
            (pipe, .documentMissing), ("/dev/null", .documentMissing), (empty, .damaged),
        ] {
            let error = await #expect(throws: WorkError.self) {
                try await converters.identify(InputDocument(path: path))
            }
            #expect(error?.code == code)
        }
    }

    @Test func `the identification of a damaged document causes no crash, and at most an error about its type`()
        async throws
    {
        let archive = try await archive(["[Content_Types].xml": "<x/>", "word/document.xml": "<x/>"], name: "a.zip")
        let seeds = [
            Array(try Data(contentsOf: URL(fileURLWithPath: archive))), Array(Self.svg.utf8), Array(Self.mail.utf8),
            [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 9, count: 2000),
        ]
        var mutations = ByteMutations()
        for round in 0..<200 {
            do {
                _ = try await identify(mutations.mutated(seeds[round % seeds.count]), name: "x")
            } catch let error as WorkError {
                #expect(error.code == .unsupportedFormat)
            }
        }
    }

    /// Makes a ZIP archive with Python; `mimetype` is its first entry.
    private func archive(_ entries: [String: String], name: String) async throws -> String {
        let path = trial.folder.path(name)
        let list = entries.sorted { ($0.key != "mimetype", $0.key) < ($1.key != "mimetype", $1.key) }
        let program = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], 'w') as z:
                for i in range(2, len(sys.argv), 2): z.writestr(sys.argv[i], sys.argv[i + 1])
            """
        let run = try await ProgramRun(
            "/usr/bin/python3", ["-c", program, path] + list.flatMap { [$0.key, $0.value] }, environment: [:],
            in: trial.folder.path)
        #expect(run.code == 0, "\(run.complaints)")
        return path
    }
}

private func < (one: (Bool, String), other: (Bool, String)) -> Bool {
    one.0 == other.0 ? one.1 < other.1 : !one.0
}
