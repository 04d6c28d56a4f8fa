// One value of an attribute, with its type.

/// One value of an attribute, with its type (RFC 8010 §3.5.2, RFC 8011 §5.1).
public enum Value: Hashable, Sendable {
    case integer(Int32)
    case boolean(Bool)
    /// An `enum`: a number with a registered meaning, such as `job-state`.
    case enumeration(Int32)
    /// Bytes without further meaning.
    case octetString([UInt8])
    case dateTime(DateTime)
    case resolution(Resolution)
    /// A range of numbers: `rangeOfInteger`.
    case range(IntegerRange)
    case collection(Collection)
    /// Text for people, in the message's language.
    case text(String)
    case textWithLanguage(LocalizedString)
    /// A name that people assign, in the message's language.
    case name(String)
    /// A name that people assign, with the language of the name.
    case nameWithLanguage(LocalizedString)
    /// A registered keyword, such as `two-sided-long-edge`.
    case keyword(String)
    /// A URI, byte for byte as received.
    case uri(String)
    /// The scheme of a URI, such as `ipps`.
    case uriScheme(String)
    /// The name of a charset, such as `utf-8`.
    case charset(String)
    /// A language tag, such as `en-us` (RFC 5646).
    case naturalLanguage(String)
    /// A media type, such as `application/pdf`.
    case mimeMediaType(String)
    /// An out-of-band value: the reason why the attribute has no value.
    case outOfBand(OutOfBand)
    /// A value that no other case can represent, with the bytes as received.
    ///
    /// Examples are values with unregistered tags, strings that are not UTF-8, and out-of-band values with bytes.
    case unknown(tag: UInt8, bytes: [UInt8])
}

/// A string with its language: the value of `textWithLanguage` and `nameWithLanguage`.
public struct LocalizedString: Hashable, Sendable {
    /// The language tag, such as `fr-ca` (RFC 5646).
    package var language: String
    package var string: String

    package init(_ string: String, language: String) {
        self.string = string
        self.language = language
    }
}

/// The integers from a lower to an upper bound, inclusive: the value of `rangeOfInteger`.
///
/// In a received range, the lower bound can be greater than the upper bound. ``closedRange`` is `nil` in that case.
public struct IntegerRange: Hashable, Sendable {
    /// The lower bound, which belongs to the range.
    package var lower: Int32
    /// The upper bound, which belongs to the range.
    package var upper: Int32

    package init(lower: Int32, upper: Int32) {
        self.lower = lower
        self.upper = upper
    }

    package init(_ range: ClosedRange<Int32>) { self.init(lower: range.lowerBound, upper: range.upperBound) }

    /// The range as a standard library range, or `nil` if the lower bound is greater than the upper bound.
    package var closedRange: ClosedRange<Int32>? { lower <= upper ? lower...upper : nil }
}

/// A print resolution: dots per unit of length, across and along the feed direction.
public struct Resolution: Hashable, Sendable {
    /// The unit of a resolution (RFC 8011 §5.1.16).
    public struct Units: RawRepresentable, Hashable, Sendable {
        /// The registered number of the unit.
        ///
        /// Unregistered numbers are preserved.
        public var rawValue: UInt8

        /// Creates a unit with any number, registered or not.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let dotsPerInch = Units(rawValue: 3)
        package static let dotsPerCentimeter = Units(rawValue: 4)
    }

    /// The resolution across the feed direction of the paper, in dots per unit.
    package var crossFeed: Int32
    /// The resolution along the feed direction of the paper, in dots per unit.
    package var feed: Int32
    package var units: Units

    /// Creates a resolution, in dots per inch by default.
    package init(crossFeed: Int32, feed: Int32, units: Units = .dotsPerInch) {
        (self.crossFeed, self.feed, self.units) = (crossFeed, feed, units)
    }
}

/// An out-of-band value: the reason why an attribute has no value.
///
/// Out-of-band values have the tags 0x10 to 0x1F, and no value bytes (RFC 8010 §3.5.2).
public struct OutOfBand: RawRepresentable, Hashable, Sendable {
    /// The registered tag, 0x10 to 0x1F.
    ///
    /// A tag is preserved even if this type defines no name for the tag.
    public let rawValue: UInt8

    /// Creates an out-of-band value.
    ///
    /// Returns `nil` if the tag is not in 0x10 to 0x1F.
    public init?(rawValue: UInt8) {
        guard 0x10...0x1F ~= rawValue else { return nil }
        self.rawValue = rawValue
    }

    private init(_ tag: UInt8) { rawValue = tag }

    /// `unsupported`: the printer does not support the attribute.
    package static let unsupported = OutOfBand(0x10)
    /// `unknown`: the printer cannot determine the value now.
    package static let unknown = OutOfBand(0x12)
    /// `no-value`: no value is set.
    package static let noValue = OutOfBand(0x13)
    /// `not-settable`: the attribute cannot be set (RFC 3380).
    package static let notSettable = OutOfBand(0x15)
    /// `delete-attribute`: the attribute must be removed (RFC 3380).
    package static let deleteAttribute = OutOfBand(0x16)
    /// `admin-define`: an administrator must define the value (RFC 3380).
    package static let adminDefine = OutOfBand(0x17)
}
