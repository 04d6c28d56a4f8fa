import PrintModel
import PrintTestSupport
import Testing

struct SequenceTests {
    /// Pages of the paper's size with their numbers on them.
    private func numbered(_ pages: Int, prefix: String = "") -> PDFBuilder {
        var pdf = PDFBuilder()
        for number in 1...pages {
            pdf.addPage(width: 120, height: 60) { $0.text("\(prefix)\(number)", x: 20, y: 20, size: 20) }
        }
        return pdf
    }

    @Test func `ranges choose pages`() async throws {
        let sheets = try await PreparedSheets(numbered(10)) { $0.pageRanges = try PageRanges("2-3,7,9-") }
        #expect(try sheets.words() == "2 3 7 9 10")
        #expect((sheets.result.pages, sheets.result.sheets, sheets.result.impressions) == (5, 5, 5))
        #expect(sheets.result.notices.isEmpty)
    }

    @Test func `reversed, the last page comes first`() async throws {
        #expect(try await PreparedSheets(numbered(3)) { $0.pageOrder = .reverse }.words() == "3 2 1")
    }

    @Test func `copies are collated or not`() async throws {
        let collated = try await PreparedSheets(numbered(3)) { $0.copies = 2 }
        #expect(try collated.words() == "1 2 3 1 2 3")
        #expect((collated.result.pages, collated.result.impressions) == (3, 6))
        let uncollated = try await PreparedSheets(numbered(3)) {
            $0.copies = 2
            $0.collated = false
        }
        #expect(try uncollated.words() == "1 1 2 2 3 3")
    }

    @Test func `from a later side on, the rest of all copies is made, and beyond the last one nothing`() async throws {
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
        #expect(error?.message.contains("from page 4 on") == true)
    }

    @Test func `two-sided, ranges are padded to full sheets per copy and document`() async throws {
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

    @Test func `several pages a side are counted as pages and as impressions`() async throws {
        let sheets = try await PreparedSheets(numbered(5)) {
            $0.numberUp = NumberUp(count: 2)
            $0.duplex = .longEdge
        }
        #expect(try sheets.words() == "1+2 3+4 5 -")
        #expect((sheets.result.pages, sheets.result.sheets, sheets.result.impressions) == (5, 2, 4))
    }

    @Test func `copies refer to the same content`() async throws {
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
