// Encodes messages as bytes.

extension Message {
    /// Returns the bytes of the message.
    ///
    /// A document can follow the message (RFC 8010 §3.1).
    ///
    /// - Throws: ``EncodingError`` if an attribute has no name or no values, if a name or value is longer than 32,767
    ///   bytes, or if collections nest deeper than ``Collection/maximumDepth``.
    package func encoded() throws(EncodingError) -> [UInt8] {
        var encoder = MessageEncoder()
        try encoder.append(self)
        return encoder.bytes
    }

    /// Returns the bytes of the message without the end tag.
    ///
    /// The caller can append more groups.
    ///
    ///     send(try message.encodedBeginning())
    ///     while let group = nextGroup() { send(try group.encoded()) }
    ///     send(Message.encodedEnd)
    ///
    /// - Throws: ``EncodingError``, as ``encoded()`` does.
    package func encodedBeginning() throws(EncodingError) -> [UInt8] {
        var encoder = MessageEncoder()
        try encoder.appendBeginning(self)
        return encoder.bytes
    }

    /// The end-of-attributes tag, which ends a message (RFC 8010 §3.5.1).
    package static let encodedEnd = [GroupTag.endOfAttributes.rawValue]
}

extension AttributeGroup {
    /// Returns the bytes of the group, beginning with its tag.
    ///
    /// - Throws: ``EncodingError``, as ``Message/encoded()`` does.
    package func encoded() throws(EncodingError) -> [UInt8] {
        var encoder = MessageEncoder()
        try encoder.append(self)
        return encoder.bytes
    }
}

struct MessageEncoder {
    private(set) var bytes: [UInt8] = []
    private var depth = 0

    mutating func append(_ message: Message) throws(EncodingError) {
        try appendBeginning(message)
        bytes += Message.encodedEnd
    }

    mutating func appendBeginning(_ message: Message) throws(EncodingError) {
        bytes.reserveCapacity(1024)
        bytes.append(message.version.major)
        bytes.append(message.version.minor)
        append(message.code)
        append(message.requestID)
        for group in message.groups { try append(group) }
    }

    mutating func append(_ group: AttributeGroup) throws(EncodingError) {
        guard 0x01...0x0F ~= group.tag.rawValue, group.tag != .endOfAttributes else {
            throw EncodingError(.badTag, "\(group.tag) is not a group tag")
        }
        bytes.append(group.tag.rawValue)
        for attribute in group.attributes { try append(attribute) }
    }

    private mutating func append(_ attribute: Attribute) throws(EncodingError) {
        try check(attribute)
        // The first value carries the name. Additional values have an empty name.
        var name = attribute.name
        for value in attribute.values {
            bytes.append(value.tag.rawValue)
            try append(name, of: attribute)
            try append(value, of: attribute)
            name = ""
        }
    }

    private mutating func append(member attribute: Attribute) throws(EncodingError) {
        try check(attribute)
        bytes.append(ValueTag.memberName.rawValue)
        append(UInt16(0))
        try append(attribute.name, of: attribute)
        for value in attribute.values {
            bytes.append(value.tag.rawValue)
            append(UInt16(0))
            try append(value, of: attribute)
        }
    }

    private func check(_ attribute: Attribute) throws(EncodingError) {
        guard !attribute.name.isEmpty else {
            throw EncodingError(.emptyName, "an attribute has no name")
        }
        guard !attribute.values.isEmpty else {
            throw EncodingError(.noValues, "'\(attribute.name)' has no values; omit the attribute or use 'no-value'")
        }
    }

    private mutating func append(_ value: Value, of attribute: Attribute) throws(EncodingError) {
        switch value {
        case .integer(let number), .enumeration(let number):
            append(UInt16(4))
            append(number)
        case .boolean(let truth):
            append(UInt16(1))
            bytes.append(truth ? 1 : 0)
        case .text(let string), .name(let string), .keyword(let string), .uri(let string), .uriScheme(let string),
            .charset(let string), .naturalLanguage(let string), .mimeMediaType(let string):
            try append(string, of: attribute)
        case .textWithLanguage(let localized), .nameWithLanguage(let localized):
            try append(length: localized.language.utf8.count + localized.string.utf8.count + 4, of: attribute)
            try append(localized.language, of: attribute)
            try append(localized.string, of: attribute)
        case .octetString(let octets):
            try append(octets, of: attribute)
        case .dateTime(let dateTime):
            append(UInt16(11))
            append(dateTime)
        case .resolution(let resolution):
            append(UInt16(9))
            append(resolution.crossFeed)
            append(resolution.feed)
            bytes.append(resolution.units.rawValue)
        case .range(let range):
            append(UInt16(8))
            append(range.lower)
            append(range.upper)
        case .collection(let collection):
            try append(collection, of: attribute)
        case .outOfBand:
            append(UInt16(0))
        case .unknown(let tag, let octets):
            try check(unknown: ValueTag(rawValue: tag), of: attribute)
            try append(octets, of: attribute)
        }
    }

    private mutating func append(_ collection: Collection, of attribute: Attribute) throws(EncodingError) {
        guard depth < Collection.maximumDepth else {
            throw EncodingError(
                .tooDeep, "'\(attribute.name)' nests collections more than \(Collection.maximumDepth) levels deep")
        }
        depth += 1
        append(UInt16(0))
        for member in collection.members { try append(member: member) }
        bytes.append(ValueTag.endCollection.rawValue)
        append(UInt16(0))
        append(UInt16(0))
        depth -= 1
    }

    private func check(unknown tag: ValueTag, of attribute: Attribute) throws(EncodingError) {
        let structural: [ValueTag] = [.beginCollection, .endCollection, .memberName]
        guard tag.rawValue >= 0x10, !structural.contains(tag) else {
            throw EncodingError(
                .badTag, "cannot encode '\(attribute.name)': \(tag) is not a value tag")
        }
    }

    private mutating func append(_ string: String, of attribute: Attribute) throws(EncodingError) {
        try append(length: string.utf8.count, of: attribute)
        bytes.append(contentsOf: string.utf8)
    }

    private mutating func append(_ octets: [UInt8], of attribute: Attribute) throws(EncodingError) {
        try append(length: octets.count, of: attribute)
        bytes.append(contentsOf: octets)
    }

    private mutating func append(length: Int, of attribute: Attribute) throws(EncodingError) {
        guard length <= Int16.max else {
            throw EncodingError(
                .tooLong,
                "attribute '\(attribute.name.prefix(64))' contains a name or value of \(length) bytes; "
                    + "the maximum is 32767 bytes")
        }
        append(UInt16(length))
    }

    private mutating func append(_ number: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: number >> 8))
        bytes.append(UInt8(truncatingIfNeeded: number))
    }

    private mutating func append(_ number: Int32) {
        append(UInt16(truncatingIfNeeded: number >> 16))
        append(UInt16(truncatingIfNeeded: number))
    }

    private mutating func append(_ dateTime: DateTime) {
        append(dateTime.year)
        for field in [
            dateTime.month, dateTime.day, dateTime.hour, dateTime.minute, dateTime.second, dateTime.decisecond,
            dateTime.direction, dateTime.offsetHours, dateTime.offsetMinutes,
        ] {
            bytes.append(field)
        }
    }
}
