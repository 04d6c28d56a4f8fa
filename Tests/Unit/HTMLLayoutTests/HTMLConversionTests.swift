import AsyncPrimitives
import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import Testing

@testable import HTMLLayout
@testable import ProcessPools

/// A conversion with the HTML engine, and the resulting PDF.
struct Conversion {
    let folder: TemporaryFolder
    let result: ConvertedDocument

    static let letter = Size(width: 612, height: 792)

    /// Converts a document, whose type follows from its name.
    init(
        _ bytes: [UInt8], name: String, layout: ConversionLayout = ConversionLayout(pageSize: Conversion.letter)
    ) async throws {
        folder = try TemporaryFolder()
        let request = try Self.request(bytes, name: name, layout: layout, in: folder)
        result = try await testEngine.convert(request)
    }

    static func request(
        _ bytes: [UInt8], name: String, layout: ConversionLayout = ConversionLayout(pageSize: Conversion.letter),
        in folder: TemporaryFolder
    ) throws -> ConvertRequest {
        try Data(bytes).write(to: URL(filePath: folder.path(name)))
        return ConvertRequest(
            document: InputDocument(path: folder.path(name)),
            type: try #require(DocumentTypes.builtIn.type(forName: name)), layout: layout,
            output: folder.path("out.pdf"))
    }

    func run(_ program: String, _ arguments: String...) async throws -> String {
        try await ProgramRun("/usr/bin/\(program)", arguments, environment: [:], in: folder.path).output
    }

    /// The text of the PDF.
    var text: String { get async throws { try await run("pdftotext", "-layout", "out.pdf", "-") } }

    /// The words of the PDF.
    var words: [String] { get async throws { try await text.split(whereSeparator: \.isWhitespace).map(String.init) } }

    /// The sizes of the pages in points.
    var sizes: [String] {
        get async throws {
            try await run("pdfinfo", "-f", "1", "-l", "99", "out.pdf").split(separator: "\n")
                .filter { $0.hasPrefix("Page ") && $0.contains(" size:") }
                .map { $0.split(separator: ":")[1].split(separator: " ").prefix(3).joined(separator: " ") }
        }
    }

    /// The number of colored pixels on the first page, which are not gray.
    func coloredPixels() async throws -> Int {
        _ = try await run("pdftoppm", "-r", "72", "-singlefile", "out.pdf", "page")
        let pixels = try [UInt8](Data(contentsOf: URL(filePath: folder.path("page.ppm")))).dropFirst(15)
        var count = 0
        for start in stride(from: pixels.startIndex, to: pixels.endIndex - 2, by: 3) {
            let values = pixels[start...start + 2].map(Int.init)
            if (values.max() ?? 0) - (values.min() ?? 0) > 60 { count += 1 }
        }
        return count
    }

    /// The left and upper edge of the first word with this text.
    func position(of word: String) async throws -> (x: Double, y: Double)? {
        try await run("pdftotext", "-bbox", "out.pdf", "-").split(separator: "\n").first { $0.contains(">\(word)<") }
            .map { line in
                let numbers = line.split(separator: "\"").compactMap { Double($0) }
                return (numbers[0], numbers[1])
            }
    }
}

struct HTMLConversionTests {
    @Test(arguments: [(700, false), (1000, false), (1400, false), (2400, true)])
    func `a page that is too wide is made smaller until its content fits`(width: Int, isNamed: Bool) async throws {
        let cells = (1...10).map { "<td width=\(width / 10)>c\($0)" }.joined()
        let page = try await Conversion(
            Array("<meta charset=utf-8><body style='margin: 0'><table width=\(width)><tr>\(cells)</table>".utf8),
            name: "a.html")
        let last = try #require(try await page.position(of: "c10"))
        #expect(last.x < 612 - 36 && last.x > 400, "\(last)")
        #expect(try await page.sizes == ["612 x 792"])
        #expect(page.result.notices.contains { $0.contains("made smaller") } == isNamed, "\(page.result.notices)")
    }

