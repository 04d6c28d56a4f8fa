// The error for a message that cannot be encoded.

/// The reason why a message cannot be encoded.
///
/// In files that import this module, this name hides the standard library's type. Write `Swift.EncodingError` for
/// that type.
public struct EncodingError: Error, Hashable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: Hashable, Sendable {
        /// An attribute has no name.
        case emptyName
        /// An attribute has no values.
        case noValues
        /// A name or value is longer than 32,767 bytes, the maximum that the length field can hold.
        case tooLong
        /// Collections nest deeper than ``Collection/maximumDepth``.
        case tooDeep
        /// The tag of a group is not a group tag, or the tag of an unknown value is not a value tag.
        case badTag
    }

    /// The kind of error, for programs.
    public let code: Code
    /// The explanation with the name of the attribute, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
