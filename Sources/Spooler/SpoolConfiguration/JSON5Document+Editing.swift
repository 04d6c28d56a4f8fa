// Changes one value of a JSON5 document, and keeps all comments, the order and the layout of the rest.

extension JSON5Document {
    /// Returns the value at a path of keys; nil if the document does not contain this path.
    ///
    /// If a key occurs more than once, the last occurrence applies.
    package func node(at path: [String]) -> JSON5Node? {
        var node = root
        for key in path {
            guard let member = node.members.last(where: { $0.key == key }) else { return nil }
            node = member.value
        }
        return node
    }

    /// Returns the text of the document with a new value of a setting.
    ///
    /// The function replaces the value of an existing key. A new key is added after the line in which the key is
    /// commented out (`//keepJobs: 1000,`), otherwise at the end of the object.
    ///
    /// - Parameters:
    ///   - path: The keys from the root to the setting. Missing objects are created.
    ///   - literal: The new value in JSON5, on one line.
    package func setting(_ path: [String], to literal: String) -> String {
        if let node = node(at: path) { return replacing(node.range, by: literal) }
        // The innermost object that exists.
        var depth = 0
        while depth < path.count - 1, node(at: Array(path.prefix(depth + 1)))?.isObject == true { depth += 1 }
        guard let parent = node(at: Array(path.prefix(depth))), parent.isObject else { return text }
        let missing = Array(path.dropFirst(depth))
        return adding(missing, literal, to: parent)
    }

    private func replacing(_ range: Range<Int>, by new: String) -> String {
        String(decoding: bytes[..<range.lowerBound] + Array(new.utf8) + bytes[range.upperBound...], as: UTF8.self)
    }

    private func adding(_ path: [String], _ literal: String, to object: JSON5Node) -> String {
        let members = object.members
        let closing = object.range.upperBound - 1
        // An object on one line stays on one line.
        if !bytes[object.range].contains(UInt8(ascii: "\n")) {
            let member = Self.oneLine(path, literal)
            guard let last = members.last else {
                let inside = object.range.lowerBound + 1..<closing
                let isBlank = bytes[inside].allSatisfy { $0 == 0x20 || $0 == 0x09 }
                return replacing(isBlank ? inside : closing..<closing, by: " \(member) ")
            }
            let end = last.comma.map { $0 + 1 } ?? last.value.range.upperBound
            return replacing(end..<end, by: (last.comma == nil ? ", " : " ") + member + (last.comma == nil ? "" : ","))
        }
        let indentation =
            members.first.map { self.indentation(at: $0.keyRange.lowerBound) }
            ?? self.indentation(at: closing) + "  "
        let lines = Self.lines(path, literal, indentation)
        if let place = placeAfterComment(of: path[0], in: object) {
            let edited = inserting(lines, at: place, after: members)
            // The line may be part of a block comment.
            if let added = try? JSON5Document(edited), added.count(of: path[0]) > count(of: path[0]) { return edited }
        }
        return inserting(lines, at: placeAtEnd(of: object), after: members)
    }

    /// Returns the number of members with the given key in the whole document.
    private func count(of key: String) -> Int {
        func count(_ node: JSON5Node) -> Int {
            node.members.map { ($0.key == key ? 1 : 0) + count($0.value) }.reduce(0, +)
        }
        return count(root)
    }

    /// Returns the text with inserted lines.
    ///
    /// If no comma follows the member before these lines, the function adds a comma.
    private func inserting(_ lines: String, at place: Int, after members: [JSON5Node.Member]) -> String {
        guard let before = members.last(where: { $0.value.range.upperBound <= place }), before.comma == nil else {
            return replacing(place..<place, by: lines)
        }
        let end = before.value.range.upperBound
        let between = String(decoding: bytes[end..<place], as: UTF8.self)
        return replacing(end..<place, by: "," + between + lines)
    }

    /// Returns the offset after the line in which the key is commented out; nil if the object contains no such line.
    private func placeAfterComment(of key: String, in object: JSON5Node) -> Int? {
        let inner = object.members.map(\.value.range)
        var start = lineEnd(from: object.range.lowerBound)
        while start < object.range.upperBound {
            let end = lineEnd(from: start)
            let line = String(decoding: bytes[start..<end], as: UTF8.self)
            if Self.commentedKey(of: line) == key, end <= object.range.upperBound - 1,
                !inner.contains(where: { $0.contains(start) })
            {
                return end
            }
            start = end
        }
        return nil
    }

    /// Returns the key of a line such as `  //keepJobs: 1000,`; nil for any other line.
    static func commentedKey(of line: String) -> String? {
        var rest = line.drop { $0 == " " || $0 == "\t" }
        guard rest.hasPrefix("//") else { return nil }
        rest = rest.dropFirst(2).drop { $0 == " " || $0 == "\t" }
        let key = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard !key.isEmpty, rest.dropFirst(key.count).drop(while: { $0 == " " }).first == ":" else { return nil }
        return String(key)
    }

    /// Returns the offset at which lines can be inserted at the end of an object.
    ///
    /// The offset is the start of the line with the closing bracket. If other text precedes the bracket on that line,
    /// the offset is the offset of the bracket.
    private func placeAtEnd(of object: JSON5Node) -> Int {
        let closing = object.range.upperBound - 1
        var start = closing
        while start > object.range.lowerBound, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        return bytes[start - 1] == UInt8(ascii: "\n") ? start : closing
    }

    /// Returns the offset at which the next line starts, or the end of the text.
    private func lineEnd(from offset: Int) -> Int {
        bytes[offset...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
    }

    /// Returns the white space at the beginning of the line that contains the given offset.
    private func indentation(at offset: Int) -> String {
        let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return String(decoding: bytes[start..<offset].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
    }

    private static func oneLine(_ path: [String], _ literal: String) -> String {
        path.dropLast().reversed().reduce("\(path[path.count - 1]): \(literal)") { "\($1): { \($0) }" }
    }

    private static func lines(_ path: [String], _ literal: String, _ indentation: String) -> String {
        guard path.count > 1 else { return "\(indentation)\(path[0]): \(literal),\n" }
        return "\(indentation)\(path[0]): {\n" + lines(Array(path.dropFirst()), literal, indentation + "  ")
            + "\(indentation)},\n"
    }
}
