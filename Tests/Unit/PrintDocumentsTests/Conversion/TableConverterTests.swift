import PrintDocuments
import Foundation
import PrintModel
import PrintTestSupport
import Testing

@Suite struct TableConverterTests {
    private let trial: ConversionTrial

    init() throws { trial = try ConversionTrial() }

    @Test(arguments: [("a.csv", ","), ("b.csv", ";"), ("c.csv", "\t"), ("d.tsv", "\t")])
    func `the cells of a table with any delimiter are printed in columns`(name: String, delimiter: String) async throws
    {
        let rows = [["Name", "City", "Amount"], ["Anna", "Berlin", "12.50"], ["Bert", "Köln", "1200.00"]]
        let text = rows.map { $0.joined(separator: delimiter) }.joined(separator: "\r\n")
        #expect(try await trial.convert(text, name: name).pageCount == 1)
        let lines = try await trial.lines()
        #expect(lines.prefix(3).map { $0.split(separator: " ").map(String.init) } == rows)
        #expect(lines.last?.hasSuffix("page 1") == true)
    }

    @Test func `numbers are right-aligned, and text is left-aligned`() async throws {
        try await trial.convert("Item,Price\nA,5\nBook,1200\n", name: "a.csv")
        let words = try await trial.words()
        func box(_ text: String) throws -> Rect { try #require(words.first { $0.text == text }).box }
        #expect(try abs(box("5").maxX - box("1200").maxX) < 0.2)
        #expect(try abs(box("Price").maxX - box("1200").maxX) < 0.2)
        #expect(try abs(box("A").minX - box("Book").minX) < 0.2)
    }

    @Test func `delimiters, quotation marks and line breaks in a quoted field are part of the cell's text`()
        async throws
    {
        try await trial.convert(
            "Name,Note\n\"Doe, Jane\",\"She said \"\"no\"\"\nand left\"\nx,5\" disk\n", name: "a.csv")
        let text = try await trial.text()
        for expected in ["Doe, Jane", "She said \"no\"", "and left", "5\" disk"] { #expect(text.contains(expected)) }
        #expect(!text.contains("\"\""))
    }

    @Test func `the header of a table is repeated in bold on every page`() async throws {
        let text = "Number,Text\n" + (1...200).map { "\($0),row \($0)\n" }.joined()
        let pages = try await trial.convert(text, name: "a.csv").pageCount
        #expect(pages > 2)
        var rows: [String] = []
        for page in 1...pages {
            let lines = try await trial.lines(page: page)
            #expect(lines.first?.hasPrefix("Number") == true)
            #expect(lines.last == "a.csv" + String(lines.last?.dropFirst(5) ?? ""))
            rows += lines.dropFirst().dropLast()
        }
        #expect(rows.map { $0.split(separator: " ").last.map(String.init) } == (1...200).map { "\($0)" })
        #expect(try await trial.run("pdffonts", trial.output).contains("DejaVuSans-Bold"))
    }

    @Test func `a table that contains only numbers has no header`() async throws {
        let pages = try await trial.convert((1...200).map { "\($0),\($0 * 2)\n" }.joined(), name: "a.csv").pageCount
        #expect(try await trial.lines(page: pages).first?.hasPrefix("1 ") == false)
        #expect(try await !trial.run("pdffonts", trial.output).contains("Bold"))
    }

    @Test func `if columns do not fit on a page, the columns continue on the next pages`() async throws {
        let header = (1...40).map { "Column \($0)" }.joined(separator: ",")
        let row = (1...40).map { "value \($0) of the row" }.joined(separator: ",")
        let pages = try await trial.convert(header + "\n" + row + "\n", name: "a.csv").pageCount
        #expect(pages > 1)
        var next = 1
        for page in 1...pages {
            let footer = try #require(try await trial.lines(page: page).last)
            let numbers = try #require(footer.firstMatch(of: /page (\d+) \(columns (\d+)–(\d+)\)/))
            #expect(numbers.1 == "\(page)" && numbers.2 == "\(next)")
            let last = try #require(Int(numbers.3))
            let text = try await trial.text(page: page)
            for column in next...last {
                #expect(text.contains("Column \(column)") && text.contains("value \(column) of"))
            }
            #expect(try await trial.words(page: page).allSatisfy { $0.box.maxX < 577 })
            next = last + 1
        }
        #expect(next == 41)
    }

    @Test func `a long cell is wrapped, and continues on the next page`() async throws {
        let words = (1...2000).map { "word\($0)" }.joined(separator: " ")
        let result = try await trial.convert("Id,Text\n1,\"\(words)\"\n2,end\n", name: "a.csv")
        #expect(result.pageCount > 1 && result.notices == [])
        let printed = try await trial.text()
        for number in 1...2000 { #expect(printed.contains("word\(number)")) }
        #expect(printed.contains("end"))
    }

    @Test func `the text of a cell is cut off after 20,000 bytes, and a notice contains the number of affected cells`()
        async throws
    {
        let result = try await trial.convert(
            "Id,Text\n1,\(String(repeating: "x", count: 30_000))\n", name: "a.csv")
        #expect(result.notices == ["the text of 1 cell was cut off after 20000 bytes"])
    }

    @Test func `a table is printed even if its rows have different numbers of cells`() async throws {
        try await trial.convert("A,B,C\n1\n1,2,3,4,5\n\n,,x\n", name: "a.csv")
        let lines = try await trial.lines()
        #expect(lines.dropLast().map { $0.split(separator: " ").count } == [3, 1, 5, 1])
    }

    @Test func `a table with only a header has one page`() async throws {
        #expect(try await trial.convert("Name,City\n", name: "a.csv").pageCount == 1)
        #expect(try await trial.lines().first?.hasPrefix("Name") == true)
        #expect(try await trial.convert("\n\n", name: "a.csv").pageCount == 1)
    }

    @Test func `a table in any text encoding and any script is printed`() async throws {
        let text = "名前;都市\n太郎;東京\nשלום;عربي\n"
        try await trial.convert(
            [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, name: "a.csv")
        let printed = try await trial.text()
        #expect(printed.contains("名前") && printed.contains("東京") && printed.unicodeScalars.contains("ש"))
    }

    @Test func `the delimiter in a 'sep=' line separates the cells of the table`() async throws {
        try await trial.convert("sep=|\r\nA|B\r\n1,5|2,5\r\n", name: "a.csv")
        let lines = try await trial.lines()
        #expect(lines[0].split(separator: " ") == ["A", "B"])
        #expect(lines[1].split(separator: " ") == ["1,5", "2,5"])
    }

    @Test func `the conversion throws an error if a table has too many columns`() async throws {
        await #expect(throws: WorkError.self) {
            try await trial.convert(String(repeating: "a,", count: 3000) + "\n", name: "a.csv")
        }
    }

    @Test func `a table with damaged bytes is printed`() async throws {
        let seed = Array("Name,Nummer;Text\n\"a \"\"b\"\"\n\",12;é\t日本\r\n\"open,1;2\n".utf8)
        var mutations = ByteMutations()
        for _ in 0..<300 {
            #expect(try await trial.convert(mutations.mutated(seed), name: "a.csv").pageCount >= 1)
        }
    }

    @Test func `'keepsMargins' is true for a table of ASCII text, unless the margins of the printer are too large`()
        async throws
    {
        var trial = trial
        trial.layout.margins = .all(.points(18))
        let rows = (1...200).map { "\($0),text \($0)" }.joined(separator: "\n")
        #expect(try await trial.convert("Number,Text\n" + rows, name: "a.csv").keepsMargins)
        #expect(try await !trial.convert("Number,Text\n1,\u{B5}", name: "a.csv").keepsMargins)
        #expect(try await !trial.convert("Number,T\u{E9}xt\n1,2", name: "a.csv").keepsMargins)
        trial.layout.margins = .all(.points(50))
        #expect(try await !trial.convert("Number,Text\n" + rows, name: "a.csv").keepsMargins)
    }
}
