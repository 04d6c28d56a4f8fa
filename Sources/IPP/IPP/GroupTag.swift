// The delimiter tags of attribute groups.

/// The delimiter tag of a group: the kind of object that the attributes of the group describe (RFC 8010 §3.5.1).
///
/// A tag up to 0x0F is preserved even if this type defines no name for the tag.
public struct GroupTag: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The registered number, 0x01 to 0x0F.
    public var rawValue: UInt8

    /// Creates a tag with any number, registered or not.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The operation attributes, which are the first group of every message.
    package static let operation = GroupTag(rawValue: 0x01)
    package static let job = GroupTag(rawValue: 0x02)
    /// The end of the attributes; the data of the document can follow this tag.
    ///
    /// This tag does not begin a group.
    package static let endOfAttributes = GroupTag(rawValue: 0x03)
    package static let printer = GroupTag(rawValue: 0x04)
    /// The unsupported attributes: the attributes of the request that the server did not recognize or did not apply.
    package static let unsupported = GroupTag(rawValue: 0x05)
    /// The attributes of a subscription (RFC 3995).
    package static let subscription = GroupTag(rawValue: 0x06)
    /// The attributes of an event (RFC 3995).
    package static let eventNotification = GroupTag(rawValue: 0x07)
    /// The attributes of a resource (PWG 5100.22).
    package static let resource = GroupTag(rawValue: 0x08)
    /// The attributes of a document (PWG 5100.5).
    package static let document = GroupTag(rawValue: 0x09)
    /// The attributes of the whole print service (PWG 5100.22).
    package static let system = GroupTag(rawValue: 0x0A)

    /// The registered name, such as `job-attributes-tag`, or `0x…` for a number without a name.
    public var description: String {
        switch self {
        case .operation: "operation-attributes-tag"
        case .job: "job-attributes-tag"
        case .endOfAttributes: "end-of-attributes-tag"
        case .printer: "printer-attributes-tag"
        case .unsupported: "unsupported-attributes-tag"
        case .subscription: "subscription-attributes-tag"
        case .eventNotification: "event-notification-attributes-tag"
        case .resource: "resource-attributes-tag"
        case .document: "document-attributes-tag"
        case .system: "system-attributes-tag"
        default: "0x" + String(rawValue, radix: 16)
        }
    }
}
