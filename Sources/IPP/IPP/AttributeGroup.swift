// A group of attributes that describe one object, such as an operation, a job or a printer.

/// The attributes of one object, in the order of transmission (RFC 8010 §3.1.2).
///
///     var job = AttributeGroup(.job)
///     job.append("copies", .integer(2))
///     job["sides"] = Attribute("sides", .keyword("two-sided-long-edge"))
///     job.integer("copies")  // 2
public struct AttributeGroup: Hashable, Sendable {
    package var tag: GroupTag
    /// The attributes of the group, in order.
    ///
    /// In a valid group, each name occurs once. The attributes of a received message are not checked for duplicate
    /// names.
    package var attributes: [Attribute]

    package init(_ tag: GroupTag, _ attributes: [Attribute] = []) {
        self.tag = tag
        self.attributes = attributes
    }

    /// Returns the operation attributes group, which is the first group of a message.
    ///
    /// The group contains the charset (UTF-8), the language (English), and then the given attributes.
    ///
    /// RFC 8011 §4.1.4 requires the charset and the language first, in this order.
    package static func operation(_ attributes: [Attribute] = []) -> AttributeGroup {
        AttributeGroup(
            .operation,
            [
                Attribute("attributes-charset", .charset("utf-8")),
                Attribute("attributes-natural-language", .naturalLanguage("en")),
            ] + attributes)
    }

    /// The first attribute with the given name.
    ///
    /// Assigning an attribute replaces that attribute, or appends an attribute if no attribute has this name. Assigning
    /// `nil` removes the attribute. The stored attribute has the name in the subscript, even if the assigned attribute
    /// has another name.
    package subscript(name: String) -> Attribute? {
        get { attributes[named: name] }
        set { attributes[named: name] = newValue }
    }

    package mutating func append(_ attribute: Attribute) { attributes.append(attribute) }

    package mutating func append(_ name: String, _ values: Value...) { attributes.append(Attribute(name, values)) }

    package mutating func append(contentsOf attributes: some Sequence<Attribute>) {
        self.attributes.append(contentsOf: attributes)
    }
}

extension AttributeGroup {
    /// Returns the first value of an attribute as a number.
    ///
    /// The result is `nil` if the value is neither an `integer` nor an `enum`.
    package func integer(_ name: String) -> Int32? { self[name]?.first?.intValue }

    package func boolean(_ name: String) -> Bool? { self[name]?.first?.boolValue }

    package func string(_ name: String) -> String? { self[name]?.first?.stringValue }

    /// Returns the character strings among the values of an attribute.
    ///
    /// All string types are included, such as names, keywords and URIs.
    ///
    /// The array is empty if the attribute has no character strings.
    package func strings(_ name: String) -> [String] { self[name]?.values.compactMap(\.stringValue) ?? [] }

    /// The result includes names, because some attributes allow names in addition to keywords.
    ///
    /// The array is empty if the attribute has neither keywords nor names.
    package func keywords(_ name: String) -> [String] { self[name]?.values.compactMap(\.keywordValue) ?? [] }

    package func collection(_ name: String) -> Collection? { self[name]?.first?.collectionValue }
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
