// A request that the operations process.

import IPP
import PrintModel

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
    /// Whether the client is on the network, where it must use TLS and credentials.
    let isFromNetwork: Bool
    /// The printers that the requester reaches.
    var reach = PrinterReach()

    /// Checks a request (RFC 8011 §4.1): version, operation, request ID, charset, language, target and user.
    ///
    /// - Parameters:
    ///   - home: The path before the printer's name in returned URIs, for a request whose URI contains no such path.
    ///   - security: The supported security protocols of TCP connections.
    ///   - identify: A function that returns the identity that credentials prove, or `nil` if the credentials are wrong.
    ///     The second argument is the address of a client on the network, or `nil` for a client on this machine.
    ///   - admitsGuests: A function that returns whether a client on the network with the given address can use the
    ///     target without credentials.
    init(
        _ request: IPPRequest, operations: [Operation], isOpen: Bool, home: String, security: [URISecurity],
        accounts: UserAccounts,
        identify: (Credentials, _ address: String?) async throws -> NetworkIdentity?,
        admitsGuests: (RequestTarget, String) async -> Bool
    ) async throws {
        let message = request.message
        let group = try message.checked(for: operations)
        self.request = request
        self.operation = message.operation
        self.attributes = group
        var target = try RequestTarget(operationAttributes: group, home: home)
        if let host = request.host { target.adopt(host: host, from: request.peer) }
        // Clients on the network must use TLS.
        isFromNetwork = !isOpen && !request.peer.isOnThisMachine
        let offered = isFromNetwork ? [.tls] : security
        let securities = target.choose(from: offered, at: request.peer, isEncrypted: request.isEncrypted)
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
        var identity = isOpen ? nil : request.identity
        if !isOpen, identity == nil, let credentials = request.credentials {
            identity = try await identify(credentials, isFromNetwork ? request.peer.address : nil)
            guard identity != nil else {
                throw IPPFailure.notAuthenticated("the user name, the password or the token is wrong or has expired")
            }
        }
        requester = try await Requester(
            peer: request.peer, claimedName: claimedName, accounts: accounts, isOpen: isOpen, identity: identity
        ) { await admitsGuests(target, $0) }
        if Self.needsTarget(operation), group.string("printer-uri") == nil, group.string("job-uri") == nil {
            throw IPPFailure.badRequest("the request has no printer-uri")
        }
    }

    /// Whether the request asks for attributes of the server or of the default printer.
    var isAboutServer: Bool { operation == .getPrinterAttributes && target.printer == nil }

    /// The numeric IP address of a client on the network; `nil` for a client of this machine.
    var address: String? { isFromNetwork ? request.peer.address : nil }

    /// Throws an error if the requester is not allowed to use the operation, not even for own objects.
    ///
    /// Such a client is refused before objects are read.
    func checkAccess() throws(IPPFailure) {
        try permit(access.asksForOwner ? .own : .others, at: target.printer)
    }

    /// Throws an error if the token of the requester does not reach a printer.
    func checkReach(_ printer: String) throws(IPPFailure) {
        guard !reach.contains(printer) else { return }
        throw .notAuthorized(
            "the token does not reach \(printer); an administrator creates another with 'printq tokens'")
    }

    /// Throws an error if the requester may not see a printer.
    func checkLook(_ printer: String) throws(IPPFailure) {
        try checkReach(printer)
        guard reach.hidden.contains(printer) else { return }
        throw refusal("\(requester.name) is not allowed to look at \(printer); ask an administrator")
    }

    /// Throws an error if the token reaches only some printers, and the request names none of them.
    func checkNamesPrinter(_ printer: String?) throws(IPPFailure) {
        guard let limit = reach.limit else { return }
        guard let printer else {
            throw .notAuthorized("the token reaches only \(limit.sorted().joined(separator: ", ")); name a printer")
        }
        try checkReach(printer)
    }

    /// Throws an error if the requester may not see a job, because of its printer.
    func checkReach(of job: Job) throws(IPPFailure) {
        try checkReach(job.printer)
        guard reach.hidden.contains(job.printer), ownership(of: job.owner) == .others else { return }
        throw refusal("job \(job.id) belongs to another user")
    }

    /// Returns whether the requester may follow the jobs of all users at a printer; `nil` stands for all printers.
    func mayFollowAllJobs(of printer: String?) -> Bool {
        [.administrator, .manager].contains(kind(at: printer))
    }

    /// Returns whether the requester's token reaches the printers of a subscription.
    func reaches(_ wish: SubscriptionRequest) -> Bool {
        reach.limit.map { limit in wish.filter.printer.map(limit.contains) ?? false } ?? true
    }

    /// Returns the kind of the requester at a printer; `nil` stands for all printers.
    func kind(at printer: String?) -> RequesterKind {
        printer.map(reach.managed.contains) == true ? .manager : requester.kind
    }

    private static func needsTarget(_ operation: Operation) -> Bool {
        ![
            .cupsGetDefault, .cupsGetPrinters, .cupsGetClasses, .cupsGetDevices, .cupsGetPPD, .printqGetAccounting,
            .printqReloadConfiguration, .printqGetHosts, .printqChangeHosts, .printqGetTokens, .printqChangeTokens,
            .printqGetUsers, .printqChangeUsers, .printqGetAudit, .printqGetQuotas, .printqChangeQuotas,
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
    ///
    /// - Parameter printer: The printer of the object; `nil` for all printers.
    func permission(_ ownership: Ownership, at printer: String?) -> Permission {
        access.permission(of: kind(at: printer), ownership)
    }

    private var access: AccessRule { operation.access(with: attributes) }

    /// Returns `own` if the user `owner` is the requester, and `others` if `owner` is another user.
    func ownership(of owner: String) -> Ownership { requester.owns(thingsOf: owner) ? .own : .others }

    /// Throws an error if the requester is not allowed to perform the request.
    ///
    /// - Parameters:
    ///   - ownership: Whether the requester owns the object of the request.
    ///   - thing: The name of the object, for the error message.
    ///   - printer: The printer of the object; `nil` for all printers.
    func permit(_ ownership: Ownership, _ thing: String? = nil, at printer: String?) throws(IPPFailure) {
        guard permission(ownership, at: printer) == .refused else { return }
        if case .guest = requester {
            throw .notAuthenticated(
                "\(operation) requires a token or the password of a user; an administrator creates them with "
                    + "'printq tokens' or 'printq users'")
        }
        if case .token(let user) = requester, user.token.scope == .look, operation.access != .administrator {
            throw .notAuthorized("\(operation) requires a token with the scope submit; this token has the scope look")
        }
        if case .networkUser(let user) = requester, user.scope == .look, operation.access != .administrator {
            throw .notAuthorized("\(operation) requires a user with the scope submit; this user has the scope look")
        }
        if case .anonymous = requester, operation.access != .administrator {
            throw .notAuthorized(
                "\(operation) requires an identified client; use the Unix socket, or connect from the "
                    + "machine of the server")
        }
        if let thing, ownership == .others { throw refusal("\(thing) belongs to another user") }
        let managers = access == .manager ? "a user who may manage the printer, or " : ""
        throw .notAuthorized(
            "\(operation) requires \(managers)an administrator: root, the user that runs the server, or a member of the group "
                + "lpadmin")
    }

    /// Returns the error for an object that the requester is not allowed to use.
    ///
    /// A client on the network without credentials can repeat the request with credentials.
    func refusal(_ message: String) -> IPPFailure {
        if case .guest = requester { return .notAuthenticated(message) }
        return .notAuthorized(message)
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
