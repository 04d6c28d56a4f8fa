// Decodes one value.

extension Value {
    /// Decodes a value that is not a collection.
    init(_ tag: ValueTag, _ range: Range<Int>, from reader: ItemReader) throws(DecodingError) {
        let start = range.lowerBound
        switch tag {
        case .integer:
            try reader.require(4, tag, range)
            self = .integer(reader.int32(at: start))
        case .enumeration:
            try reader.require(4, tag, range)
            self = .enumeration(reader.int32(at: start))
        case .boolean:
            try reader.require(1, tag, range)
            self = .boolean(try reader.boolean(at: start))
        case .dateTime:
            try reader.require(11, tag, range)
            self = .dateTime(reader.dateTime(at: start))
        case .resolution:
            try reader.require(9, tag, range)
            let units = Resolution.Units(rawValue: reader.uint8(at: start + 8))
            self = .resolution(
                Resolution(crossFeed: reader.int32(at: start), feed: reader.int32(at: start + 4), units: units))
        case .range:
            try reader.require(8, tag, range)
            self = .range(IntegerRange(lower: reader.int32(at: start), upper: reader.int32(at: start + 4)))
        case .octetString:
            self = .octetString(reader.octets(range))
        case .textWithLanguage, .nameWithLanguage:
            self = try Value(localized: tag, range, from: reader)
        default:
            self = Value(string: tag, range, from: reader)
        }
    }

    /// Decodes a language and a string, each with a separate length (RFC 8010 §3.9).
    private init(localized tag: ValueTag, _ range: Range<Int>, from reader: ItemReader) throws(DecodingError) {
        let (language, string) = try reader.localizedParts(tag, range)
        guard let language = reader.string(language), let string = reader.string(string) else {
            self = .unknown(tag: tag.rawValue, bytes: reader.octets(range))
            return
        }
        let localized = LocalizedString(string, language: language)
        self = tag == .textWithLanguage ? .textWithLanguage(localized) : .nameWithLanguage(localized)
    }

    /// Decodes a string or an out-of-band value.
    ///
    /// A value of another type, or a string that is not UTF-8, becomes an `unknown` value.
    private init(string tag: ValueTag, _ range: Range<Int>, from reader: ItemReader) {
        if range.isEmpty, let reason = OutOfBand(rawValue: tag.rawValue) {
            self = .outOfBand(reason)
        } else if 0x40...0x49 ~= tag.rawValue, let string = reader.string(range), let value = Value(string, tag) {
            self = value
        } else {
            self = .unknown(tag: tag.rawValue, bytes: reader.octets(range))
        }
    }

    private init?(_ string: String, _ tag: ValueTag) {
        switch tag {
        case .text: self = .text(string)
        case .name: self = .name(string)
        case .keyword: self = .keyword(string)
        case .uri: self = .uri(string)
        case .uriScheme: self = .uriScheme(string)
        case .charset: self = .charset(string)
        case .naturalLanguage: self = .naturalLanguage(string)
        case .mimeMediaType: self = .mimeMediaType(string)
        default: return nil
        }
    }
}

extension ItemReader {
    fileprivate func require(_ length: Int, _ tag: ValueTag, _ range: Range<Int>) throws(DecodingError) {
        guard range.count == length else {
            throw DecodingError(
                .badLength, at: offset(of: range.lowerBound),
                "a value of type \(tag) has \(range.count) bytes instead of \(length)")
        }
    }

    fileprivate func boolean(at index: Int) throws(DecodingError) -> Bool {
        switch uint8(at: index) {
        case 0: false
        case 1: true
        case let byte: throw DecodingError(.badValue, at: offset(of: index), "a boolean is \(byte) instead of 0 or 1")
        }
    }

    fileprivate func dateTime(at index: Int) -> DateTime {
        DateTime(
            year: uint16(at: index), month: uint8(at: index + 2), day: uint8(at: index + 3),
            hour: uint8(at: index + 4), minute: uint8(at: index + 5), second: uint8(at: index + 6),
            decisecond: uint8(at: index + 7), direction: uint8(at: index + 8), offsetHours: uint8(at: index + 9),
            offsetMinutes: uint8(at: index + 10))
    }

    fileprivate func localizedParts(
        _ tag: ValueTag, _ range: Range<Int>
    ) throws(DecodingError) -> (language: Range<Int>, string: Range<Int>) {
        func bad() -> DecodingError {
            DecodingError(
                .badLength, at: offset(of: range.lowerBound),
                "the lengths in a value of type \(tag) do not match the total length of the value")
        }
        let language = range.lowerBound + 2
        guard language <= range.upperBound else { throw bad() }
        let languageEnd = language + Int(uint16(at: range.lowerBound))
        guard languageEnd + 2 <= range.upperBound else { throw bad() }
        guard languageEnd + 2 + Int(uint16(at: languageEnd)) == range.upperBound else { throw bad() }
        return (language..<languageEnd, languageEnd + 2..<range.upperBound)
    }
}