    @Test func `long preformatted lines are wrapped before a page becomes less than half as large`() async throws {
        let line = (1...120).map { "word\($0)" }.joined(separator: " ")
        let page = try await Conversion(Array("<p>first<pre>\(line)</pre>".utf8), name: "a.html")
        #expect(try await page.words == ["first"] + line.split(separator: " ").map(String.init))
        #expect(page.result.notices == [])
    }

    /// The layout engine makes pages for the normal flow only, and browsers print the text in all of these boxes.
    @Test(
        arguments: [
            ("<div style='float: left'>…</div>", false), ("<div style='position: absolute; top: 0'>…</div>", true),
            ("<div style='float: left; width: 40%'>side</div><div style='float: right'>…</div>", false),
            ("<div style='float: left'><div style='float: left'>…</div></div>", true),
            ("<table><tr><td><div style='float: left'>…</div></table>", true),
            ("<div style='display: inline-block'>…</div>", true), ("<div style='height: 100px'>…</div>", false),
            ("<style>html, body { height: 100% }</style>…", false),
            ("<div style='display: flex'><div><div style='float: left'>…</div></div></div>", true),
            ("<div style='position: relative'><div style='position: absolute; left: 20px'>…</div></div>", true),
            ("<div style='display: flex'><div>…</div></div>", false), ("<div style='columns: 2'>…</div>", false),
        ])
    func `text that does not fit on a page continues on the next page in each kind of box`(
        box: String, isNamed: Bool
    ) async throws {
        let words = (1...120).map { "w\($0)" }
        let html = box.replacing("…", with: words.map { "<p>\($0)" }.joined())
        let page = try await Conversion(Array(html.utf8), name: "a.html")
        #expect(try await page.words.filter { $0 != "side" }.sorted() == words.sorted())
        let notices = page.result.notices
        #expect(notices.contains { $0.contains("one below the other") } == isNamed && notices.count < 2, "\(notices)")
    }

    @Test func `a long float that is also too wide is printed completely, with a warning of each kind`() async throws {
        let text = (1...60).map { "<p>w\($0)" }.joined()
        let html = "<div style='position: absolute; width: 1800px'>\(text)</div>"
        let page = try await Conversion(Array(html.utf8), name: "a.html")
        #expect(try await page.words.count == 60)
        for notice in ["one below the other", "made smaller"] {
            #expect(page.result.notices.contains { $0.contains(notice) }, "\(page.result.notices)")
        }
    }

    @Test func `a footer in a float at the end of a page is printed completely`() async throws {
        let footer = """
            <div style='margin-top: 4em; padding-top: .5em; border-top: 2px solid'>
            <div style='float: left; padding-bottom: .5em'>\nLast updated\n 2024-05-31 00:35:55 UTC\n</div></div>
            """
        for height in stride(from: 610, through: 650, by: 4) {
            let html = "<div style='height: \(height)pt'></div>\(footer)"
            let page = try await Conversion(Array(html.utf8), name: "a.html")
            #expect(try await page.words == ["Last", "updated", "2024-05-31", "00:35:55", "UTC"], "\(height)")
            #expect(page.result.notices == [])
        }
    }

    @Test func `text that a box clips, or that is beside the page, remains hidden`() async throws {
        let text = (1...120).map { "<p>w\($0)" }.joined()
        for style in [
            "height: 0; overflow: hidden", "height: 100px; overflow: auto", "position: absolute; left: -9999px",
        ] {
            let page = try await Conversion(Array("<div style='\(style)'>\(text)</div>".utf8), name: "a.html")
            #expect(try await page.sizes.count == 1, "\(style)")
            #expect(page.result.notices == [], "\(style)")
        }
    }

    @Test func `an empty field of a form shows its placeholder, and another field shows its value`() async throws {
        let fields = """
            <input placeholder='Search the pages'><input type=SEARCH value='' placeholder=again>
            <input placeholder=unseen value=seen><input type=checkbox placeholder=unseen>
            <textarea placeholder='Your address'></textarea><textarea placeholder=unseen>typed</textarea>
            """
        let page = try await Conversion(Array(fields.utf8), name: "a.html")
        #expect(try await Set(page.words) == ["Search", "the", "pages", "again", "seen", "Your", "address", "typed"])
    }

