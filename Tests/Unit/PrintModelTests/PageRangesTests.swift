import PrintModel
import Testing

struct PageRangesTests {
    @Test(arguments: [
        ("1-3,7,9-", [1, 2, 3, 7, 9, 10], "1-3,7,9-"), ("-4", [1, 2, 3, 4], "1-4"), ("5", [5], "5"),
        ("7,1-3", [1, 2, 3, 7], "1-3,7"), ("1-5,3-8", [1, 2, 3, 4, 5, 6, 7, 8], "1-8"), ("1,2,3", [1, 2, 3], "1-3"),
        ("3-,1-", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "1-"), (" 1 - 3 , 7 ", [1, 2, 3, 7], "1-3,7"), ("11-", [], "11-"),
        ("2-2", [2], "2"), ("8-20", [8, 9, 10], "8-20"), ("10-,10", [10], "10-"), ("007", [7], "7"),
    ])
    func `page ranges select pages of a ten-page document and have a normalized description`(
        _ text: String, _ pages: [Int], _ normal: String
    ) throws {
        let ranges = try PageRanges(text)
        #expect(ranges.pages(of: 10) == pages)
        #expect(ranges.count(of: 10) == pages.count)
        #expect((1...10).filter(ranges.contains) == pages)
        #expect(ranges.description == normal)
        #expect(try PageRanges(normal) == ranges)
        #expect(try JSON.read([PageRanges].self, JSON.write([ranges])) == [ranges])
    }

    @Test(arguments: [
        ("", "invalid page range '': no page number; write ranges such as 1-3,7,9-"),
        (",", "invalid page range '': no page number; write ranges such as 1-3,7,9-"),
        ("1,", "invalid page range '': no page number; write ranges such as 1-3,7,9-"),
        ("-", "invalid page range '-': no page number; write ranges such as 1-3,7,9-"),
        (" - ", "invalid page range '-': no page number; write ranges such as 1-3,7,9-"),
        ("0", "invalid page range '0': page numbers start at 1"),
        ("1,0-3", "invalid page range '0-3': page numbers start at 1"),
        ("5-2", "invalid page range '5-2': did you mean 2-5?"),
        ("a-b", "invalid page range 'a-b': 'a' is not a page number; write ranges such as 1-3,7,9-"),
        ("1--2", "invalid page range '1--2': '-2' is not a page number; write ranges such as 1-3,7,9-"),
        ("1-2-3", "invalid page range '1-2-3': '2-3' is not a page number; write ranges such as 1-3,7,9-"),
        ("1 2", "invalid page range '1 2': '1 2' is not a page number; write ranges such as 1-3,7,9-"),
        ("+1", "invalid page range '+1': '+1' is not a page number; write ranges such as 1-3,7,9-"),
        ("１", "invalid page range '１': '１' is not a page number; write ranges such as 1-3,7,9-"),
        ("2147483648", "invalid page range '2147483648': 2147483648 is too large for a page number"),
        (
            "1-99999999999999999999",
            "invalid page range '1-99999999999999999999': 99999999999999999999 is too large for a page number"
        ),
    ])
    func `invalid page ranges are rejected with a message`(_ text: String, _ sentence: String) throws {
        let error = try #require(throws: PageRangesError.self) { try PageRanges(text) }
        #expect(error.description == sentence)
        #expect(throws: PageRangesError.self) { try JSON.read([PageRanges].self, "[\"\(text)\"]") }
    }

    @Test
    func `if page ranges are created from numbers, the ranges are sorted, merged and limited to the maximum page`()
        throws
    {
        #expect(try PageRanges([7...9, 1...2, 3...4, 8...Int.max]).ranges == [1...4, 7...PageRanges.end])
        #expect(try PageRanges([1...Int.max]) == .all)
        #expect(try PageRanges([PageRanges.end...Int.max]).ranges == [PageRanges.end...PageRanges.end])
    }

    @Test(arguments: [
        [], [0...1], [Int.min...5], [-3 ... -1], [PageRanges.end + 1...Int.max], [1...2, Int.max...Int.max],
    ])
    func `page ranges are rejected if they are created from numbers out of bounds`(_ ranges: [ClosedRange<Int>]) {
        #expect(throws: PageRangesError.self) { try PageRanges(ranges) }
    }

    @Test(arguments: [0, -1, Int.min])
    func `a document without pages has no selected pages`(_ count: Int) {
        #expect(PageRanges.all.pages(of: count) == [])
        #expect(PageRanges.all.count(of: count) == 0)
    }

    @Test func `page ranges select at most 'mostPages' pages of a document`() {
        #expect(PageRanges.all.count(of: .max) == PageRanges.mostPages)
        #expect(PageRanges.all.pages(of: .max).last == PageRanges.mostPages)
    }
}
