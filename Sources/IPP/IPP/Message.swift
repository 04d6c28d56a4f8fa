// An IPP request or response without its document: the central type of this module.
//
// IPP is the protocol between printing processes (RFC 8010, RFC 8011). This module implements its encoding and its
// registered names. It contains no sockets, no HTTP and no printers.
//
//   Message ─ groups ─ AttributeGroup ─ attributes ─ Attribute ─ values ─ Value ─ (Collection ─ members …)
//
// MessageAssembler, a state machine with an explicit stack, turns bytes into a message. Message.decode feeds it all
// bytes at once; MessageDecoder feeds it bytes as they arrive. MessageEncoder turns a message into bytes. Encoding a
// decoded message produces the same bytes again.

/// An IPP request or response, without the document that can follow the message.
///
///     var request = Message(operation: .getPrinterAttributes, requestID: 1)
///     request[.operation] = .operation([Attribute("printer-uri", .uri("ipp://localhost/printers/office"))])
///     let bytes = try request.encoded()
public struct Message: Hashable, Sendable {
    /// A response repeats the version of the request.
    package var version: Version
    /// The `operation-id` of a request or the `status-code` of a response (RFC 8010 §3.1.2).
    package var code: UInt16
    /// The number that matches a response to its request.
    ///
    /// Valid numbers start at 1 (RFC 8011 §4.1.1).
    package var requestID: Int32
    /// The attribute groups, in order.
    ///
    /// A tag can occur several times: a Get-Jobs response has one group per job.
    package var groups: [AttributeGroup]

    package init(version: Version = .v2_0, operation: Operation, requestID: Int32, groups: [AttributeGroup] = []) {
        self.init(version: version, code: operation.rawValue, requestID: requestID, groups: groups)
    }

    package init(version: Version, status: Status, requestID: Int32, groups: [AttributeGroup] = []) {
        self.init(version: version, code: status.rawValue, requestID: requestID, groups: groups)
    }

    init(version: Version, code: UInt16, requestID: Int32, groups: [AttributeGroup]) {
        (self.version, self.code, self.requestID, self.groups) = (version, code, requestID, groups)
    }

    package var operation: Operation { Operation(rawValue: code) }

    /// The property has no meaning in a request.
    package var status: Status { Status(rawValue: code) }

    /// The first group with the given tag.
    ///
    /// Assigning a group replaces that group, or appends a group if no group has this tag. Assigning `nil` removes the
    /// group.
    package subscript(tag: GroupTag) -> AttributeGroup? {
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

    /// Returns all groups with the given tag, in order.
    package func groups(_ tag: GroupTag) -> [AttributeGroup] { groups.filter { $0.tag == tag } }
}
