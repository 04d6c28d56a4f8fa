// Typed access to the contents of a value.

extension Value {
    /// The number of an `integer` or an `enum`, otherwise `nil`.
    public var intValue: Int32? {
        switch self {
        case .integer(let number), .enumeration(let number): number
        default: nil
        }
    }

    /// The Boolean of a `boolean`, otherwise `nil`.
    public var boolValue: Bool? {
        if case .boolean(let truth) = self { truth } else { nil }
    }

    /// The string of any character-string type without its language, otherwise `nil`.
    public var stringValue: String? {
        switch self {
        case .text(let string), .name(let string), .keyword(let string), .uri(let string), .uriScheme(let string),
            .charset(let string), .naturalLanguage(let string), .mimeMediaType(let string):
            string
        case .textWithLanguage(let localized), .nameWithLanguage(let localized): localized.string
        default: nil
        }
    }

    /// The string of a `keyword` or `name` value; otherwise `nil`.
    ///
    /// Names are included because sites can extend keywords with names.
    public var keywordValue: String? {
        switch self {
        case .keyword(let string), .name(let string): string
        case .nameWithLanguage(let localized): localized.string
        default: nil
        }
    }

    /// The range of a `rangeOfInteger`, or the one-number range of an `integer`, otherwise `nil`.
    public var rangeValue: IntegerRange? {
        switch self {
        case .range(let range): range
        case .integer(let number): IntegerRange(lower: number, upper: number)
        default: nil
        }
    }

    /// The resolution of a `resolution`, otherwise `nil`.
    public var resolutionValue: Resolution? {
        if case .resolution(let resolution) = self { resolution } else { nil }
    }

    /// The date and time of a `dateTime`, otherwise `nil`.
    public var dateTimeValue: DateTime? {
        if case .dateTime(let dateTime) = self { dateTime } else { nil }
    }

    /// The bytes of an `octetString`, otherwise `nil`.
    public var bytesValue: [UInt8]? {
        if case .octetString(let bytes) = self { bytes } else { nil }
    }

    /// The members of a `collection`, otherwise `nil`.
    public var collectionValue: Collection? {
        if case .collection(let collection) = self { collection } else { nil }
    }

    /// The reason why there is no value, or `nil` if there is a value.
    public var outOfBandValue: OutOfBand? {
        if case .outOfBand(let reason) = self { reason } else { nil }
    }
}

extension Attribute {
    /// The number of the first value if it is an `integer` or an `enum`, otherwise `nil`.
    public var intValue: Int32? { first?.intValue }

    /// The Boolean of the first value if it is a `boolean`, otherwise `nil`.
    public var boolValue: Bool? { first?.boolValue }

    /// The string of the first value if it is a character string of any type, otherwise `nil`.
    public var stringValue: String? { first?.stringValue }

    /// The keyword of the first value if it is a `keyword` or a `name`, otherwise `nil`.
    public var keywordValue: String? { first?.keywordValue }

    /// The range of the first value if it is a `rangeOfInteger` or an `integer`, otherwise `nil`.
    public var rangeValue: IntegerRange? { first?.rangeValue }

    /// The resolution of the first value if it is a `resolution`, otherwise `nil`.
    public var resolutionValue: Resolution? { first?.resolutionValue }

    /// The date and time of the first value if it is a `dateTime`, otherwise `nil`.
    public var dateTimeValue: DateTime? { first?.dateTimeValue }

    /// The members of the first value if it is a `collection`, otherwise `nil`.
    public var collectionValue: Collection? { first?.collectionValue }
}
