import PrintDocuments
import Foundation
import PrintModel
import PrintTestSupport
import Testing

@Suite struct TextConverterTests {
    private let trial: ConversionTrial

    init() throws { trial = try ConversionTrial() }

    @Test func `lines of text are printed in order, with 10 characters per inch and 6 lines per inch`() async throws {
        let result = try await trial.convert("first line\nsecond\n\nfourth\n")
        #expect(result == ConvertedDocument(pageCount: 1, keepsMargins: true))
        #expect(try await trial.lines() == ["first line", "second", "fourth"])
        let words = try await trial.words()
        let (first, second, fourth) = (words[0].box, words[2].box, words[3].box)
        #expect(abs(first.minX - 36) < 0.1)
        #expect(abs(first.width - 5 * 7.2) < 0.1)
        #expect(abs(second.minY - first.minY - 12) < 0.1)
        #expect(abs(fourth.minY - first.minY - 36) < 0.1)
    }

    @Test func `a text page on Letter paper has 60 lines`() async throws {
        let text = (1...121).map { "line \($0)\n" }.joined()
        #expect(try await trial.convert(text).pageCount == 3)
        #expect(try await trial.lines(page: 1).last == "line 60")
        #expect(try await trial.lines(page: 2).first == "line 61")
        #expect(try await trial.lines(page: 3) == ["line 121"])
    }

    @Test(arguments: ["a\nb\nc", "a\r\nb\r\nc\r\n", "a\rb\rc\r", "a\u{85}b\u{2028}c", "a\u{B}b\nc\u{1A}"])
    func `every line separator ends a line, including LF, CR and CR LF`(text: String) async throws {
        try await trial.convert(text)
        #expect(try await trial.lines() == ["a", "b", "c"])
    }

    @Test func `a form feed starts a new page`() async throws {
        #expect(try await trial.convert("one\n\u{C}two\u{C}three\n\u{C}").pageCount == 3)
        #expect(try await trial.lines(page: 1) == ["one"])
        #expect(try await trial.lines(page: 2) == ["two"])
        #expect(try await trial.lines(page: 3) == ["three"])
    }

    @Test func `tabs move to the next tab stop`() async throws {
        var trial = trial
        try await trial.convert("a\tb\tc\n12345678\td\n")
        var words = try await trial.words()
        #expect(words.map { Int(($0.box.minX - 36) / 7.2 + 0.5) } == [0, 8, 16, 0, 16])
        trial.layout.text.tabWidth = 4
        try await trial.convert("a\tb\tc\n")
        words = try await trial.words()
        #expect(words.map { Int(($0.box.minX - 36) / 7.2 + 0.5) } == [0, 4, 8])
    }

    @Test func `a long line is wrapped after a space`() async throws {
        let words = (1...30).map { "word\($0)" }.joined(separator: " ")
        try await trial.convert(words + "\n" + String(repeating: "x", count: 200))
        let lines = try await trial.lines()
        #expect(lines.prefix(3).joined(separator: " ") == words)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(lines.suffix(3).joined() == String(repeating: "x", count: 200))
    }

    @Test func `without wrapping, the end of a long line is cut off`() async throws {
        var trial = trial
        trial.layout.text.wraps = false
        try await trial.convert(String(repeating: "0123456789", count: 20) + "\nend\n")
        #expect(try await trial.lines() == [String(repeating: "0123456789", count: 8), "end"])
    }

    @Test func `lines of up to 80 characters fit without wrapping`() async throws {
        let line = String(repeating: "0123456789", count: 8)
        try await trial.convert(line + "\n")
        #expect(try await trial.lines() == [line])
        let box = try #require(try await trial.words().first).box
        #expect(abs(box.minX - 36) < 0.1 && abs(box.maxX - 576) < 0.5)
    }

    @Test func `the characters per inch and the lines per inch determine the positions of characters`() async throws {
        var trial = trial
        trial.layout.text.charactersPerInch = 17
        trial.layout.text.linesPerInch = 8
        try await trial.convert("abcdefghijklmnopq\nb\n")
        let words = try await trial.words()
        #expect(abs(words[0].box.width - 72) < 0.2)
        #expect(abs(words[1].box.minY - words[0].box.minY - 9) < 0.1)
        trial.layout.text.charactersPerInch = 5
        trial.layout.text.linesPerInch = 6
        try await trial.convert("abcde\nb\n")
        #expect(abs(try #require(try await trial.words().first).box.width - 72) < 0.2)
    }

