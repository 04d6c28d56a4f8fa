import PrintModel
import Testing

struct PageRangesTests {
    @Test(arguments: [
        ("1-3,7,9-", [1, 2, 3, 7, 9, 10], "1-3,7,9-"), ("-4", [1, 2, 3, 4], "1-4"), ("5", [5], "5"),
        ("7,1-3", [1, 2, 3, 7], "1-3,7"), ("1-5,3-8", [1, 2, 3, 4, 5, 6, 7, 8], "1-8"), ("1,2,3", [1, 2, 3], "1-3"),
        ("3-,1-", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "1-"), (" 1 - 3 , 7 ", [1, 2, 3, 7], "1-3,7"), ("11-", [], "11-"),
        ("2-2", [2], "2"), ("8-20", [8, 9, 10], "8-20"), ("10-,10", [10], "10-"), ("007", [7], "7"),
    ])
    func `ranges choose pages of ten and read back as written`(_ text: String, _ pages: [Int], _ normal: String) throws
    {
        let ranges = try PageRanges(text)
        #expect(ranges.pages(of: 10) == pages)
        #expect(ranges.count(of: 10) == pages.count)
        #expect((1...10).filter(ranges.contains) == pages)
        #expect(ranges.description == normal)
        #expect(try PageRanges(normal) == ranges)
        #expect(try JSON.read([PageRanges].self, JSON.write([ranges])) == [ranges])
    }

    @Test(arguments: [
        ("", "the page range '' makes no sense: no page is named; write ranges like 1-3,7,9-"),
        (",", "the page range '' makes no sense: no page is named; write ranges like 1-3,7,9-"),
        ("1,", "the page range '' makes no sense: no page is named; write ranges like 1-3,7,9-"),
        ("-", "the page range '-' makes no sense: no page is named; write ranges like 1-3,7,9-"),
        (" - ", "the page range '-' makes no sense: no page is named; write ranges like 1-3,7,9-"),
        ("0", "the page range '0' makes no sense: pages count from 1; write ranges like 1-3,7,9-"),
        ("1,0-3", "the page range '0-3' makes no sense: pages count from 1; write ranges like 1-3,7,9-"),
        (
            "5-2",
            "the page range '5-2' makes no sense: the first page comes after the last; write 2-5; "
                + "write ranges like 1-3,7,9-"
        ),
        ("a-b", "the page range 'a-b' makes no sense: 'a' is not a page number; write ranges like 1-3,7,9-"),
        ("1--2", "the page range '1--2' makes no sense: '-2' is not a page number; write ranges like 1-3,7,9-"),
        ("1-2-3", "the page range '1-2-3' makes no sense: '2-3' is not a page number; write ranges like 1-3,7,9-"),
        ("1 2", "the page range '1 2' makes no sense: '1 2' is not a page number; write ranges like 1-3,7,9-"),
        ("+1", "the page range '+1' makes no sense: '+1' is not a page number; write ranges like 1-3,7,9-"),
        ("１", "the page range '１' makes no sense: '１' is not a page number; write ranges like 1-3,7,9-"),
        (
            "2147483648",
            "the page range '2147483648' makes no sense: 2147483648 is more than any document has; "
                + "write ranges like 1-3,7,9-"
        ),
        (
            "1-99999999999999999999",
            "the page range '1-99999999999999999999' makes no sense: 99999999999999999999 is more than any document has; "
                + "write ranges like 1-3,7,9-"
        ),
    ])
    func `what makes no sense is answered with what to write`(_ text: String, _ sentence: String) throws {
        let error = try #require(throws: PageRangesError.self) { try PageRanges(text) }
        #expect(error.description == sentence)
        #expect(throws: PageRangesError.self) { try JSON.read([PageRanges].self, "[\"\(text)\"]") }
    }

    @Test func `ranges from numbers are put in order, joined and cut at the end`() throws {
        #expect(try PageRanges([7...9, 1...2, 3...4, 8...Int.max]).ranges == [1...4, 7...PageRanges.end])
        #expect(try PageRanges([1...Int.max]) == .all)
        #expect(try PageRanges([PageRanges.end...Int.max]).ranges == [PageRanges.end...PageRanges.end])
    }

    @Test(arguments: [
        [], [0...1], [Int.min...5], [-3 ... -1], [PageRanges.end + 1...Int.max], [1...2, Int.max...Int.max],
    ])
    func `ranges from numbers outside the pages of any document are refused`(_ ranges: [ClosedRange<Int>]) {
        #expect(throws: PageRangesError.self) { try PageRanges(ranges) }
    }

    @Test(arguments: [0, -1, Int.min])
    func `a document without pages has none to choose`(_ count: Int) {
        #expect(PageRanges.all.pages(of: count) == [])
        #expect(PageRanges.all.count(of: count) == 0)
    }

    @Test func `a document that claims more pages than any has counts as having the most`() {
        #expect(PageRanges.all.count(of: .max) == PageRanges.mostPages)
        #expect(PageRanges.all.pages(of: .max).last == PageRanges.mostPages)
    }
}
