// What a value holds, whatever its exact type.

extension Value {
    /// The number of an `integer` or an `enum`.
    public var intValue: Int32? {
        switch self {
        case .integer(let number), .enumeration(let number): number
        default: nil
        }
    }

    /// The truth of a `boolean`.
    public var boolValue: Bool? {
        if case .boolean(let truth) = self { truth } else { nil }
    }

    /// The string of any character-string type, without its language if it has one.
    public var stringValue: String? {
        switch self {
        case .text(let string), .name(let string), .keyword(let string), .uri(let string), .uriScheme(let string),
            .charset(let string), .naturalLanguage(let string), .mimeMediaType(let string):
            string
        case .textWithLanguage(let localized), .nameWithLanguage(let localized): localized.string
        default: nil
        }
    }

    /// The string of a `keyword`, or of a `name` where a site may extend the keywords by names.
    public var keywordValue: String? {
        switch self {
        case .keyword(let string), .name(let string): string
        case .nameWithLanguage(let localized): localized.string
        default: nil
        }
    }

    /// The range of a `rangeOfInteger`; an `integer` is a range of one.
    public var rangeValue: IntegerRange? {
        switch self {
        case .range(let range): range
        case .integer(let number): IntegerRange(lower: number, upper: number)
        default: nil
        }
    }

    /// The `resolution`.
    public var resolutionValue: Resolution? {
        if case .resolution(let resolution) = self { resolution } else { nil }
    }

    /// The `dateTime`.
    public var dateTimeValue: DateTime? {
        if case .dateTime(let dateTime) = self { dateTime } else { nil }
    }

    /// The bytes of an `octetString`.
    public var bytesValue: [UInt8]? {
        if case .octetString(let bytes) = self { bytes } else { nil }
    }

    /// The `collection`.
    public var collectionValue: Collection? {
        if case .collection(let collection) = self { collection } else { nil }
    }

    /// Why there is no value, if there is none.
    public var outOfBandValue: OutOfBand? {
        if case .outOfBand(let reason) = self { reason } else { nil }
    }
}

extension Attribute {
    /// The first value's number, if it is an `integer` or an `enum`.
    public var intValue: Int32? { first?.intValue }

    /// The first value's truth, if it is a `boolean`.
    public var boolValue: Bool? { first?.boolValue }

    /// The first value's string, if it is any kind of character string.
    public var stringValue: String? { first?.stringValue }

    /// The first value's keyword, if it is a `keyword` or a `name`.
    public var keywordValue: String? { first?.keywordValue }

    /// The first value's range, if it is a `rangeOfInteger` or an `integer`.
    public var rangeValue: IntegerRange? { first?.rangeValue }

    /// The first value's resolution, if it is one.
    public var resolutionValue: Resolution? { first?.resolutionValue }

    /// The first value's moment, if it is a `dateTime`.
    public var dateTimeValue: DateTime? { first?.dateTimeValue }

    /// The first value's members, if it is a `collection`.
    public var collectionValue: Collection? { first?.collectionValue }
}