    @Test func `content that the page hides or places on pages of its own size does not make a page smaller`()
        async throws
    {
        let hidden = "<p id=a>text<div style='overflow: hidden; width: 100px'><div style='width: 3000px'>x</div></div>"
        let small = try await Conversion(Array("<p>text".utf8), name: "a.html").position(of: "text")
        for html in [hidden, "\(hidden)<div style='visibility: hidden; width: 3000px'>x</div>"] {
            let page = try await Conversion(Array(html.utf8), name: "a.html")
            let (found, expected) = (try #require(try await page.position(of: "text")), try #require(small))
            #expect(found == expected)
        }
    }

    @Test(
        arguments: [
            ("Привет, мир. Grüße, 5 €", "utf-8", "", nil), ("Grüße", "cp1252", "<meta charset=windows-1252>", nil),
            ("Привет, мир! Это проверка.", "cp1251", "", "WINDOWS-1251"), ("你好,世界。这是一个测试。", "gb18030", "", "GB18030"),
            ("日本語のテキスト。", "utf-8", "<meta charset=shift_jis>", "invalid"),
        ] as [(String, String, String, String?)])
    func `HTML without a charset is read as UTF-8, or its encoding is guessed and named`(
        text: String, codec: String, head: String, notice: String?
    ) async throws {
        let encoded = try await ProgramRun(
            "/usr/bin/python3", ["-c", "import sys; print(sys.argv[1].encode(sys.argv[2]).hex())", text, codec],
            environment: [:], in: "/tmp"
        ).output.filter(\.isHexDigit)
        let bytes = stride(from: 0, to: encoded.count, by: 2).compactMap { offset in
            let start = encoded.index(encoded.startIndex, offsetBy: offset)
            return UInt8(encoded[start...encoded.index(after: start)], radix: 16)
        }
        for name in ["a.html", "a.md"] where name == "a.html" || head.isEmpty {
            let page = try await Conversion(Array("\(head)<p>\n\n".utf8) + bytes, name: name)
            if notice != "invalid" {
                #expect(try await page.text.split(whereSeparator: \.isNewline).first.map(String.init) == text)
            }
            let notices = page.result.notices.filter { $0.contains("guessed") || $0.contains("invalid in") }
            #expect(notices.count == (notice == nil ? 0 : 1), "\(notices)")
            if let notice { #expect(notices.first?.contains(notice) == true, "\(notices)") }
        }
    }

    @Test func `a missing anchor or a decorative image causes no notice, and another missing image does`() async throws
    {
        let page = try await Conversion(
            Array("<p><a href='#note'>note</a><img alt='' src='line.png'><img alt='Plan' src='plan.png'>".utf8),
            name: "a.html")
        #expect(page.result.notices.count == 1)
        #expect(page.result.notices.first?.hasPrefix("plan.png was left out") == true, "\(page.result.notices)")
    }

    @Test(arguments: ["a.html", "a.md", "a.eml"])
    func `characters that no installed font has are named with the package of a font`(name: String) async throws {
        let head = name == "a.eml" ? "From: a@example.com\nContent-Type: text/plain; charset=utf-8\n\n" : ""
        let page = try await Conversion(Array("\(head)x \u{13000} \u{E000}\n".utf8), name: name)
        #expect(
            page.result.notices == [
                "no installed font has the characters '\u{13000}' (U+13000); install fonts-noto-extra"
            ])
    }

    @Test func `HTML without a page size is laid out on the requested page within the margins`() async throws {
        var layout = ConversionLayout(pageSize: Size(width: 400, height: 300))
        layout.margins = Margins(
            top: .millimeters(5), left: .millimeters(30), bottom: .millimeters(5), right: .millimeters(5))
        let page = try await Conversion(
            Array("<body style='margin: 0'><p style='margin: 0'>Hello <a href='https://example.com/'>link</a>".utf8),
            name: "a.html", layout: layout)
        #expect(page.result.pageCount == 1)
        #expect(try await page.words == ["Hello", "link"])
        #expect(try await page.sizes == ["400 x 300"])
        let position = try #require(try await page.position(of: "Hello"))
        #expect(abs(position.x - 85.04) < 1)
        #expect(position.y >= 36 && position.y < 42)
    }

    @Test func `HTML is laid out with the page size and the margins in its style sheet`() async throws {
        let page = try await Conversion(
            Array("<style>@page { size: 200pt 100pt; margin: 10pt } body, p { margin: 0 }</style><p>own".utf8),
            name: "a.html")
        #expect(try await page.sizes == ["200 x 100"])
        let position = try #require(try await page.position(of: "own"))
        #expect(abs(position.x - 10) < 1)
    }

    /// HTML in Shift JIS, UTF-16 and ISO 8859-1.
    static let encodings: [String: [UInt8]] = {
        let japanese: [UInt8] = [0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA]
        let wide: [UInt8] = "\u{FEFF}<p>utf16".utf16.flatMap { unit -> [UInt8] in
            [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        }
        let western: [UInt8] = Array("<meta charset=iso-8859-1><p>na".utf8) + [0xEF, 0x76, 0x65]
        let shiftJIS: [UInt8] = Array("<meta charset=shift_jis><p>".utf8) + japanese
        return ["日本語": shiftJIS, "utf16": wide, "naïve": western]
    }()

    @Test(arguments: ["日本語", "utf16", "naïve"])
    func `a byte order mark or a charset declaration determines the encoding of HTML`(word: String) async throws {
        let bytes = try #require(Self.encodings[word])
        #expect(try await Conversion(bytes, name: "a.html").words == [word])
    }

    @Test func `Markdown is printed with tables, task lists, footnotes and colored code`() async throws {
        let page = try await Conversion(
            Array(
                """
                # Heading

                Some ~~old~~ text[^1].

                - [x] done
                - [ ] open

                | Name | Amount |
                |------|-------:|
                | Pear |     12 |

                ```python
                def f(): return "text"
                ```

                <b>raw</b> ![picture](https://example.com/a.png) ![file](a.png)

                [^1]: The note.
                """.utf8), name: "a.md")
        let lines = try await page.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        for line in [
            "Heading", "☑ done", "☐ open", "Name Amount", "Pear 12", "def f(): return \"text\"", "raw picture file",
            "1. The note.",
        ] {
            #expect(lines.contains(line), "\(line) in \(lines)")
        }
        #expect(try await page.coloredPixels() > 20)
        #expect(
            page.result.notices == [
                "https://example.com/a.png was left out: network access is not allowed",
                "a.png was left out: a document can use only its own content",
            ])
    }

    @Test func `source code is colored, and is printed with line numbers and a header on request`() async throws {
        let code = Array("def f():\n\treturn \"text\"  # comment\n".utf8)
        let plain = try await Conversion(code, name: "a.py")
        #expect(try await plain.words == ["def", "f():", "return", "\"text\"", "#", "comment"])
        #expect(try await plain.coloredPixels() > 50)

        var layout = ConversionLayout(pageSize: Conversion.letter, title: "The \"title\"")
        layout.text.numbersLines = true
        layout.text.hasHeader = true
        let numbered = try await Conversion(code, name: "a.py", layout: layout)
        #expect(
            try await numbered.words == [
                "The", "\"title\"", "Page", "1", "of", "1", "1", "def", "f():", "2", "return", "\"text\"", "#",
                "comment",
            ])
    }

