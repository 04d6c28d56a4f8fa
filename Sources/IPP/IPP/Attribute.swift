// An IPP attribute and the collection type.

/// An attribute: a name and its values (RFC 8010 §3.1.4, §3.1.5).
public struct Attribute: Hashable, Sendable {
    /// The name, a keyword such as `job-name`: 1 to 32,767 bytes.
    public var name: String
    /// The values, in order.
    ///
    /// A valid attribute has at least one value. Values can have different types.
    public var values: [Value]

    /// Creates an attribute with the given values.
    ///
    /// Encoding fails if `values` is empty.
    public init(_ name: String, _ values: [Value]) {
        self.name = name
        self.values = values
    }

    /// Creates an attribute with the given values.
    public init(_ name: String, _ values: Value...) {
        self.init(name, values)
    }

    /// The first value, or `nil` if there are no values.
    ///
    /// Only a `1setOf` attribute has more than one value.
    public var first: Value? { values.first }
}

/// A value that consists of attributes, such as the paper in `media-col` (RFC 8010 §3.1.6).
///
/// In files that import this module, this name hides the standard library's protocol. Write `Swift.Collection` for
/// the protocol.
public struct Collection: Hashable, Sendable {
    /// The maximum nesting depth of collections in an encoded message, and the upper bound of
    /// ``DecodingLimits/maxDepth``.
    ///
    /// Registered attributes nest at most four levels deep.
    public static let maximumDepth = 64

    /// The member attributes, in order.
    public var members: [Attribute]

    /// Creates a collection with the given members.
    public init(_ members: [Attribute] = []) { self.members = members }

    /// The first member with the given name.
    ///
    /// Setting a value replaces that member, or appends a member if there is no such member. Setting `nil` removes
    /// the member.
    public subscript(name: String) -> Attribute? {
        get { members[named: name] }
        set { members[named: name] = newValue }
    }
}

extension Collection {
    /// Returns the first value of a member as a number if it is an `integer` or an `enum`, otherwise `nil`.
    public func integer(_ name: String) -> Int32? { self[name]?.first?.intValue }

    /// Returns the first value of a member if it is a character string of any type, otherwise `nil`.
    public func string(_ name: String) -> String? { self[name]?.first?.stringValue }

    /// Returns the first value of a member if it is a `collection`, otherwise `nil`.
    public func collection(_ name: String) -> Collection? { self[name]?.first?.collectionValue }
}
