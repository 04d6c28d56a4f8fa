// An IPP request or response without its document: the module's centre.
//
// IPP is the language of printing between processes (RFC 8010, RFC 8011). This module knows its bytes and
// its registered names and nothing else: no sockets, no HTTP, no printers.
//
//   Message ─ groups ─ AttributeGroup ─ attributes ─ Attribute ─ values ─ Value ─ (Collection ─ members …)
//
// Bytes become a message in MessageAssembler, a state machine with a stack of its own that both
// Message.decode (all bytes at hand) and MessageDecoder (bytes as they come) drive; MessageEncoder is the
// way back. Whatever decodes encodes to the same bytes again.

/// An IPP request or response; the document that may follow it is not part of it.
///
///     var request = Message(operation: .getPrinterAttributes, requestID: 1)
///     request[.operation] = .operation([Attribute("printer-uri", .uri("ipp://localhost/printers/office"))])
///     let bytes = try request.encoded()
public struct Message: Hashable, Sendable {
    /// The version the message speaks; a response repeats the request's.
    public var version: Version
    /// The operation-id of a request, the status-code of a response (RFC 8010 §3.1.2).
    public var code: UInt16
    /// The number that pairs a response with its request, 1 or more when valid (RFC 8011 §4.1.1).
    public var requestID: Int32
    /// The attribute groups in the order they are sent; a tag may come more than once, one group a job.
    public var groups: [AttributeGroup]

    /// A request.
    public init(version: Version = .v2_0, operation: Operation, requestID: Int32, groups: [AttributeGroup] = []) {
        self.init(version: version, code: operation.rawValue, requestID: requestID, groups: groups)
    }

    /// A response.
    public init(version: Version, status: Status, requestID: Int32, groups: [AttributeGroup] = []) {
        self.init(version: version, code: status.rawValue, requestID: requestID, groups: groups)
    }

    init(version: Version, code: UInt16, requestID: Int32, groups: [AttributeGroup]) {
        self.version = version
        self.code = code
        self.requestID = requestID
        self.groups = groups
    }

    /// What a request asks for; meaningless in a response.
    public var operation: Operation { Operation(rawValue: code) }

    /// How a response answers; meaningless in a request.
    public var status: Status { Status(rawValue: code) }

    /// The first group of a tag.
    ///
    /// Setting replaces that group, or appends when there is none; setting `nil` removes it.
    public subscript(tag: GroupTag) -> AttributeGroup? {
        get { groups.first { $0.tag == tag } }
        set {
            let index = groups.firstIndex { $0.tag == tag }
            switch (index, newValue) {
            case (let index?, let group?): groups[index] = group
            case (let index?, nil): groups.remove(at: index)
            case (nil, let group?): groups.append(group)
            case (nil, nil): break
            }
        }
    }

    /// Every group of a tag, in order: one a job in a Get-Jobs response.
    public func groups(_ tag: GroupTag) -> [AttributeGroup] { groups.filter { $0.tag == tag } }
}
