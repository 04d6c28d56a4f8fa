import Testing

@testable import PrintCenter

struct QueryTextTests {
    @Test func `a query with plus signs and percent-encoded characters is decoded`() throws {
        let query = try QueryText("q=energy+report%21&show=&limit=5")
        #expect(query["q"] == "energy report!")
        #expect(query["show"] == nil)
        #expect(try query.number("limit", in: 1...500, default: 100) == 5)
    }

    @Test(arguments: ["q=%", "q=%4", "q=%zz", "q=%ff", "q=%00", "a=1&a=2"])
    func `the decoder throws an error for a malformed query`(_ text: String) {
        #expect(throws: Problem.self) { try QueryText(text) }
    }
}
