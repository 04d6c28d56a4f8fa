// A name and its values.

/// A name and its values (RFC 8010 §3.1.4, §3.1.5).
public struct Attribute: Hashable, Sendable {
    /// The name, a keyword such as `job-name`: 1 to 32,767 bytes.
    public var name: String
    /// The values, one or more; each has a type of its own.
    public var values: [Value]

    /// An attribute of the given values, of which there must be one or more before it can be encoded.
    public init(_ name: String, _ values: [Value]) {
        self.name = name
        self.values = values
    }

    /// An attribute of the given values.
    public init(_ name: String, _ values: Value...) {
        self.init(name, values)
    }

    /// The first value, which is the only one unless the attribute is a `1setOf`.
    public var first: Value? { values.first }
}

/// Attributes as one value, such as the paper in `media-col` (RFC 8010 §3.1.6).
///
/// In files that import this module the name hides the standard library's protocol: write `Swift.Collection`
/// for that.
public struct Collection: Hashable, Sendable {
    /// How deep collections may nest in a message that this module encodes, and the most that
    /// ``DecodingLimits/maxDepth`` can allow.
    ///
    /// Registered attributes nest no deeper than four.
    public static let maximumDepth = 64

    /// The member attributes, in order.
    public var members: [Attribute]

    /// A collection of the given members.
    public init(_ members: [Attribute] = []) { self.members = members }

    /// The first member of a name.
    ///
    /// Setting replaces that member, or appends when there is none; setting `nil` removes it.
    public subscript(name: String) -> Attribute? {
        get { members[named: name] }
        set { members[named: name] = newValue }
    }
}

extension Collection {
    /// The first value of a member as a number, if it is an `integer` or an `enum`.
    public func integer(_ name: String) -> Int32? { self[name]?.first?.intValue }

    /// The first value of a member, if it is any kind of character string.
    public func string(_ name: String) -> String? { self[name]?.first?.stringValue }

    /// The first value of a member, if it is a `collection`.
    public func collection(_ name: String) -> Collection? { self[name]?.first?.collectionValue }
}
