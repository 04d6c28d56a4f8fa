// Why bytes are not a message.

/// Why bytes are not a message, and where.
///
/// In files that import this module the name hides the standard library's type: write `Swift.DecodingError`
/// for that.
public struct DecodingError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, for programs.
    public enum Code: Hashable, Sendable {
        /// The bytes end before the message does.
        case truncated
        /// The message has more bytes than the limits allow.
        case tooLarge
        /// Collections nest deeper than the limits allow.
        case tooDeep
        /// There are more groups, attributes or values than the limits allow.
        case tooMany
        /// A tag is reserved or may not stand where it does.
        case badTag
        /// A name is missing, not UTF-8, or where none may be.
        case badName
        /// A length is negative, or not the one its type has.
        case badLength
        /// A value is none of those its type has.
        case badValue
    }

    /// What is wrong, for programs.
    public let code: Code
    /// Where it is wrong: the count of bytes of the message before that place.
    public let offset: Int
    /// What is wrong, for people.
    public let message: String

    init(_ code: Code, at offset: Int, _ message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }

    /// The message and the offset.
    public var description: String { "\(message) (at byte \(offset))" }
}
