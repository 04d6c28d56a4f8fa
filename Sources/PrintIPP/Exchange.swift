// A request in the hands of the operations.

import IPP

/// One request that has passed the checks all requests must pass.
struct Exchange: Sendable {
    let request: IPPRequest
    let operation: Operation
    let attributes: AttributeGroup
    let target: RequestTarget
    let requester: Requester
    /// How printers can be reached where the request came from, the way that it took first.
    let security: [URISecurity]

    /// Checks a request (RFC 8011 §4.1): version, operation, request id, charset and language first, target, user.
    ///
    /// - Parameters:
    ///   - operations: the operations that act here.
    ///   - home: the path of printers in URIs that are given back, unless the client uses another.
    ///   - security: how connections of TCP may be secured.
    init(
        _ request: IPPRequest, operations: [Operation], isOpen: Bool, home: String, security: [URISecurity]
    ) throws(IPPFailure) {
        let message = request.message
        let group = try message.checked(for: operations)
        self.request = request
        self.operation = message.operation
        self.attributes = group
        var target = try RequestTarget(operationAttributes: group, home: home)
        if let host = request.host { target.heed(host: host, from: request.peer) }
        let ways = target.choose(from: security, at: request.peer)
        // libcups takes the list of a server's printers for one URI, commas and all.
        self.security = target.isAtServer || !message.operation.isOfStandard ? [ways[0]] : ways
        self.target = target
        let claimedName = group.string("requesting-user-name")
        guard (claimedName?.utf8.count ?? 0) <= 255 else {
            throw IPPFailure(.clientErrorRequestValueTooLong, "requesting-user-name is longer than 255 bytes")
        }
        var requester = Requester(peer: request.peer, claimedName: claimedName)
        if isOpen { requester.isAdministrator = true }
        self.requester = requester
        if Self.needsTarget(operation), group.string("printer-uri") == nil, group.string("job-uri") == nil {
            throw .badRequest("the request names no printer-uri")
        }
    }

    private static func needsTarget(_ operation: Operation) -> Bool {
        ![.cupsGetDefault, .cupsGetPrinters, .cupsGetClasses, .cupsGetDevices, .printqGetAccounting].contains(operation)
    }

    /// The attributes the client asks for; `fallback` when it does not say.
    func requestedAttributes(or fallback: RequestedAttributes = .all) -> RequestedAttributes {
        guard let attribute = attributes["requested-attributes"] else { return fallback }
        return RequestedAttributes(attribute.values.compactMap(\.stringValue))
    }

    /// The operation attribute of a name as it came, for an answer that does not take it; nothing when there is none.
    func given(_ name: String) -> [Attribute] { attributes[name].map { [$0] } ?? [] }

    /// Lets only administrators on.
    ///
    /// - Parameter act: what they alone may do, for the words of the refusal.
    func requireAdministrator(to act: String) throws(IPPFailure) {
        guard !requester.isAdministrator else { return }
        throw .notAuthorized("only an administrator may \(act), over the Unix socket")
    }

    /// The answer that all is well.
    func reply(_ groups: [AttributeGroup] = [], unsupported: [Attribute] = []) -> Message {
        let status: Status = unsupported.isEmpty ? .successfulOk : .successfulOkIgnoredOrSubstitutedAttributes
        return request.message.reply(status, groups: groups, unsupported: unsupported)
    }
}

extension Operation {
    /// Whether it is the standard's, and not CUPS' or another's of the range for vendors (RFC 8011 §5.4.15).
    fileprivate var isOfStandard: Bool { rawValue < 0x4000 }
}
