// The error for a message that cannot be encoded.

/// The reason why a message cannot be encoded.
///
/// In files that import this module, the name `EncodingError` means this type. Write `Swift.EncodingError` for the
/// standard library's type.
public struct EncodingError: Error, Hashable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: Hashable, Sendable {
        case emptyName
        case noValues
        /// An error for a name or value that is longer than 32,767 bytes, the maximum that the length field can hold.
        case tooLong
        /// An error for collections that nest deeper than ``Collection/maximumDepth``.
        case tooDeep
        /// An error for a group whose tag is not a group tag, or an unknown value whose tag is not a value tag.
        case badTag
    }

    package let code: Code
    /// The explanation with the name of the attribute, for people.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error message with the name of the attribute.
    public var description: String { message }
}
