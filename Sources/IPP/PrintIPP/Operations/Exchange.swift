// A request that the operations process.

import IPP

struct Exchange: Sendable {
    let request: IPPRequest
    let operation: Operation
    let attributes: AttributeGroup
    let target: RequestTarget
    let requester: Requester
    /// The security protocols of the printer URIs in the response.
    ///
    /// The first element is the protocol that `RequestTarget.choose` has selected.
    let security: [URISecurity]

    /// Checks a request (RFC 8011 §4.1): version, operation, request ID, charset, language, target and user.
    ///
    /// - Parameters:
    ///   - home: The path before the printer's name in returned URIs, for a request whose URI contains no such path.
    ///   - security: The supported security protocols of TCP connections.
    init(
        _ request: IPPRequest, operations: [Operation], isOpen: Bool, home: String, security: [URISecurity],
        accounts: UserAccounts
    ) async throws {
        let message = request.message
        let group = try message.checked(for: operations)
        self.request = request
        self.operation = message.operation
        self.attributes = group
        var target = try RequestTarget(operationAttributes: group, home: home)
        if let host = request.host { target.adopt(host: host, from: request.peer) }
        let securities = target.choose(from: security, at: request.peer, isEncrypted: request.isEncrypted)
        // libcups treats a list of URIs for one printer as a single URI that contains commas.
        self.security = target.isAtServer || !message.operation.isOfStandard ? [securities[0]] : securities
        self.target = target
        // pycups sends requesting-user-name in the first subscription group instead of the operation group.
        let isSubscribing = [.createPrinterSubscriptions, .createJobSubscriptions].contains(message.operation)
        let claimedName =
            group.string("requesting-user-name")
            ?? (isSubscribing ? message[.subscription]?.string("requesting-user-name") : nil)
        guard (claimedName?.utf8.count ?? 0) <= 255 else {
            throw IPPFailure(.clientErrorRequestValueTooLong, "requesting-user-name is longer than 255 bytes")
        }
        requester = try await Requester(
            peer: request.peer, claimedName: claimedName, accounts: accounts, isOpen: isOpen)
        if Self.needsTarget(operation), group.string("printer-uri") == nil, group.string("job-uri") == nil {
            throw IPPFailure.badRequest("the request has no printer-uri")
        }
        if !operation.access.asksForOwner { try permit(.others) }
    }

    private static func needsTarget(_ operation: Operation) -> Bool {
        ![
            .cupsGetDefault, .cupsGetPrinters, .cupsGetClasses, .cupsGetDevices, .cupsGetPPD, .printqGetAccounting,
            .printqReloadConfiguration, .printqGetHosts, .printqChangeHosts,
        ]
        .contains(operation)
    }

    /// Returns the attributes that the client requested, or `fallback` if the request has no `requested-attributes`.
    func requestedAttributes(or fallback: RequestedAttributes = .all) -> RequestedAttributes {
        guard let attribute = attributes["requested-attributes"] else { return fallback }
        return RequestedAttributes(attribute.values.compactMap(\.stringValue))
    }

    /// Returns an array with the operation attribute of the given name, for a response that rejects the attribute.
    ///
    /// The array is empty if the attribute is missing.
    func received(_ name: String) -> [Attribute] { attributes[name].map { [$0] } ?? [] }

    /// Returns whether the operation's access rule allows the requester to access an object with the given ownership,
    /// and whether the response must omit private values.
    func permission(_ ownership: Ownership) -> Permission {
        operation.access.permission(of: requester.kind, ownership)
    }

    /// Returns `own` if the user `owner` is the requester, and `others` if `owner` is another user.
    func ownership(of owner: String) -> Ownership { requester.owns(thingsOf: owner) ? .own : .others }

    /// Throws an error if the requester is not allowed to perform the request.
    ///
    /// - Parameters:
    ///   - ownership: Whether the requester owns the object of the request.
    ///   - thing: The name of the object, for the error message.
    func permit(_ ownership: Ownership, _ thing: String? = nil) throws(IPPFailure) {
        guard permission(ownership) == .refused else { return }
        if case .anonymous = requester, operation.access != .administrator {
            throw .notAuthorized(
                "\(operation) requires an identified client; use the Unix socket, or connect from the "
                    + "machine of the server")
        }
        if let thing, ownership == .others { throw .notAuthorized("\(thing) belongs to another user") }
        throw .notAuthorized(
            "\(operation) requires an administrator: root, the user that runs the server, or a member of the group "
                + "lpadmin")
    }

    /// Returns a reply with the status `successful-ok` or, if the reply reports unsupported attributes,
    /// `successful-ok-ignored-or-substituted-attributes`.
    func reply(_ groups: [AttributeGroup] = [], unsupported: [Attribute] = []) -> Message {
        let status: Status = unsupported.isEmpty ? .successfulOk : .successfulOkIgnoredOrSubstitutedAttributes
        return request.message.reply(status, groups: groups, unsupported: unsupported)
    }
}

extension Operation {
    /// Whether the operation is defined by the IPP standard and not by CUPS or another vendor (RFC 8011 §5.4.15).
    fileprivate var isOfStandard: Bool { rawValue < 0x4000 }
}
