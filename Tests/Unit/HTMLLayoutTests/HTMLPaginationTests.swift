import PrintModel
import Testing

@testable import HTMLLayout

struct HTMLPaginationTests {
    let room = Size(width: 468, height: 648)

    @Test func `long HTML text is laid out on several pages, complete and in order, and can be selected`() async throws
    {
        let html = (1...600).map { "<p>Paragraph \($0)." }.joined()
        let pages = try await testEngine.layOut(html, pageSize: room)
        #expect(pages.pageCount > 5)
        let words = try await pages.words()
        #expect(words.count == pages.pageCount)
        #expect(words.flatMap(\.self) == (1...600).flatMap { ["Paragraph", "\($0)."] })
        #expect(pages.notes == [])
    }

    @Test func `the first page has the requested first-page size, and all other pages have the requested page size`()
        async throws
    {
        let html = String(repeating: "<p>word", count: 100)
        let pages = try await testEngine.layOut(html, firstPageSize: Size(width: 468, height: 300.5), pageSize: room)
        let sizes = try await pages.sizes()
        #expect(sizes.first == "468 x 300.5")
        #expect(sizes.dropFirst().allSatisfy { $0 == "468 x 648" } && sizes.count > 2)
    }

    @Test func `'@page' rules in a document do not change the requested page size and margins, and add no headers`()
        async throws
    {
        let html = """
            <style>
            @page { size: A3 landscape !important; margin: 100pt !important; padding: 9pt; border: 5pt solid;
                    @top-center { content: 'HEADER' !important } @bottom-right-corner { content: 'CORNER' } }
            @page :first { margin-top: 300pt !important; size: A6 }
            @page wide { size: 900pt 200pt; @left-middle { content: 'SIDE' } }
            section { page: wide }
            </style>
            <p>one<section>two</section>
            """
        let pages = try await testEngine.layOut(html, pageSize: room)
        // Named pages still start new pages.
        #expect(try await pages.words() == [["one"], ["two"]])
        #expect(try await pages.sizes() == ["468 x 648", "468 x 648"])
        // The text begins in the corner.
        #expect(try await pages.boxes().first.map { $0.x == 0 && $0.y < 20 } == true)
    }

    @Test func `HTML layout applies page breaks, unbreakable blocks and page counters`() async throws {
        let html = """
            <style>h1 { break-before: page; counter-increment: part } h1::before { content: counter(part) ' ' }
            div { break-inside: avoid; height: 400pt }</style>
            <p>Contents <a href="#b">on page</a><style>a::after { content: ' ' target-counter(attr(href), page) }</style>
            <h1>First</h1><div>A</div><div>B</div><h1 id=b>Second</h1>
            """
        #expect(
            try await testEngine.layOut(html, pageSize: room).words() == [
                ["Contents", "on", "page", "4"], ["1", "First", "A"], ["B"], ["2", "Second"],
            ])
    }

    @Test(arguments: [2, 4])
    func `the CSS properties 'orphans' and 'widows' keep the given number of lines together`(lines: Int) async throws {
        // Ten lines fit on the page. The paragraph begins on the ninth line.
        let html = """
            <style>body { font: 10pt/20pt sans-serif; orphans: \(lines); widows: 2 } p { margin: 0 }</style>
            \((1...8).map { "<p>l\($0)" }.joined())<p>a<br>b<br>c<br>d<br>e
            """
        let words = try await testEngine.layOut(html, pageSize: Size(width: 200, height: 200)).words()
        #expect(words[1].first == (lines == 2 ? "c" : "a"))
    }

    @Test func `a table repeats its header on every page and does not split rows`() async throws {
        let rows = (1...150).map { "<tr><td>row\($0)<br>more<td>\($0 * 2)" }.joined()
        let html = "<table><thead><tr><th>Name<th>Sum</thead><tbody>\(rows)</table>"
        let words = try await testEngine.layOut(html, pageSize: room).words()
        #expect(words.count > 5)
        #expect(words.allSatisfy { $0.starts(with: ["Name", "Sum"]) })
        #expect(words.flatMap(\.self).filter { $0.hasPrefix("row") }.count == 150)
        for page in words { #expect(page.filter { $0.hasPrefix("row") }.count == page.filter { $0 == "more" }.count) }
    }

    @Test func `obsolete HTML attributes are applied, and elements without an end tag are printed`() async throws {
        let html = "<table width=100% border=1><tr><td align=right>one<td>two<p>th<b>ree <a href=\"x"
        #expect(Set(try await testEngine.layOut(html, pageSize: room).words()[0]) == ["one", "two", "three"])
    }

    @Test(arguments: ["", "\0", "<", "<!-- ", "&#0;&#xFFFFFFFF;", "<svg><style>", "\u{FFFE}\u{1F600}", "<script>x"])
    func `HTML with almost no content produces one page`(html: String) throws {
        #expect(try testEngine.layOut(html, pageSize: room).pageCount == 1)
    }

    @Test func `a page size without room for content causes an error`() throws {
        for size in [Size(width: 0, height: 100), Size(width: 100, height: -5), Size(width: .nan, height: 9)] {
            let error = #expect(throws: WorkError.self) {
                try testEngine.layOut("x", firstPageSize: size, pageSize: room)
            }
            #expect(error?.code == .noPages)
        }
    }
}
