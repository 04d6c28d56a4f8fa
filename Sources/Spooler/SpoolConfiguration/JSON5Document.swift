// A JSON5 document with the position of each value, so that problems name their line and edits keep comments.

/// A parsed JSON5 document (spec.json5.org).
///
///     let document = try JSON5Document("{ keepJobs: 50 } // few")
///     document.root.members[0].key            // "keepJobs"
///     document.line(of: document.root)        // 1
package struct JSON5Document: Sendable {
    /// The text of the document as UTF-8.
    package let bytes: [UInt8]
    /// The top-level value of the document.
    package let root: JSON5Node

    /// Parses the text of a document.
    ///
    /// - Throws: `JSON5Error` with the line of the first character that is not JSON5.
    package init(_ text: String) throws(JSON5Error) { try self.init(bytes: Array(text.utf8)) }

    /// Parses the UTF-8 bytes of a document.
    package init(bytes: [UInt8]) throws(JSON5Error) {
        var parser = JSON5Parser(bytes)
        root = try parser.parse()
        self.bytes = bytes
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the line number of a byte offset, from 1.
    package func line(at offset: Int) -> Int { Self.line(at: offset, of: bytes) }

    /// Returns the number of the line on which a value begins, from 1.
    package func line(of node: JSON5Node) -> Int { line(at: node.range.lowerBound) }

    static func line(at offset: Int, of bytes: [UInt8]) -> Int {
        1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
    }
}

/// A value of a JSON5 document.
package struct JSON5Node: Sendable {
    /// The kinds of JSON5 values.
    package indirect enum Content: Sendable {
        case null
        /// A Boolean value.
        case bool(Bool)
        /// A number, which can be infinite or NaN.
        case number(Double)
        case string(String)
        case array([JSON5Node])
        /// An object with the members in document order.
        ///
        /// A key can occur more than once.
        case object([Member])
    }

    package struct Member: Sendable {
        /// The key, without quotes.
        package var key: String
        /// The byte range of the key, including quotes.
        package var keyRange: Range<Int>
        package var value: JSON5Node
        /// The byte offset of the comma after the value; nil if the last member has no comma.
        package var comma: Int?
    }

    package var content: Content
    /// The byte range of the value, without surrounding white space and comments.
    package var range: Range<Int>

    /// The members of an object; empty for any other value.
    package var members: [Member] {
        if case .object(let members) = content { members } else { [] }
    }

    package var isObject: Bool {
        if case .object = content { true } else { false }
    }
}

/// An error in the syntax of a JSON5 document.
package struct JSON5Error: Error, Hashable, CustomStringConvertible {
    /// The line number of the error, from 1.
    package var line: Int
    /// The message, which contains the expected text and the found text.
    package var description: String
}
