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
    ///   - accounts: where the requester is looked up.
    init(
        _ request: IPPRequest, operations: [Operation], isOpen: Bool, home: String, security: [URISecurity],
        accounts: UserAccounts
    ) async throws(IPPFailure) {
        let message = request.message
        let group = try message.checked(for: operations)
        self.request = request
        self.operation = message.operation
        self.attributes = group
        var target = try RequestTarget(operationAttributes: group, home: home)
        if let host = request.host { target.adopt(host: host, from: request.peer) }
        let ways = target.choose(from: security, at: request.peer, isEncrypted: request.isEncrypted)
        // libcups takes the list of a server's printers for one URI, commas and all.
        self.security = target.isAtServer || !message.operation.isOfStandard ? [ways[0]] : ways
        self.target = target
        // pycups claims a name among the attributes of the first subscription.
        let isSubscribing = [.createPrinterSubscriptions, .createJobSubscriptions].contains(message.operation)
        let claimedName =
            group.string("requesting-user-name")
            ?? (isSubscribing ? message[.subscription]?.string("requesting-user-name") : nil)
        guard (claimedName?.utf8.count ?? 0) <= 255 else {
            throw IPPFailure(.clientErrorRequestValueTooLong, "requesting-user-name is longer than 255 bytes")
        }
        requester = await Requester(
            peer: request.peer, claimedName: claimedName, accounts: accounts, isOpen: isOpen)
        if Self.needsTarget(operation), group.string("printer-uri") == nil, group.string("job-uri") == nil {
            throw .badRequest("the request names no printer-uri")
        }
        if !operation.access.asksForOwner { try permit(.others) }
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

    /// What the requester may do with their own things or those of others, by the rule of the operation.
    func permission(_ ownership: Ownership) -> Permission {
        operation.access.permission(of: requester.kind, ownership)
    }

    /// Whose something is that belongs to `owner`.
    func ownership(of owner: String) -> Ownership { requester.owns(thingsOf: owner) ? .own : .others }

    /// Refuses the request unless the requester may carry it out.
    ///
    /// - Parameters:
    ///   - ownership: whose thing the request is about.
    ///   - thing: that thing, for the words of the refusal.
    func permit(_ ownership: Ownership, _ thing: String? = nil) throws(IPPFailure) {
        guard permission(ownership) == .refused else { return }
        if case .anonymous = requester, operation.access != .administrator {
            throw .notAuthorized(
                "it is not known who asks, so \(operation) is refused; use the Unix socket, or connect from this "
                    + "machine")
        }
        if let thing, ownership == .others { throw .notAuthorized("\(thing) belongs to another user") }
        throw .notAuthorized(
            "only an administrator may do that (\(operation)): root, the user of the server, or a member of the group "
                + "lpadmin")
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
