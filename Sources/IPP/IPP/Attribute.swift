// An IPP attribute and the collection type.

/// An attribute: a name and its values (RFC 8010 §3.1.4, §3.1.5).
public struct Attribute: Hashable, Sendable {
    /// The name: a keyword of 1 to 32,767 bytes, such as `job-name`.
    package var name: String
    /// The values, in order.
    ///
    /// A valid attribute has at least one value. Values can have different types.
    package var values: [Value]

    /// Creates an attribute with the given values.
    ///
    /// Encoding fails if `values` is empty.
    package init(_ name: String, _ values: [Value]) {
        self.name = name
        self.values = values
    }

    package init(_ name: String, _ values: Value...) {
        self.init(name, values)
    }

    /// The first value, or `nil` if there are no values.
    ///
    /// Only a `1setOf` attribute has more than one value.
    package var first: Value? { values.first }
}

/// A value that consists of attributes, such as the paper in `media-col` (RFC 8010 §3.1.6).
///
/// In files that import this module, the name `Collection` means this type. Write `Swift.Collection` for the standard
/// library's protocol.
public struct Collection: Hashable, Sendable {
    /// The maximum nesting depth of collections in an encoded message, and the upper bound of
    /// ``DecodingLimits/maxDepth``.
    ///
    /// Registered attributes nest at most four levels deep.
    package static let maximumDepth = 64

    /// The member attributes, in order.
    package var members: [Attribute]

    package init(_ members: [Attribute] = []) { self.members = members }

    /// The first member with the given name.
    ///
    /// Assigning an attribute replaces that member, or appends a member if no member has this name. Assigning `nil`
    /// removes the member.
    package subscript(name: String) -> Attribute? {
        get { members[named: name] }
        set { members[named: name] = newValue }
    }
}

extension Collection {
    /// Returns the first value of a member as a number.
    ///
    /// The result is `nil` if the value is neither an `integer` nor an `enum`.
    package func integer(_ name: String) -> Int32? { self[name]?.first?.intValue }

    /// Returns the first value of a member as a string.
    package func string(_ name: String) -> String? { self[name]?.first?.stringValue }

    /// Returns the character strings among the values of a member.
    package func strings(_ name: String) -> [String] { self[name]?.values.compactMap(\.stringValue) ?? [] }

    package func collection(_ name: String) -> Collection? { self[name]?.first?.collectionValue }
}