    @Test func `the character pitch and the tab width determine the columns of source code`() async throws {
        var layout = ConversionLayout(pageSize: Conversion.letter)
        layout.text.charactersPerInch = 12
        layout.text.tabWidth = 4
        let page = try await Conversion(Array("x\n\ty\n".utf8), name: "a.c", layout: layout)
        let (x, y) = (try #require(try await page.position(of: "x")), try #require(try await page.position(of: "y")))
        #expect(abs(y.x - x.x - 24) < 0.5)
    }

    @Test func `a long line of source code is wrapped, or cut off if wrapping is off`() async throws {
        let code = Array("start \(String(repeating: "x", count: 300)) end\n".utf8)
        var layout = ConversionLayout(pageSize: Conversion.letter)
        #expect(try await Conversion(code, name: "a.c", layout: layout).position(of: "end") != nil)
        layout.text.wraps = false
        let cut = try await Conversion(code, name: "a.c", layout: layout)
        let end = try await cut.position(of: "end")
        #expect(end == nil || end!.x > 612)
    }

    @Test func `source code of more than 10,000 lines is refused with the error '.tooLong'`() async throws {
        let code = Array(String(repeating: "x\n", count: 10_001).utf8)
        let error = await #expect(throws: WorkError.self) { try await Conversion(code, name: "a.c") }
        #expect(error?.code == .tooLong)
    }

    @Test func `an e-mail is printed with its headers, HTML, inline image and list of attachments`() async throws {
        let image = Data(HTMLResourceTests.pixel).base64EncodedString()
        let page = try await Conversion(
            Array(
                """
                From: =?utf-8?q?J=C3=B6rg?= <joerg@example.com>\r
                To: eva@example.com\r
                Date: Mon, 23 Nov 2026 07:00:00 +0000\r
                Subject: =?utf-8?b?R3LDvMOfZQ==?=\r
                MIME-Version: 1.0\r
                Content-Type: multipart/mixed; boundary=M\r
                \r
                --M\r
                Content-Type: multipart/related; boundary=R\r
                \r
                --R\r
                Content-Type: text/html; charset=iso-8859-1\r
                Content-Transfer-Encoding: quoted-printable\r
                \r
                <p>caf=E9<img src=3D"cid:a@b" width=3D50><img src=3D"http://example.com/x.png" alt=3D"remote">\r
                --R\r
                Content-Type: image/png\r
                Content-ID: <a@b>\r
                Content-Transfer-Encoding: base64\r
                \r
                \(image)\r
                --R--\r
                --M\r
                Content-Type: application/zip; name=data.zip\r
                Content-Disposition: attachment; filename=data.zip\r
                \r
                12345\r
                --M--\r

                """.utf8), name: "a.eml")
        let text = try await page.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        for line in [
            "From: Jörg <joerg@example.com>", "To: eva@example.com", "Subject: Grüße", "Attachments Type Size",
            "data.zip application/zip 5 bytes",
        ] {
            #expect(text.contains(line), "\(line) in \(text)")
        }
        #expect(text.joined(separator: " ").contains("café"))
        #expect(text.joined(separator: " ").contains("remote"))
        #expect(try await page.run("pdfimages", "-list", "out.pdf").split(separator: "\n").count == 3)
        #expect(
            page.result.notices == ["http://example.com/x.png was left out: network access is not allowed"])
    }

