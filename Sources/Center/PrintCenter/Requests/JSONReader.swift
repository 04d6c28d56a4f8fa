// Reads JSON that clients send.

import FoundationEssentials
package import SpoolerClient

/// A JSON value (RFC 8259), decoded with `JSONDecoder`.
struct JSONReader: Decodable {
    private static let mostLevels = 16
    private let value: JSONText

    /// Reads a JSON value.
    ///
    /// - Throws: `Problem` with status 400 if the bytes are not JSON or are nested too deeply.
    static func read(_ bytes: [UInt8]) throws(Problem) -> JSONText {
        do {
            return try JSONDecoder().decode(JSONReader.self, from: Data(bytes)).value
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .malformed("the body is not valid JSON")
        }
    }

    init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.mostLevels else {
            throw Problem.malformed("the body has more than \(Self.mostLevels) nested levels")
        }
        if let object = try? decoder.container(keyedBy: Name.self) {
            value = .object(
                try object.allKeys.sorted { $0.stringValue < $1.stringValue }.map { name in
                    (name.stringValue, try object.decode(JSONReader.self, forKey: name).value)
                })
        } else if var array = try? decoder.unkeyedContainer() {
            var elements: [JSONText] = []
            while !array.isAtEnd { elements.append(try array.decode(JSONReader.self).value) }
            value = .array(elements)
        } else {
            value = try Self.single(try decoder.singleValueContainer())
        }
    }

    private static func single(_ container: any SingleValueDecodingContainer) throws -> JSONText {
        if container.decodeNil() { return .null }
        if let truth = try? container.decode(Bool.self) { return .bool(truth) }
        if let number = try? container.decode(Int.self) { return .number(number) }
        if let number = try? container.decode(Double.self) { return .decimal(number) }
        return .string(try container.decode(String.self))
    }

    /// The name of a JSON member as a coding key.
    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}

extension JSONText {
    /// Returns the value of a member.
    ///
    /// The result is nil if the value is not an object, the member is missing, or the member is null.
    package subscript(name: String) -> JSONText? {
        guard case .object(let members) = self, let member = members.first(where: { $0.name == name }) else {
            return nil
        }
        if case .null = member.value { return nil }
        return member.value
    }

    /// Returns the text of a member; nil if the member is missing.
    ///
    /// - Throws: `Problem` with status 422 if the member is not a string.
    package func text(_ name: String) throws(Problem) -> String? {
        switch self[name] {
        case nil: return nil
        case .string(let text)?: return text
        default: throw .wrong(name, "'\(name)' must be a string")
        }
    }

    /// Returns the whole number in a member; nil if the member is missing.
    ///
    /// - Throws: `Problem` with status 422 if the member is not a whole number.
    package func number(_ name: String) throws(Problem) -> Int? {
        switch self[name] {
        case nil: return nil
        case .number(let number)?: return number
        default: throw .wrong(name, "'\(name)' must be a whole number")
        }
    }

    /// Returns the Boolean in a member; nil if the member is missing.
    ///
    /// - Throws: `Problem` with status 422 if the member is not a Boolean.
    package func truth(_ name: String) throws(Problem) -> Bool? {
        switch self[name] {
        case nil: return nil
        case .bool(let truth)?: return truth
        default: throw .wrong(name, "'\(name)' must be true or false")
        }
    }

    /// Returns the elements of a member; nil if the member is missing.
    ///
    /// - Throws: `Problem` with status 422 if the member is not an array.
    package func elements(_ name: String) throws(Problem) -> [JSONText]? {
        switch self[name] {
        case nil: return nil
        case .array(let elements)?: return elements
        default: throw .wrong(name, "'\(name)' must be an array")
        }
    }
}
