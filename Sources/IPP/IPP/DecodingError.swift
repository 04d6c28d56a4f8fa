// The error for bytes that are not a valid IPP message.

/// The reason why bytes are not a valid message, and the position of the error.
///
/// In files that import this module, this name hides the standard library's type. Write `Swift.DecodingError` for
/// that type.
public struct DecodingError: Error, Hashable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: Hashable, Sendable {
        /// The bytes end before the end of the message.
        case truncated
        /// The message is longer than ``DecodingLimits/maxBytes``.
        case tooLarge
        /// Collections nest deeper than ``DecodingLimits/maxDepth``.
        case tooDeep
        /// The message has more groups, attributes or values than the limits allow.
        case tooMany
        /// A tag is reserved or not allowed at its position.
        case badTag
        /// A name is missing, not UTF-8, or not allowed at its position.
        case badName
        /// A length is negative or wrong for the value's type.
        case badLength
        /// A value is not valid for its type.
        case badValue
    }

    /// The kind of error, for programs.
    public let code: Code
    /// The position of the error, in bytes from the start of the message.
    public let offset: Int
    /// The explanation, for people.
    public let message: String

    init(_ code: Code, at offset: Int, _ message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }

    /// The message and the offset.
    public var description: String { "\(message) (at byte \(offset))" }
}
