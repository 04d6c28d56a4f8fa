// Why a message cannot be written.

/// Why a message cannot be written as bytes.
///
/// In files that import this module the name hides the standard library's type: write `Swift.EncodingError`
/// for that.
public struct EncodingError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, for programs.
    public enum Code: Hashable, Sendable {
        /// An attribute has no name.
        case emptyName
        /// An attribute has no values.
        case noValues
        /// A name or value is longer than the 32,767 bytes that a length can say.
        case tooLong
        /// Collections nest deeper than ``Collection/maximumDepth``.
        case tooDeep
        /// A group or an unknown value has a tag that is not one of a group or a value.
        case badTag
    }

    /// What is wrong, for programs.
    public let code: Code
    /// What is wrong and with which attribute, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