    @Test func `each message of a mailbox begins on a page of its own`() async throws {
        let mailbox = (1...3).map { number in
            """
            From ann@example.com Mon Jun  1 10:00:00 2026
            From: Ann <ann@example.com>
            Subject: Message \(number)

            >From here on.

            From now on, this is text.

            """
        }.joined(separator: "\n")
        let conversion = try await Conversion(Array(mailbox.utf8), name: "a.mbox")
        #expect(conversion.result.pageCount == 3)
        let pages = try await conversion.text.split(separator: "\u{0C}")
        for (number, page) in pages.prefix(3).enumerated() {
            #expect(page.contains("Message \(number + 1)") && page.contains("\nFrom here on."), "\(page)")
            #expect(page.contains("From now on, this is text."), "\(page)")
        }
    }

    @Test func `the lines of an e-mail with format=flowed are joined to paragraphs`() async throws {
        let mail =
            "From: a@example.com\r\nContent-Type: text/plain; charset=utf-8; format=flowed\r\n\r\n"
            + "One long \r\nparagraph.\r\n> quoted \r\n> text\r\n"
        let lines = try await Conversion(Array(mail.utf8), name: "a.eml").text.split(whereSeparator: \.isNewline)
            .map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines == ["From: a@example.com", "One long paragraph.", "quoted text"])
    }

    @Test func `only the owner can read the PDF of an HTML document, and no unfinished file remains`() async throws {
        let page = try await Conversion(Array("x".utf8), name: "a.html")
        let files = try FileManager.default.contentsOfDirectory(atPath: page.folder.path).sorted()
        #expect(files == ["a.html", "out.pdf"])
        var status = stat()
        #expect(stat(page.folder.path("out.pdf"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func `the conversion fails if the HTML document is too large or is not a regular file`() async throws {
        let folder = try TemporaryFolder()
        var request = try Conversion.request(Array("x".utf8), name: "a.html", in: folder)
        truncate(folder.path("a.html"), (64 << 20) + 1)
        let large = await #expect(throws: WorkError.self) { try await testEngine.convert(request) }
        #expect(large?.code == .documentTooLarge)
        mkfifo(folder.path("pipe"), 0o600)
        for name in ["pipe", "nothing"] {
            request.document = InputDocument(path: folder.path(name))
            let error = await #expect(throws: WorkError.self) { try await testEngine.convert(request) }
            #expect(error?.code == .documentMissing)
        }
        #expect(access(folder.path("out.pdf"), F_OK) != 0)
    }

    @Test(arguments: [59.0, 60]) func `an HTML document has the time that its earlier attempts have not used`(
        used: Double
    ) async throws {
        let folder = try TemporaryFolder()
        let engine = HTMLEngine(concurrent: 1, warm: 0, limits: HTMLLimits(wallSeconds: 60))
        let endless = Array(("<table><tr>" + String(repeating: "<td>x", count: 50_000)).utf8)
        let request = try Conversion.request(endless, name: "a.html", in: folder)
        let time = WorkTime(used: used)
        let error = await #expect(throws: WorkError.self) {
            try await WorkTime.$current.withValue(time) { _ = try await engine.convert(request) }
        }
        #expect(error?.code == .timeExceeded)
        #expect(error?.message.contains("the attempts to prepare the document have used its whole time limit") == true)
        #expect(time.seconds < 80)
    }

    @Test func `if an HTML conversion is canceled, the layout process is killed, and no file is left`() async throws {
        let folder = try TemporaryFolder()
        let name = folder.path("engine")
        chmod(folder.path, 0o755)
        symlink(try #require(testEngine.installation), name)
        let engine = HTMLEngine(folder: name, concurrent: 1, warm: 1)
        let endless = Array(("<table><tr>" + String(repeating: "<td>x", count: 50_000)).utf8)
        let request = try Conversion.request(endless, name: "a.html", in: folder)
        let task = Task { try await engine.convert(request) }
        try await eventually("the process works") {
            processes(of: name).contains { text(of: "/proc/\($0)/status").contains("Seccomp:\t2") }
        }
        task.cancel()
        let error = await #expect(throws: WorkError.self) { try await task.value }
        #expect(error?.code == .canceled)
        #expect(processes(of: name).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.html", "engine"])
        let next = try Conversion.request(Array("x".utf8), name: "b.html", in: folder)
        #expect(try await engine.convert(next).pageCount == 1)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `if root starts an HTML layout process, the process runs as an unprivileged user`() async throws {
        let folder = try TemporaryFolder()
        let name = folder.path("engine")
        chmod(folder.path, 0o755)
        symlink(try #require(testEngine.installation), name)
        let engine = HTMLEngine(folder: name, concurrent: 1, warm: 1, user: "nobody")
        _ = try await engine.convert(Conversion.request(Array("x".utf8), name: "a.html", in: folder))
        let process = try #require(processes(of: name).first)
        let user = try #require(getpwnam("nobody")).pointee.pw_uid
        let status = text(of: "/proc/\(process)/status")
        #expect(status.contains("Uid:\t\(user)\t\(user)\t\(user)\t\(user)"))
        #expect(status.contains("CapEff:\t0000000000000000"))
        engine.coolDown()
    }

    @Test(.enabled(if: geteuid() == 0))
    func `if the workers' user account cannot read the HTML engine, the error suggests scripts/setup`() async throws {
        let folder = try TemporaryFolder()
        let name = folder.path("private/engine")
        mkdir(folder.path("private"), 0o700)
        symlink(try #require(testEngine.installation), name)
        let engine = HTMLEngine(folder: name, concurrent: 1, warm: 0, user: "nobody")
        let request = try Conversion.request(Array("x".utf8), name: "a.html", in: folder)
        let error = await #expect(throws: WorkError.self) { try await engine.convert(request) }
        // `workerUnavailable` would retry the job forever.
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.message.contains("cannot be read by the user of the workers") == true)
        #expect(error?.message.contains("run 'scripts/setup documents' as root") == true)
    }

    @Test func `the limits of the workers also apply to conversions by the HTML engine`() async throws {
        var workers = WorkerLimits(processorSeconds: 2, wallSeconds: 77, outputBytes: 1 << 20)
        let limits = HTMLLimits(workers)
        #expect(limits.processorSeconds == 2 && limits.wallSeconds == 77 && limits.outputBytes == 1 << 20)
        // The engine needs more memory than a worker, and holds the PDF in its memory.
        #expect(limits.memoryBytes == HTMLLimits().memoryBytes)
        (workers.memoryBytes, workers.outputBytes) = (8 << 30, 8 << 30)
        #expect(HTMLLimits(workers).memoryBytes == 8 << 30)
        #expect(HTMLLimits(workers).outputBytes == HTMLLimits().outputBytes)

        let folder = try TemporaryFolder()
        let engine = HTMLEngine(concurrent: 1, warm: 0, limits: limits)
        let endless = Array(("<table><tr>" + String(repeating: "<td>x", count: 50_000)).utf8)
        let request = try Conversion.request(endless, name: "a.html", in: folder)
        let error = await #expect(throws: WorkError.self) { try await engine.convert(request) }
        #expect(error?.code == .processorTimeExceeded)
        #expect(error?.message.contains("more than 2 s of CPU time") == true)
    }

    @Test func `an HTML layout process that ignores the CPU time limit per document is killed at the process limit`()
        async throws
    {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        try FileManager.default.createDirectory(atPath: folder.path("engine/bin"), withIntermediateDirectories: true)
        // A process that a document has taken over.
        try """
        #!/usr/bin/python3
        import resource, signal, sys
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        requests = sys.stdin.buffer.raw
        def line():
            text = b''
            while not text.endswith(b'\\n'): text += requests.read(1)
            return text
        left = int(line())
        while left: left -= len(requests.read(left))
        line()
        sys.stdout.write('{"ready":"1","python":"3","bytes":0}\\n')
        sys.stdout.flush()
        line()
        try: resource.setrlimit(resource.RLIMIT_CPU, (1000, 1000))
        except ValueError: pass
        while True: pass
        """.write(toFile: folder.path("engine/bin/python"), atomically: false, encoding: .utf8)
        chmod(folder.path("engine/bin/python"), 0o755)
        let engine = HTMLEngine(
            folder: folder.path("engine"), concurrent: 1, warm: 0, limits: HTMLLimits(processorSeconds: 1))
        let request = try Conversion.request(Array("x".utf8), name: "a.html", in: folder)
        let error = await #expect(throws: WorkError.self) { try await engine.convert(request) }
        #expect(error?.code == .processorTimeExceeded, "\(error?.message ?? "") \(error?.detail ?? "")")
    }

    @Test func `an HTML engine process without documents ends after the idle time`() async throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        let name = folder.path("engine")
        symlink(try #require(testEngine.installation), name)
        let engine = HTMLEngine(folder: name, concurrent: 1, warm: 1, idleSeconds: 1)
        await engine.warmUp(isConverting: true)
        try await eventually("the process has ended") { processes(of: name).isEmpty }
        let request = try Conversion.request(Array("x".utf8), name: "a.html", in: folder)
        #expect(try await engine.convert(request).pageCount == 1)
    }

    @Test(.enabled(if: geteuid() == 0)) func `the HTML engine's probe runs under the workers' user account`() throws {
        let folder = try TemporaryFolder()
        let name = folder.path("private/engine")
        mkdir(folder.path("private"), 0o700)
        symlink(try #require(testEngine.installation), name)
        let engine = HTMLEngine(folder: name, concurrent: 1, warm: 0, user: "nobody")
        #expect(try engine.probe().hasPrefix("WeasyPrint "))
        let error = #expect(throws: WorkError.self) { try engine.probe(isConverting: true) }
        #expect(error?.message.contains("cannot be read by the user of the workers") == true)
        #expect(engine.unavailability == error)
        chmod(folder.path("private"), 0o711)
        chmod(folder.path, 0o755)
        #expect(try engine.probe(isConverting: true).hasPrefix("WeasyPrint ") && engine.unavailability == nil)
    }

    @Test func `if the HTML engine exits at startup, the conversion error contains the engine's error output`()
        async throws
    {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        try FileManager.default.createDirectory(atPath: folder.path("engine/bin"), withIntermediateDirectories: true)
        let python = folder.path("engine/bin/python")
        try "#!/bin/sh\necho 'no module named weasyprint' >&2\nexit 1\n".write(
            toFile: python, atomically: false, encoding: .utf8)
        chmod(python, 0o755)
        let engine = HTMLEngine(folder: folder.path("engine"), concurrent: 1, warm: 0)
        let request = try Conversion.request(Array("x".utf8), name: "a.html", in: folder)
        let error = await #expect(throws: WorkError.self) { try await engine.convert(request) }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.message.contains("run 'scripts/setup documents'") == true)
        #expect(error?.detail?.contains("no module named weasyprint") == true)
    }

    @Test func `the HTML engine cannot replace the file that receives the engine's error output`() async throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        let name = folder.path("engine")
        symlink(try #require(testEngine.installation), name)
        let engine = HTMLEngine(folder: name, concurrent: 1, warm: 1)
        _ = try await engine.convert(Conversion.request(Array("x".utf8), name: "a.html", in: folder))
        let process = try #require(processes(of: name).first)
        let variables = text(of: "/proc/\(process)/environ").split(separator: "\0")
        let temporary = try #require(variables.first { $0.hasPrefix("TMPDIR=") }?.dropFirst("TMPDIR=".count))
        let errors = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/2")
        #expect(!errors.hasPrefix("\(temporary)/"), "\(errors)")
        // The process may write to its own folder only.
        var status = stat()
        #expect(stat(errors, &status) == 0 && status.st_uid == geteuid() && status.st_mode & 0o022 == 0)
        engine.coolDown()
        #expect(access(errors, F_OK) != 0)
    }

    @Test func `an HTML layout process converts the documents of only one owner`() async throws {
        let folder = try TemporaryFolder()
        let name = folder.path("engine")
        chmod(folder.path, 0o755)
        symlink(try #require(testEngine.installation), name)
        let engine = HTMLEngine(folder: name, concurrent: 1, warm: 1)
        await engine.warmUp(isConverting: true)
        let warm = processes(of: name)
        var used: [[String]] = []
        for owner in ["eva", "eva", "adam"] {
            var request = try Conversion.request(Array("x".utf8), name: "a.html", in: folder)
            request.origin = WorkOrigin(printer: "laser", owner: owner)
            _ = try await engine.convert(request)
            used.append(processes(of: name))
        }
        #expect(warm.count == 1)
        #expect(used[0] == warm && used[1] == warm)
        #expect(used[2].count == 1 && used[2] != warm)
        engine.coolDown()
    }

    private func processes(of engine: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter {
            pid_t($0) != nil && text(of: "/proc/\($0)/cmdline").contains(engine)
        }
    }
}
