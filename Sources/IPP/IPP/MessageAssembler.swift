// The state machine that turns bytes into a message.

/// A state machine that turns bytes into a message, item by item.
///
/// An item is the header, a delimiter tag, or a tag with its name and value. The assembler reads an item only when all
/// bytes of the item are available. Therefore the assembler never decodes a byte twice.
///
/// Open collections are on an explicit stack, so that nesting does not cause recursion.
struct MessageAssembler: Sendable {
    /// The number of bytes consumed so far.
    private(set) var position = 0

    private let limits: DecodingLimits
    private var message: Message?
    private var groupTag: GroupTag?
    /// The attributes of the innermost open group or collection.
    private var level = Level()
    /// The levels that enclose the innermost open group or collection.
    ///
    /// The first level contains the attributes of the group.
    private var outerLevels: [Level] = []
    private var attributeCount = 0
    private var valueCount = 0

    private struct Level: Sendable {
        var attributes: [Attribute] = []
        /// The name of the attribute to which the next values belong.
        ///
        /// The attribute is complete when the next attribute begins.
        var name: String?
        var values: [Value] = []
    }

    init(limits: DecodingLimits) { self.limits = limits }

    /// Consumes all complete items.
    ///
    /// `bytes` begins at ``position``.
    ///
    /// - Returns: The message if its last byte has been consumed, otherwise `nil`.
    mutating func consume(_ bytes: ArraySlice<UInt8>) throws(DecodingError) -> Message? {
        var reader = ItemReader(bytes, at: position, maxBytes: limits.maxBytes)
        if message == nil {
            message = try reader.header()
            position = reader.offset
            if message == nil { return nil }
        }
        while let item = try reader.next() {
            switch item {
            case .delimiter(let tag):
                try endGroup()
                if tag != .endOfAttributes { try beginGroup(tag) }
            case .value(let tag, let name, let value):
                try take(tag, name: name, value: value, from: reader)
            }
            position = reader.offset
            if case .delimiter(.endOfAttributes) = item { return message }
        }
        return nil
    }

    // MARK: Groups

    private mutating func beginGroup(_ tag: GroupTag) throws(DecodingError) {
        guard tag.rawValue != 0 else {
            throw DecodingError(.badTag, at: position, "the tag 0x00 is reserved and is not a group tag")
        }
        guard (message?.groups.count ?? 0) < limits.maxGroups else {
            throw DecodingError(.tooMany, at: position, "the message has more than \(limits.maxGroups) groups")
        }
        groupTag = tag
    }

    private mutating func endGroup() throws(DecodingError) {
        guard outerLevels.isEmpty else {
            throw DecodingError(.badTag, at: position, "the group ends inside a collection")
        }
        try endAttribute()
        guard let tag = groupTag else { return }
        message?.groups.append(AttributeGroup(tag, level.attributes))
        level.attributes = []
        groupTag = nil
    }

    // MARK: Attributes and their values

    private mutating func take(
        _ tag: ValueTag, name: Range<Int>, value: Range<Int>, from reader: ItemReader
    ) throws(DecodingError) {
        switch tag {
        case .memberName:
            try requireNoName(tag, name)
            guard !outerLevels.isEmpty else {
                throw DecodingError(.badTag, at: position, "a member name is outside a collection")
            }
            try beginAttribute(named: value, from: reader)
        case .endCollection:
            try requireNoName(tag, name)
            try requireEmpty(tag, value, reader)
            try endCollection()
        default:
            if !name.isEmpty {
                if !outerLevels.isEmpty { try requireNoName(tag, name) }
                guard groupTag != nil else {
                    throw DecodingError(.badTag, at: position, "an attribute precedes the first group")
                }
                try beginAttribute(named: name, from: reader)
            }
            guard level.name != nil else {
                throw DecodingError(.badName, at: position, "a value has no preceding attribute name")
            }
            try countValue()
            if tag == .beginCollection {
                try requireEmpty(tag, value, reader)
                try beginCollection()
            } else {
                level.values.append(try Value(tag, value, from: reader))
            }
        }
    }

    private mutating func beginAttribute(named name: Range<Int>, from reader: ItemReader) throws(DecodingError) {
        try endAttribute()
        guard attributeCount < limits.maxAttributes else {
            throw DecodingError(
                .tooMany, at: position, "the message has more than \(limits.maxAttributes) attributes")
        }
        attributeCount += 1
        guard !name.isEmpty, let string = reader.string(name) else {
            throw DecodingError(
                .badName, at: reader.offset(of: name.lowerBound), "the name of an attribute is empty or not UTF-8")
        }
        level.name = string
    }

    private mutating func endAttribute() throws(DecodingError) {
        guard let name = level.name else { return }
        guard !level.values.isEmpty else {
            throw DecodingError(.badTag, at: position, "the member '\(name)' has no values")
        }
        level.attributes.append(Attribute(name, level.values))
        level.name = nil
        level.values = []
    }

    private mutating func countValue() throws(DecodingError) {
        guard valueCount < limits.maxValues else {
            throw DecodingError(.tooMany, at: position, "the message has more than \(limits.maxValues) values")
        }
        valueCount += 1
    }

    // MARK: Collections (RFC 8010 §3.1.6)

    private mutating func beginCollection() throws(DecodingError) {
        guard outerLevels.count < limits.maxDepth else {
            throw DecodingError(
                .tooDeep, at: position, "collections nest more than \(limits.maxDepth) levels deep")
        }
        outerLevels.append(level)
        level = Level()
    }

    private mutating func endCollection() throws(DecodingError) {
        try endAttribute()
        guard let outer = outerLevels.popLast() else {
            throw DecodingError(.badTag, at: position, "an end-of-collection tag has no matching start")
        }
        let collection = Collection(level.attributes)
        level = outer
        level.values.append(.collection(collection))
    }

    private func requireNoName(_ tag: ValueTag, _ name: Range<Int>) throws(DecodingError) {
        guard name.isEmpty else {
            throw DecodingError(
                .badName, at: position, "in a collection, the name of a value of type \(tag) is not empty")
        }
    }

    private func requireEmpty(_ tag: ValueTag, _ value: Range<Int>, _ reader: ItemReader) throws(DecodingError) {
        guard value.isEmpty else {
            throw DecodingError(
                .badLength, at: reader.offset(of: value.lowerBound),
                "a value of type \(tag) has \(value.count) bytes instead of 0")
        }
    }
}
