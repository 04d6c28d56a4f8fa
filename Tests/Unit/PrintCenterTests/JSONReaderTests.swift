import SpoolerClient
import Testing

@testable import PrintCenter

struct JSONReaderTests {
    @Test func `a JSON text with values of every type is read, and each value keeps its type`() throws {
        let value = try JSONReader.read(Array(#"{"a":[1,2.5,true,null,"é\u0041"],"b":{}}"#.utf8))
        #expect(
            value
                == .object([
                    ("a", .array([.number(1), .decimal(2.5), .bool(true), .null, .string("éA")])), ("b", .object([])),
                ]))
    }

    @Test(arguments: ["", "{", "{}}", "{'a':1}", "nul", "{\"a\":}", "\u{1}", String(repeating: "[", count: 100_000)])
    func `the JSON reader throws an error for malformed JSON`(_ text: String) {
        #expect(throws: Problem.self) { try JSONReader.read(Array(text.utf8)) }
    }

    @Test func `the JSON reader throws an error for JSON that is nested too deeply`() {
        let text = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        #expect(throws: Problem.self) { try JSONReader.read(Array(text.utf8)) }
    }
}
