// One value of an attribute, with its type.

/// One value of an attribute, with its type (RFC 8010 §3.5.2, RFC 8011 §5.1).
public enum Value: Hashable, Sendable {
    /// A number.
    case integer(Int32)
    /// True or false.
    case boolean(Bool)
    /// A registered number with a meaning: an `enum` such as `job-state`.
    case enumeration(Int32)
    /// Bytes without further meaning.
    case octetString([UInt8])
    /// A moment in time.
    case dateTime(DateTime)
    /// Dots per length, across and along.
    case resolution(Resolution)
    /// A `rangeOfInteger`.
    case range(IntegerRange)
    /// Attributes as one value.
    case collection(Collection)
    /// Words for people, in the message's language.
    case text(String)
    /// Words for people, in a language of their own.
    case textWithLanguage(LocalizedString)
    /// A name given by people, in the message's language.
    case name(String)
    /// A name given by people, in a language of its own.
    case nameWithLanguage(LocalizedString)
    /// A registered word, such as `two-sided-long-edge`.
    case keyword(String)
    /// A URI, as it was written.
    case uri(String)
    /// The scheme of a URI, such as `ipps`.
    case uriScheme(String)
    /// The name of a charset, such as `utf-8`.
    case charset(String)
    /// A language tag, such as `en-us` (RFC 5646).
    case naturalLanguage(String)
    /// A media type, such as `application/pdf`.
    case mimeMediaType(String)
    /// No value, and why.
    case outOfBand(OutOfBand)
    /// A value this module has no better case for, byte for byte.
    ///
    /// So come values of unregistered tags, strings that are not UTF-8, and out-of-band values that carry
    /// bytes.
    case unknown(tag: UInt8, bytes: [UInt8])
}

/// A string with the language it is in: the value of `textWithLanguage` and `nameWithLanguage`.
public struct LocalizedString: Hashable, Sendable {
    /// The language tag, such as `fr-ca` (RFC 5646).
    public var language: String
    /// The words.
    public var string: String

    /// A string in a language.
    public init(_ string: String, language: String) {
        self.string = string
        self.language = language
    }
}

/// Whole numbers from a lower to an upper bound, both included: the value of `rangeOfInteger`.
///
/// A received range may be upside down; ``closedRange`` is `nil` then.
public struct IntegerRange: Hashable, Sendable {
    /// The first number.
    public var lower: Int32
    /// The last number.
    public var upper: Int32

    /// The range of the given bounds.
    public init(lower: Int32, upper: Int32) {
        self.lower = lower
        self.upper = upper
    }

    /// The same range as the standard library has it.
    public init(_ range: ClosedRange<Int32>) { self.init(lower: range.lowerBound, upper: range.upperBound) }

    /// The same range as the standard library has it, or `nil` when the bounds are upside down.
    public var closedRange: ClosedRange<Int32>? { lower <= upper ? lower...upper : nil }
}

/// Dots per length, across the feed and along it.
public struct Resolution: Hashable, Sendable {
    /// What the dots are counted over (RFC 8011 §5.1.16).
    public struct Units: RawRepresentable, Hashable, Sendable {
        /// The registered number; others are kept as they are.
        public var rawValue: UInt8

        /// Units of any number, registered or not.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Dots per inch.
        public static let dotsPerInch = Units(rawValue: 3)
        /// Dots per centimetre.
        public static let dotsPerCentimeter = Units(rawValue: 4)
    }

    /// Dots across the direction in which paper moves.
    public var crossFeed: Int32
    /// Dots along the direction in which paper moves.
    public var feed: Int32
    /// What the dots are counted over.
    public var units: Units

    /// A resolution, in dots per inch unless said otherwise.
    public init(crossFeed: Int32, feed: Int32, units: Units = .dotsPerInch) {
        self.crossFeed = crossFeed
        self.feed = feed
        self.units = units
    }
}

/// No value, and why: the tags 0x10 to 0x1F, which carry no bytes (RFC 8010 §3.5.2).
public struct OutOfBand: RawRepresentable, Hashable, Sendable {
    /// The registered tag, 0x10 to 0x1F; those without a name here are kept as they are.
    public let rawValue: UInt8

    /// The out-of-band value of a tag, or `nil` when the tag is not in 0x10 to 0x1F.
    public init?(rawValue: UInt8) {
        guard 0x10...0x1F ~= rawValue else { return nil }
        self.rawValue = rawValue
    }

    private init(_ tag: UInt8) { rawValue = tag }

    /// `unsupported`: the printer does not know the attribute.
    public static let unsupported = OutOfBand(0x10)
    /// `unknown`: there is a value, which the printer does not know now.
    public static let unknown = OutOfBand(0x12)
    /// `no-value`: nobody has given the attribute a value.
    public static let noValue = OutOfBand(0x13)
    /// `not-settable`: the attribute cannot be set (RFC 3380).
    public static let notSettable = OutOfBand(0x15)
    /// `delete-attribute`: the attribute is to be removed (RFC 3380).
    public static let deleteAttribute = OutOfBand(0x16)
    /// `admin-define`: the administrator is to define the value (RFC 3380).
    public static let adminDefine = OutOfBand(0x17)
}