    @Test func `overstruck text from nroff is printed bold or underlined`() async throws {
        try await trial.convert("N\u{8}NA\u{8}AM\u{8}ME\u{8}E\n_\u{8}f_\u{8}i_\u{8}l_\u{8}e plain\n")
        #expect(try await trial.lines() == ["NAME", "file plain"])
        #expect(try await trial.run("pdffonts", trial.output).contains("DejaVuSansMono-Bold"))
    }

    @Test func `escape sequences select styles and are not printed`() async throws {
        try await trial.convert("\u{1B}[1mbold\u{1B}[0m \u{1B}[31mred\u{1B}[0m \u{1B}]8;;http://a\u{7}link\u{1B}[K\n")
        #expect(try await trial.lines() == ["bold red link"])
        #expect(try await trial.run("pdffonts", trial.output).contains("DejaVuSansMono-Bold"))
    }

    @Test func `control characters are shown in caret notation`() async throws {
        try await trial.convert([0x61, 0x01, 0x62, 0x7F, 0x07, 0x0A])
        #expect(try await trial.lines() == ["a^Ab^?^G"])
    }

    @Test func `each line has a line number, and the continuation rows of a wrapped line have no number`() async throws
    {
        var trial = trial
        trial.layout.text.numbersLines = true
        try await trial.convert("one\n" + String(repeating: "x", count: 100) + "\n\nfour\n")
        let lines = try await trial.lines()
        #expect(lines.map { $0.split(separator: " ").map(String.init).first ?? "" } == ["1", "2", lines[2], "3", "4"])
        #expect(lines[0].split(separator: " ") == ["1", "one"])
        #expect(lines[4].split(separator: " ") == ["4", "four"])
    }

    @Test func `the header shows the title, the date, the page number and the number of pages`() async throws {
        var trial = trial
        trial.layout.text.hasHeader = true
        trial.layout.title = "Notes"
        trial.layout.date = 1_700_000_000
        try await trial.convert((1...100).map { "line \($0)\n" }.joined())
        let header = try #require(try await trial.lines(page: 2).first)
        #expect(header.hasPrefix("Notes"))
        #expect(header.contains("2023-11-1"))
        #expect(header.hasSuffix("page 2 of 2"))
    }

    @Test func `with two columns, text is printed on a landscape page`() async throws {
        var trial = trial
        trial.layout.text.columns = 2
        let text = (1...150).map { "line \($0)" + String(repeating: " abcdefghi", count: 7) + "\n" }.joined()
        try await trial.convert(text)
        #expect(try await trial.run("pdfinfo", trial.output).contains("Page size:       792 x 612 pts"))
        let words = try await trial.words()
        #expect(words.contains { $0.text == "line" && $0.box.minX > 396 })
        #expect(words.allSatisfy { $0.box.maxX < 756.5 && $0.box.maxY < 580 })
    }

    @Test func `text begins at the printer's margin if the printer's margin is larger than the default margin`()
        async throws
    {
        var trial = trial
        trial.layout.margins = .all(.millimeters(25.4))
        try await trial.convert("text\n")
        let box = try #require(try await trial.words().first).box
        #expect(abs(box.minX - 72) < 0.1 && box.minY > 70)
    }

    @Test func `text on narrow paper has narrow margins`() async throws {
        var trial = trial
        trial.layout.pageSize = Size(width: 144, height: 288)
        try await trial.convert("text\n")
        #expect(abs(try #require(try await trial.words().first).box.minX - 18) < 0.1)
    }

    @Test func `a Japanese character is two cells wide, and Japanese lines are wrapped at the page width`() async throws
    {
        let line = "日本語の文章は、文字の幅が英字の二倍です。この行は長いので、次の行に続きます。半角ｶﾀｶﾅもあります。"
        try await trial.convert("\(line)\n日本|x\nabcd|x\n")
        let text = try await trial.lines()
        #expect(text.prefix(text.count - 2).joined() == line)
        let bars = try await trial.words().filter { $0.text.hasSuffix("|x") }
        #expect(bars.count == 2)
        #expect(abs(bars[0].box.maxX - bars[1].box.maxX) < 0.2)
        #expect(try await trial.words().allSatisfy { $0.box.maxX < 577 })
    }

