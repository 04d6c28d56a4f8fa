// The error for bytes that are not a valid IPP message.

/// The reason why bytes are not a valid message, and the position of the error.
///
/// In files that import this module, the name `DecodingError` means this type. Write `Swift.DecodingError` for the
/// standard library's type.
public struct DecodingError: Error, Hashable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: Hashable, Sendable {
        /// An error for bytes that end before the end of the message.
        case truncated
        /// An error for a message that is longer than ``DecodingLimits/maxBytes``.
        case tooLarge
        /// An error for collections that nest deeper than ``DecodingLimits/maxDepth``.
        case tooDeep
        /// An error for a message with more groups, attributes or values than the limits allow.
        case tooMany
        /// An error for a tag that is reserved or not allowed at its position.
        case badTag
        /// An error for a name that is missing, not UTF-8, or not allowed at its position.
        case badName
        /// An error for a length that is negative or wrong for the value's type.
        case badLength
        case badValue
    }

    package let code: Code
    /// The position of the error, in bytes from the start of the message.
    package let offset: Int
    package let message: String

    init(_ code: Code, at offset: Int, _ message: String) {
        (self.code, self.offset, self.message) = (code, offset, message)
    }

    /// The error message and the position of the error.
    public var description: String { "\(message) (at byte \(offset))" }
}
