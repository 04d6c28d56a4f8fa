// Typed access to the contents of a value.

extension Value {
    /// The number of an `integer` or `enum` value; `nil` for a value of another type.
    public var intValue: Int32? {
        switch self {
        case .integer(let number), .enumeration(let number): number
        default: nil
        }
    }

    /// The Boolean of a `boolean` value; `nil` for a value of another type.
    public var boolValue: Bool? {
        if case .boolean(let truth) = self { truth } else { nil }
    }

    /// The string of a character-string value, without its language; `nil` for a value of another type.
    public var stringValue: String? {
        switch self {
        case .text(let string), .name(let string), .keyword(let string), .uri(let string), .uriScheme(let string),
            .charset(let string), .naturalLanguage(let string), .mimeMediaType(let string):
            string
        case .textWithLanguage(let localized), .nameWithLanguage(let localized): localized.string
        default: nil
        }
    }

    /// The string of a `keyword` or `name` value; `nil` for a value of another type.
    ///
    /// Names are included because sites can extend keywords with names.
    public var keywordValue: String? {
        switch self {
        case .keyword(let string), .name(let string): string
        case .nameWithLanguage(let localized): localized.string
        default: nil
        }
    }

    /// The range of a `rangeOfInteger` or `integer` value; `nil` for a value of another type.
    ///
    /// For an `integer`, both bounds of the range are equal to this number.
    public var rangeValue: IntegerRange? {
        switch self {
        case .range(let range): range
        case .integer(let number): IntegerRange(lower: number, upper: number)
        default: nil
        }
    }

    /// The resolution of a `resolution` value; `nil` for a value of another type.
    public var resolutionValue: Resolution? {
        if case .resolution(let resolution) = self { resolution } else { nil }
    }

    /// The date and time of a `dateTime` value; `nil` for a value of another type.
    public var dateTimeValue: DateTime? {
        if case .dateTime(let dateTime) = self { dateTime } else { nil }
    }

    /// The bytes of an `octetString` value; `nil` for a value of another type.
    public var bytesValue: [UInt8]? {
        if case .octetString(let bytes) = self { bytes } else { nil }
    }

    /// The members of a `collection` value; `nil` for a value of another type.
    public var collectionValue: Collection? {
        if case .collection(let collection) = self { collection } else { nil }
    }

    /// The reason why the value is absent, or `nil` if there is a value.
    public var outOfBandValue: OutOfBand? {
        if case .outOfBand(let reason) = self { reason } else { nil }
    }
}

extension Attribute {
    /// The number of the first value; `nil` if the value is neither an `integer` nor an `enum`.
    public var intValue: Int32? { first?.intValue }

    /// The Boolean of the first value; `nil` if the value is not a `boolean`.
    public var boolValue: Bool? { first?.boolValue }

    /// The string of the first value; `nil` if the value is not a character string.
    public var stringValue: String? { first?.stringValue }

    /// The keyword of the first value; `nil` if the value is neither a `keyword` nor a `name`.
    public var keywordValue: String? { first?.keywordValue }

    /// The range of the first value; `nil` if the value is neither a `rangeOfInteger` nor an `integer`.
    public var rangeValue: IntegerRange? { first?.rangeValue }

    /// The resolution of the first value; `nil` if the value is not a `resolution`.
    public var resolutionValue: Resolution? { first?.resolutionValue }

    /// The date and time of the first value; `nil` if the value is not a `dateTime`.
    public var dateTimeValue: DateTime? { first?.dateTimeValue }

    /// The members of the first value; `nil` if the value is not a `collection`.
    public var collectionValue: Collection? { first?.collectionValue }
}