    @Test func `accented, Greek and Cyrillic letters and box-drawing characters are one cell wide`() async throws {
        try await trial.convert("äöü|x\nΑβγ|x\nЖзи|x\n│─┼|x\nabc|x\n")
        let ends = try await trial.words().filter { $0.text.hasSuffix("x") }.map(\.box.maxX)
        #expect(ends.count == 5)
        #expect(ends.allSatisfy { abs($0 - (36 + 5 * 7.2)) < 0.2 })
    }

    @Test(arguments: ["नमस्ते दुनिया", "שלום עולם", "مرحبا بالعالم", "Привет, мир", "Γειά σου Κόσμε", "xin chào thế giới"])
    func `text of any script is printed`(text: String) async throws {
        try await trial.convert(text + "\n")
        let printed = try await trial.text().unicodeScalars.filter { $0.properties.isAlphabetic }
        #expect(Set(printed) == Set(text.unicodeScalars.filter { $0.properties.isAlphabetic }))
    }

    @Test func `Hebrew text starts at the right margin`() async throws {
        try await trial.convert("שלום עולם\n")
        #expect(try await trial.words().contains { abs($0.box.maxX - 576) < 1 })
    }

    @Test func `a text without lines has one empty page`() async throws {
        #expect(try await trial.convert("\n").pageCount == 1)
        #expect(try await trial.convert([0xEF, 0xBB, 0xBF]).pageCount == 1)
    }

    @Test func `the conversion throws an error and leaves no output if a text has too many pages`() async throws {
        let text = [UInt8](repeating: 0x0C, count: 20_001)
        let expected = WorkError(.outputTooLarge, "a.txt has more than 20000 pages; print the document in parts")
        await #expect(throws: expected) { try await trial.convert(text) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: trial.folder.path) == ["a.txt"])
    }

    @Test func `the conversion throws an error if a text is too large`() async throws {
        let document = try trial.document([0x61])
        #expect(truncate(document.path, 150_000_000) == 0)
        let type = try #require(DocumentTypes.builtIn.type(for: .text))
        let error = await #expect(throws: WorkError.self) {
            try await DocumentConverters().convert(
                ConvertRequest(document: document, type: type, layout: trial.layout, output: trial.output))
        }
        #expect(
            error?.message
                == "a.txt is 150 MB, and the limit for text is 100 MB; print the document in parts")
    }

    @Test func `a text with damaged bytes is printed`() async throws {
        let seeds: [[UInt8]] = [
            Array("plain\ttext\r\nN\u{8}N \u{1B}[1mx\u{1B}[0m\u{C}日本語 नमस्ते שלום é\n".utf8),
            [0xFF, 0xFE] + "UTF-16 日本\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
        ]
        var mutations = ByteMutations()
        for round in 0..<200 {
            let bytes = mutations.mutated(seeds[round % seeds.count])
            #expect(try await trial.convert(bytes).pageCount >= 1)
        }
    }

    @Test(arguments: [10.0, 20, 60])
    func `'keepsMargins' is true for plain text, unless the text touches a margin of the printer`(margin: Double)
        async throws
    {
        var trial = trial
        trial.layout.margins = .all(.points(margin))
        let text = (1...70).map { "\($0) " + String(repeating: "W|", count: 60) }.joined(separator: "\n")
        let result = try await trial.convert(text)
        let boxes = try await trial.words().map(\.box)
        #expect(boxes.allSatisfy { $0.minX > margin - 1 && $0.maxX < 613 - margin })
        // At a margin of 60 points, the text touches the margin, and the tops of high characters can exceed it.
        #expect(result.keepsMargins == (margin < 60))
    }

    @Test func `'keepsMargins' is false for text with characters of unknown height`() async throws {
        let marks = String(repeating: "\u{0301}", count: 30)
        for text in ["a\(marks)", "日本語", "العربية", "plain\na\u{8}a\n"] {
            #expect(try await !trial.convert(text).keepsMargins, "\(text)")
        }
        var trial = trial
        trial.layout.text.hasHeader = true
        #expect(try await trial.convert("plain").keepsMargins)
        trial.layout.title = "a\(marks)"
        #expect(try await !trial.convert("plain").keepsMargins)
    }

    @Test func `'keepsMargins' is false for text on paper that is too small for a line`() async throws {
        var trial = trial
        trial.layout.pageSize = Size(width: 20, height: 10)
        #expect(try await !trial.convert("wide").keepsMargins)
    }
}
