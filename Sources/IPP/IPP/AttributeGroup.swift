// The attributes of one object: an operation, a job, a printer.

/// The attributes of one object, in the order they are sent (RFC 8010 §3.1.2).
///
///     var job = AttributeGroup(.job)
///     job.append("copies", .integer(2))
///     job["sides"] = Attribute("sides", .keyword("two-sided-long-edge"))
///     job.integer("copies")  // 2
public struct AttributeGroup: Hashable, Sendable {
    /// What the attributes are about.
    public var tag: GroupTag
    /// The attributes, in order.
    ///
    /// A valid message has each name once; a received one may not, and is kept as it came.
    public var attributes: [Attribute]

    /// A group of the given attributes.
    public init(_ tag: GroupTag, _ attributes: [Attribute] = []) {
        self.tag = tag
        self.attributes = attributes
    }

    /// The group that every message begins with: charset (UTF-8) and language (English), then the given attributes.
    ///
    /// These two come first, in this order (RFC 8011 §4.1.4).
    public static func operation(_ attributes: [Attribute] = []) -> AttributeGroup {
        AttributeGroup(
            .operation,
            [
                Attribute("attributes-charset", .charset("utf-8")),
                Attribute("attributes-natural-language", .naturalLanguage("en")),
            ] + attributes)
    }

    /// The first attribute of a name.
    ///
    /// Setting replaces that attribute, or appends when there is none; setting `nil` removes it. The name
    /// of the subscript wins over the name of the attribute.
    public subscript(name: String) -> Attribute? {
        get { attributes[named: name] }
        set { attributes[named: name] = newValue }
    }

    /// Adds an attribute at the end.
    public mutating func append(_ attribute: Attribute) { attributes.append(attribute) }

    /// Adds an attribute of the given values at the end.
    public mutating func append(_ name: String, _ values: Value...) { attributes.append(Attribute(name, values)) }

    /// Adds attributes at the end.
    public mutating func append(contentsOf attributes: some Sequence<Attribute>) {
        self.attributes.append(contentsOf: attributes)
    }
}

extension AttributeGroup {
    /// The first value of an attribute as a number, if it is an `integer` or an `enum`.
    public func integer(_ name: String) -> Int32? { self[name]?.first?.intValue }

    /// The first value of an attribute, if it is a `boolean`.
    public func boolean(_ name: String) -> Bool? { self[name]?.first?.boolValue }

    /// The first value of an attribute, if it is any kind of character string.
    public func string(_ name: String) -> String? { self[name]?.first?.stringValue }

    /// The values of an attribute that are any kind of character string; empty when there are none.
    public func strings(_ name: String) -> [String] { self[name]?.values.compactMap(\.stringValue) ?? [] }

    /// The values of an attribute that are keywords, or names where a keyword may be extended by one.
    ///
    /// Empty when there are none.
    public func keywords(_ name: String) -> [String] { self[name]?.values.compactMap(\.keywordValue) ?? [] }

    /// The first value of an attribute, if it is a `collection`.
    public func collection(_ name: String) -> Collection? { self[name]?.first?.collectionValue }
}

extension [Attribute] {
    subscript(named name: String) -> Attribute? {
        get { first { $0.name == name } }
        set {
            let index = firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let attribute?): self[index] = Attribute(name, attribute.values)
            case (let index?, nil): remove(at: index)
            case (nil, let attribute?): append(Attribute(name, attribute.values))
            case (nil, nil): break
            }
        }
    }
}
