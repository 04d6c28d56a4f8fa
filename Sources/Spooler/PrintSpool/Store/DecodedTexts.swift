// Remembers the values of texts that were decoded recently.

import Synchronization

/// A cache of decoded texts.
///
/// Most jobs have the same options, and few state reasons exist. Decoding JSON takes longer than the query.
final class DecodedTexts<Value: Sendable>: Sendable {
    private static var mostTexts: Int { 100 }
    /// The length of the longest text that is kept, in bytes.
    private static var longestText: Int { 2000 }

    private let values = Mutex<[String: Value]>([:])

    /// Returns the value of a text, and decodes the text if its value is not in the cache.
    func value(of text: String, _ decode: (String) throws -> Value) rethrows -> Value {
        if let known = values.withLock({ $0[text] }) { return known }
        let value = try decode(text)
        guard text.utf8.count <= Self.longestText else { return value }
        values.withLock { values in
            if values.count >= Self.mostTexts { values.removeAll() }
            values[text] = value
        }
        return value
    }
}
