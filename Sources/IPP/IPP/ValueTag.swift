// The value tags.

/// The value tag: the type of a value on the wire (RFC 8010 §3.5.2).
///
/// A tag from 0x10 up is preserved even if this type defines no name for the tag.
public struct ValueTag: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The registered number of the tag.
    public var rawValue: UInt8

    /// Creates a tag with any number, registered or not.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let integer = ValueTag(rawValue: 0x21)
    package static let boolean = ValueTag(rawValue: 0x22)
    package static let enumeration = ValueTag(rawValue: 0x23)
    package static let octetString = ValueTag(rawValue: 0x30)
    package static let dateTime = ValueTag(rawValue: 0x31)
    package static let resolution = ValueTag(rawValue: 0x32)
    package static let range = ValueTag(rawValue: 0x33)
    /// On the wire, this tag begins a collection.
    package static let beginCollection = ValueTag(rawValue: 0x34)
    package static let textWithLanguage = ValueTag(rawValue: 0x35)
    package static let nameWithLanguage = ValueTag(rawValue: 0x36)
    /// The tag that ends a collection on the wire.
    package static let endCollection = ValueTag(rawValue: 0x37)
    package static let text = ValueTag(rawValue: 0x41)
    package static let name = ValueTag(rawValue: 0x42)
    package static let keyword = ValueTag(rawValue: 0x44)
    package static let uri = ValueTag(rawValue: 0x45)
    package static let uriScheme = ValueTag(rawValue: 0x46)
    package static let charset = ValueTag(rawValue: 0x47)
    package static let naturalLanguage = ValueTag(rawValue: 0x48)
    package static let mimeMediaType = ValueTag(rawValue: 0x49)
    /// The tag that contains the name of a collection member on the wire.
    ///
    /// The values of the member follow.
    package static let memberName = ValueTag(rawValue: 0x4A)

    /// The registered name, such as `rangeOfInteger` or `no-value`, or `0x…` for a number without a name.
    public var description: String {
        Self.names[rawValue] ?? "0x" + String(rawValue, radix: 16)
    }

    private static let names: [UInt8: String] = [
        0x10: "unsupported", 0x12: "unknown", 0x13: "no-value", 0x15: "not-settable", 0x16: "delete-attribute",
        0x17: "admin-define", 0x21: "integer", 0x22: "boolean", 0x23: "enum", 0x30: "octetString", 0x31: "dateTime",
        0x32: "resolution", 0x33: "rangeOfInteger", 0x34: "collection", 0x35: "textWithLanguage",
        0x36: "nameWithLanguage", 0x37: "endCollection", 0x41: "textWithoutLanguage", 0x42: "nameWithoutLanguage",
        0x44: "keyword", 0x45: "uri", 0x46: "uriScheme", 0x47: "charset", 0x48: "naturalLanguage",
        0x49: "mimeMediaType", 0x4A: "memberAttrName",
    ]
}

extension Value {
    package var tag: ValueTag {
        switch self {
        case .integer: .integer
        case .boolean: .boolean
        case .enumeration: .enumeration
        case .octetString: .octetString
        case .dateTime: .dateTime
        case .resolution: .resolution
        case .range: .range
        case .collection: .beginCollection
        case .text: .text
        case .textWithLanguage: .textWithLanguage
        case .name: .name
        case .nameWithLanguage: .nameWithLanguage
        case .keyword: .keyword
        case .uri: .uri
        case .uriScheme: .uriScheme
        case .charset: .charset
        case .naturalLanguage: .naturalLanguage
        case .mimeMediaType: .mimeMediaType
        case .outOfBand(let reason): ValueTag(rawValue: reason.rawValue)
        case .unknown(let tag, _): ValueTag(rawValue: tag)
        }
    }
}
