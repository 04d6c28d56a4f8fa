// Tests of the JSON5 parser: values, lines of errors, hostile input.

import Testing

@testable import SpoolConfiguration

struct JSON5Tests {
    private func text(_ json5: String) throws -> String { text(try JSON5Document(json5).root) }

    private func text(_ node: JSON5Node) -> String {
        switch node.content {
        case .null: "null"
        case .bool(let isTrue): "\(isTrue)"
        case .number(let number): "\(number)"
        case .string(let string): "'\(string)'"
        case .array(let elements): "[\(elements.map(text).joined(separator: ","))]"
        case .object(let members): "{\(members.map { "\($0.key):\(text($0.value))" }.joined(separator: ","))}"
        }
    }

    @Test(arguments: [
        ("{}", "{}"), ("\u{FEFF}{ a: 1, }", "{a:1.0}"),
        ("{'a b': .5, $c_1: -0x1F, \"d\": +1.e2}", "{a b:0.5,$c_1:-31.0,d:100.0}"),
        ("// one\n{ /* two\n */ a: [true, false, null,], }", "{a:[true,false,null]}"),
        ("'a\\x41\\u0042\\uD83D\\uDE00\\\nc\\'\\n'", "'aAB😀c'\n'"), ("[Infinity, -Infinity]", "[inf,-inf]"),
        ("{ größe: 1 }", "{größe:1.0}"), ("\u{00A0}1\u{2028}", "1.0"), ("{ a: { b: { c: 'd' } } }", "{a:{b:{c:'d'}}}"),
    ])
    func `a JSON5 text with values of each type is parsed`(json5: String, values: String) throws {
        #expect(try text(json5) == values)
    }

    @Test(arguments: [
        ("", 1, "expected a value, found the end of the file"),
        ("{\n\n  a 1 }", 3, "expected ':' after 'a', found '1'"),
        ("{ a: 1\n  b: 2 }", 2, "expected ',' or '}' after the value of 'a', found 'b'"),
        ("{ a: hello }", 1, "'hello' is not a value; put text in quotes"),
        ("{ a: 'x\n' }", 1, "the string has no closing quote on its line"), ("{ a: 1", 1, "expected ',' or '}' after"),
        ("{}\n}", 2, "expected the end of the file, found '}'"), ("{ a: 1 } /* x", 1, "the comment has no end"),
        ("{ a: 1x }", 1, "'1x' is not a number"), ("{ a: 1e }", 1, "is not a number"),
        ("{ a: . }", 1, "is not a number"),
        ("{ a: '\\u00g0' }", 1, "expected 4 hexadecimal digits"), ("{ a: '\\1' }", 1, "escape sequence '\\1'"),
        ("{,}", 1, "expected a setting or '}'"), ("[1,,2]", 1, "expected a value"), ("/", 1, "expected a value"),
        (String(repeating: "[", count: 100_000), 1, "more than 64 nested brackets"),
    ])
    func `the error for invalid JSON5 syntax contains the line number and the expected text`(
        json5: String, line: Int, words: String
    ) throws {
        let error = try #require(throws: JSON5Error.self) { try JSON5Document(json5) }
        #expect(error.line == line && error.description.contains(words), "\(error)")
    }

    @Test func `invalid UTF-8 in a JSON5 string causes an error`() throws {
        let bytes = Array("{ a: '".utf8) + [0xFF, 0xFE] + Array("' }".utf8)
        #expect(throws: JSON5Error.self) { try JSON5Document(bytes: bytes) }
    }

    @Test func `a truncated JSON5 file and a JSON5 file with a changed byte cause no crash`() throws {
        let file = Array(Setting.sampleFile.utf8)
        for end in stride(from: 0, to: file.count, by: 7) { _ = try? JSON5Document(bytes: Array(file[..<end])) }
        let small = Array("{ a: [1, 'x\\u0041', { b: -0x1F }], /* c */ d: .5e-3 } // e".utf8)
        for index in small.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = small
                changed[index] = byte
                _ = try? JSON5Document(bytes: changed)
            }
        }
    }
}
