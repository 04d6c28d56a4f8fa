// Encodes values as JSON text of a database, and decodes them.

import FoundationEssentials

/// Values that a store keeps as JSON text.
enum StoredJSON {
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    /// Returns a value as JSON text, whose keys are sorted.
    static func text(of value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Decodes a value from JSON text.
    ///
    /// - Throws: `DamagedValue`.
    static func value<Value: Decodable>(of text: String) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw DamagedValue("not a valid \(Value.self): \(error)")
        }
    }
}

/// An error for a stored value that cannot be decoded.
struct DamagedValue: Error, CustomStringConvertible {
    /// The reason why the value cannot be decoded.
    let description: String

    init(_ description: String) { self.description = description }
}
