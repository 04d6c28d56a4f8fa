// Typed access to the contents of a value. Each property is `nil` for a value of another type.

extension Value {
    /// The number of an `integer` or `enum` value.
    package var intValue: Int32? {
        switch self {
        case .integer(let number), .enumeration(let number): number
        default: nil
        }
    }

    /// The Boolean of a `boolean` value.
    package var boolValue: Bool? {
        if case .boolean(let truth) = self { truth } else { nil }
    }

    /// The string of a character-string value, without its language; `nil` for a value of another type.
    package var stringValue: String? {
        switch self {
        case .text(let string), .name(let string), .keyword(let string), .uri(let string), .uriScheme(let string),
            .charset(let string), .naturalLanguage(let string), .mimeMediaType(let string):
            string
        case .textWithLanguage(let localized), .nameWithLanguage(let localized): localized.string
        default: nil
        }
    }

    /// The string of a `keyword` or `name` value.
    ///
    /// Names are included because sites can extend keywords with names.
    package var keywordValue: String? {
        switch self {
        case .keyword(let string), .name(let string): string
        case .nameWithLanguage(let localized): localized.string
        default: nil
        }
    }

    /// The range of a `rangeOfInteger` or `integer` value.
    ///
    /// For an `integer`, both bounds of the range are equal to this number.
    package var rangeValue: IntegerRange? {
        switch self {
        case .range(let range): range
        case .integer(let number): IntegerRange(lower: number, upper: number)
        default: nil
        }
    }

    /// The resolution of a `resolution` value.
    package var resolutionValue: Resolution? {
        if case .resolution(let resolution) = self { resolution } else { nil }
    }

    /// The date and time of a `dateTime` value.
    package var dateTimeValue: DateTime? {
        if case .dateTime(let dateTime) = self { dateTime } else { nil }
    }

    /// The bytes of an `octetString` value.
    package var bytesValue: [UInt8]? {
        if case .octetString(let bytes) = self { bytes } else { nil }
    }

    /// The members of a `collection` value.
    package var collectionValue: Collection? {
        if case .collection(let collection) = self { collection } else { nil }
    }

    /// The reason why the value is absent, or `nil` if there is a value.
    package var outOfBandValue: OutOfBand? {
        if case .outOfBand(let reason) = self { reason } else { nil }
    }
}

// The properties of the first value.
extension Attribute {
    package var intValue: Int32? { first?.intValue }
    package var boolValue: Bool? { first?.boolValue }
    package var stringValue: String? { first?.stringValue }
    package var rangeValue: IntegerRange? { first?.rangeValue }
    package var dateTimeValue: DateTime? { first?.dateTimeValue }
    package var collectionValue: Collection? { first?.collectionValue }
}
