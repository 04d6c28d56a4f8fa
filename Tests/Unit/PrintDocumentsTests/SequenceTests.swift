import PrintModel
import PrintTestSupport
import Testing

struct SequenceTests {
    /// Returns numbered pages in the size of the paper.
    private func numbered(_ pages: Int, prefix: String = "") -> PDFBuilder {
        var pdf = PDFBuilder()
        for number in 1...pages {
            pdf.addPage(width: 120, height: 60) { $0.text("\(prefix)\(number)", x: 20, y: 20, size: 20) }
        }
        return pdf
    }

    @Test func `only the pages in the page ranges are printed`() async throws {
        let sheets = try await PreparedSheets(numbered(10)) { $0.pageRanges = try PageRanges("2-3,7,9-") }
        #expect(try sheets.words() == "2 3 7 9 10")
        #expect((sheets.result.pages, sheets.result.sheets, sheets.result.impressions) == (5, 5, 5))
        #expect(sheets.result.notices.isEmpty)
    }

    @Test func `reverse page order prints the last page first`() async throws {
        #expect(try await PreparedSheets(numbered(3)) { $0.pageOrder = .reverse }.words() == "3 2 1")
    }

    @Test func `uncollated copies repeat each page, and collated copies repeat the document`() async throws {
        let collated = try await PreparedSheets(numbered(3)) { $0.copies = 2 }
        #expect(try collated.words() == "1 2 3 1 2 3")
        #expect((collated.result.pages, collated.result.impressions) == (3, 6))
        let uncollated = try await PreparedSheets(numbered(3)) {
            $0.copies = 2
            $0.collated = false
        }
        #expect(try uncollated.words() == "1 1 2 2 3 3")
    }

    @Test func `if a job starts at side 4, the job begins with the sheet of side 4 and includes all remaining copies`()
        async throws
    {
        let rest = try await PreparedSheets(numbered(3)) {
            $0.copies = 2
            $0.duplex = .longEdge
            $0.firstImpression = 4
        }
        #expect(try rest.words() == "3 - 1 2 3 -")
        #expect((rest.result.sheets, rest.result.impressions) == (3, 6))
        let error = await #expect(throws: WorkError.self) {
            try await PreparedSheets(numbered(3)) { $0.firstImpression = 4 }
        }
        #expect(error?.code == .noPages)
        #expect(error?.message.contains("page 4 does not exist in the layout") == true)
    }

    @Test func `two-sided printing adds a blank back to each copy of a document with an odd number of pages`()
        async throws
    {
        let sheets = try await PreparedSheets(numbered(3), numbered(1, prefix: "b")) {
            $0.duplex = .longEdge
            $0.copies = 2
        }
        #expect(try sheets.words() == "1 2 3 - b1 - 1 2 3 - b1 -")
        #expect((sheets.result.pages, sheets.result.sheets, sheets.result.impressions) == (4, 6, 12))
        let reversed = try await PreparedSheets(numbered(3)) {
            $0.duplex = .longEdge
            $0.pageOrder = .reverse
        }
        #expect(try reversed.words() == "3 - 1 2")
    }

    @Test func `with two pages on a side, pages, sheets and impressions are counted separately`() async throws {
        let sheets = try await PreparedSheets(numbered(5)) {
            $0.numberUp = NumberUp(count: 2)
            $0.duplex = .longEdge
        }
        #expect(try sheets.words() == "1+2 3+4 5 -")
        #expect((sheets.result.pages, sheets.result.sheets, sheets.result.impressions) == (5, 2, 4))
    }

    @Test
    func `with number-up, a joined document starts in the next cell, and page ranges count pages of all documents`()
        async throws
    {
        func joined(_ change: (inout Imposition) throws -> Void) async throws -> String {
            try await PreparedSheets(numbered(3), numbered(2, prefix: "b"), numbered(1, prefix: "c")) {
                $0.documentJoining = .sameSide
                $0.duplex = .longEdge
                try change(&$0)
            }.words()
        }
        #expect(try await joined { _ in } == "1 2 3 b1 b2 c1")
        #expect(try await joined { $0.numberUp = NumberUp(count: 2) } == "1+2 3+b1 b2+c1 -")
        #expect(try await joined { $0.pageRanges = try PageRanges("3-4,6") } == "3 b1 c1 -")
        #expect(try await joined { $0.documentJoining = .newSheet } == "1 2 3 - b1 b2 c1 -")
        let error = await #expect(throws: WorkError.self) {
            try await joined { $0.pageRanges = try PageRanges("7-") }
        }
        #expect(error?.code == .noPages)
    }

    @Test func `all copies in a prepared PDF refer to the same content streams`() async throws {
        let one = try await PreparedSheets(numbered(5)) { $0.scaling = .fit }
        let many = try await PreparedSheets(numbered(5)) {
            $0.scaling = .fit
            $0.copies = 50
        }
        func streams(_ sheets: PreparedSheets) throws -> Int {
            try sheets.source().split(separator: "\n").count { $0 == "endstream" }
        }
        #expect(try streams(one) == streams(many))
    }
}
