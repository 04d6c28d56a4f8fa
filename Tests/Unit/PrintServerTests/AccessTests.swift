import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import PrintServer
import PrintSpool
import Testing

/// Tests of each cell of the access table with the real service.
struct AccessTests {
    /// A cell of the table: the operation, the requester, and the ownership of the job or subscription.
    struct Cell: CustomTestStringConvertible, Sendable {
        var operation: IPP.Operation
        var kind: RequesterKind
        var ownership: Ownership
        var place: Place

        var testDescription: String { "\(operation), \(kind.rawValue) \(place.rawValue), \(ownership.rawValue)" }

        /// The scope of the client's token or user; nil for a client without credentials.
        var scope: AccessToken.Scope? {
            guard place != .machine else { return nil }
            switch kind {
            case .guest, .admittedGuest, .anonymous: return nil
            case .reader: return .look
            case .user, .networkUser: return .submit
            // A policy makes a user with the scope `submit` a manager; a token needs the scope `manage`.
            case .manager: return place == .withToken ? .manage : .submit
            case .administrator: return .manage
            }
        }

        /// Whether the access table allows the operation, except that no client on the network can create credentials.
        var permission: Permission {
            let isChangingCredentials = [.printqChangeTokens, .printqChangeUsers].contains(operation)
            return isChangingCredentials && place != .machine
                ? .refused : operation.access.permission(of: kind, ownership)
        }
    }

    /// The place of a client, and the credentials that it sends.
    enum Place: String, CaseIterable {
        case machine = "on this machine"
        case withToken = "on the network with a token"
        case withPassword = "on the network with a password"
    }

    static let cells = IPP.Operation.accessRules.flatMap { operation, _ in
        RequesterKind.allCases.flatMap { kind in
            Ownership.allCases.flatMap { ownership in
                Place.allCases.filter { place in
                    switch kind {
                    case .guest, .admittedGuest: place == .withToken
                    case .reader: place != .machine
                    case .anonymous: place == .machine
                    case .networkUser: place == .withPassword
                    case .user: place != .withPassword
                    case .manager, .administrator: true
                    }
                }.map { Cell(operation: operation, kind: kind, ownership: ownership, place: $0) }
            }
        }
    }.filter { !elsewhere.contains($0.operation) }

    /// The operations that the spool does not support.
    static let elsewhere: [IPP.Operation] = [
        .printURI, .sendURI, .setPrinterAttributes, .getPrinterSupportedValues,
    ]

    private static let passwordHash = Yescrypt.hash(of: "correct horse")

    private static func peer(_ cell: Cell) -> Peer {
        if cell.place != .machine { return .tcp(address: "192.0.2.7", port: 40_000) }
        return switch cell.kind {
        case .anonymous, .guest, .admittedGuest, .reader, .networkUser: .tcp(address: "127.0.0.1", port: 1)
        case .user, .manager: TestAccounts.shared.peer("ann")
        case .administrator: .unix(uid: 0, gid: 0, pid: 1)
        }
    }

    /// Returns the owner of the job or subscription of the request.
    private static func owner(_ cell: Cell) -> String {
        switch (cell.ownership, cell.kind) {
        case (.others, _): "ben"
        case (.own, .anonymous): AnonymousClient.name
        case (.own, .guest), (.own, .admittedGuest): "anonymous@192.0.2.7"
        case (.own, .user), (.own, .reader), (.own, .networkUser), (.own, .manager): "ann"
        case (.own, .administrator): "root"
        }
    }

    @Test(arguments: cells) func `each IPP request is allowed or refused according to the access table`(cell: Cell)
        async throws
    {
        let world = try await AccessWorld(owner: Self.owner(cell), admitsGuests: cell.kind == .admittedGuest)
        if cell.kind == .manager, cell.place != .withToken { try await world.makeManager("ann") }
        let printers = cell.kind == .manager ? ["quiet", "other"] : []
        let user = cell.kind == .administrator ? "root" : "ann"
        let spool = world.quiet.spool
        try await spool.addUser(named: "eve", scope: .look, passwordHash: "$y$")
        var credentials: Credentials?
        if let scope = cell.scope, cell.place == .withToken {
            credentials = Credentials(
                secret: try await spool.createToken(
                    named: "t", user: user, scope: scope, printers: printers, lifetime: nil))
        } else if let scope = cell.scope {
            try await spool.addUser(
                named: user, scope: scope, passwordHash: try #require(Self.passwordHash), isSamePerson: true)
            credentials = Credentials(user: user, secret: "correct horse")
        }
        let answer = try await world.ask(
            cell.operation, cell.ownership, from: Self.peer(cell), credentials: credentials)
        let isRefused =
            answer.status
            == ([.guest, .admittedGuest].contains(cell.kind) ? .clientErrorNotAuthenticated : .clientErrorNotAuthorized)
        switch cell.permission {
        case .allowed:
            #expect(!isRefused, "\(answer)")
            // The spool of this test is not shared with other hosts.
            let isAboutHosts = [.printqGetHosts, .printqChangeHosts].contains(cell.operation)
            #expect(
                isAboutHosts ? answer.status == .clientErrorNotPossible : answer.status.rawValue < 0x0400, "\(answer)")
        case .refused:
            // The lists contain only the jobs and subscriptions that the requester may see, so they may be empty.
            if [.getSubscriptions, .getJobs].contains(cell.operation), !isRefused {
                #expect(answer.groups(.subscription).isEmpty && answer.groups(.job).isEmpty)
            } else {
                #expect(isRefused, "\(answer)")
            }
            #expect(try await world.isUntouched())
        case .withoutPrivateValues:
            #expect(answer.status == .successfulOk)
            let shown = answer.groups(.job)
            #expect(!shown.isEmpty)
            for job in shown {
                #expect(job["job-state"] != nil)
                for name in [
                    "job-name", "job-originating-user-name", "document-name-supplied", "job-state-message", "copies",
                    "printq-why", "printq-condition", "printq-output-folder", "printq-job-events",
                ] { #expect(job[name] == nil, "\(name)") }
            }
        }
    }

    @Test(arguments: cells.filter { $0.operation == .releaseJob })
    func `Release-Job with the PIN of the job is allowed or refused according to its row of the table`(cell: Cell)
        async throws
    {
        let quiet = try await QuietSpool(admitsGuests: cell.kind == .admittedGuest)
        let operations = PrinterOperations(
            quiet.service, numbersJobsGlobally: true, isOpen: false, accounts: TestAccounts.shared.accounts,
            clock: Spool.systemTime)
        var submission = Submission(printer: "quiet", owner: Self.owner(cell), name: "secret")
        submission.releasePassword = try await PasswordHash(try #require(JobPassword(pin: "4815")))
        let job = try await quiet.spool.submit(submission, documents: [])
        let user = cell.kind == .administrator ? "root" : "ann"
        var secret: String?
        if let scope = cell.scope {
            secret = try await quiet.spool.createToken(named: "t", user: user, scope: scope, lifetime: nil)
        }
        func release(_ password: [UInt8]) async -> Message {
            let attributes = [
                Attribute("printer-uri", .uri("ipp://localhost/printers/quiet")),
                Attribute("job-id", .integer(Int32(job.id))), Attribute("job-password", .octetString(password)),
            ]
            let message = Message(
                version: .v2_0, operation: .releaseJob, requestID: 1, groups: [.operation(attributes)])
            return await operations.respond(
                to: IPPRequest(
                    message: message, document: DocumentStream(bytes: []), peer: Self.peer(cell),
                    isEncrypted: secret != nil, credentials: secret.map { Credentials(secret: $0) }))
        }
        let isAllowed = Operation.releaseWithPassword.permission(of: cell.kind, cell.ownership) == .allowed
        // Neither an empty nor a wrong password releases the job, not even for its owner.
        for password in ["", "0000", "00000", "x"] {
            let refused = await release(Array(password.utf8))
            #expect(refused.status.rawValue >= 0x0400, "\(refused)")
        }
        #expect(try await quiet.spool.job(job.id)?.state == .pendingHeld)
        let answer = await release(Array("4815".utf8))
        #expect((answer.status == .successfulOk) == isAllowed && answer.groups(.job).isEmpty, "\(answer)")
        #expect(try await quiet.spool.job(job.id)?.state == (isAllowed ? .pending : .pendingHeld))
    }
}

/// A spool with jobs in several states and a subscription, all of one owner.
private struct AccessWorld {
    let quiet: QuietSpool
    let operations: PrinterOperations
    private let targets: AccessTargets
    private let before: [Job]

    init(owner: String, admitsGuests: Bool) async throws {
        quiet = try await QuietSpool(admitsGuests: admitsGuests)
        operations = PrinterOperations(
            quiet.service, events: quiet.service, numbersJobsGlobally: true, isOpen: false,
            accounts: TestAccounts.shared.accounts, clock: Spool.systemTime)
        let spool = quiet.spool
        func submit(_ name: String) async throws -> Int {
            var ticket = JobTicket()
            ticket.copies = 2
            let incoming = spool.makeIncoming()
            try incoming.write("%PDF-1.4".utf8)
            return try await spool.submit(
                Submission(printer: "quiet", owner: owner, name: name, ticket: ticket),
                documents: [(incoming, name: "\(name).pdf", format: .pdf)]
            ).id
        }
        let ended = try await submit("ended")
        try await spool.change(ended, .cancelRequested(byOperator: false))
        let suspended = try await submit("suspended")
        try await spool.change(suspended, .claimed)
        try await spool.change(suspended, .doubted(message: "The printer lost it"))
        let waiting = try await submit("secret")
        let incoming = try await spool.createJob(Submission(printer: "quiet", owner: owner, name: "incoming")).id
        let unclosed = try await spool.createJob(Submission(printer: "quiet", owner: owner, name: "unclosed")).id
        let piece = spool.makeIncoming(for: unclosed)
        try piece.write("%PDF-1.4".utf8)
        _ = try await spool.addDocument(piece, name: nil, format: .pdf, to: unclosed, isLast: false)
        var other = ConfiguredPrinter(name: "other", deviceURI: "folder:/tmp/other")
        other.admitsAnonymous = admitsGuests
        try await spool.addPrinter(other)
        let guest = GuestName.address(in: owner)
        let peer: Peer =
            switch owner {
            case "root": .unix(uid: 0, gid: 0, pid: 1)
            case AnonymousClient.name: .tcp(address: "127.0.0.1", port: 1)
            default: guest.map { .tcp(address: $0, port: 40_000) } ?? TestAccounts.shared.peer(owner)
            }
        var targets = AccessTargets(
            printer: "quiet", otherPrinter: "other", owner: owner, waiting: waiting, incoming: incoming,
            unclosed: unclosed, ended: ended, suspended: suspended, subscription: 0)
        let (message, document) = targets.request(.createPrinterSubscriptions, .own)
        let made = await Self.ask(operations, message, document, peer: peer)
        targets.subscription = made[.subscription]?.integer("notify-subscription-id") ?? 0
        self.targets = targets
        before = try await spool.jobs(JobFilter(.all))
    }

    /// Lets a user manage both printers.
    func makeManager(_ user: String) async throws {
        for printer in ["quiet", "other"] {
            var change = PrinterChange()
            change.policyLists[PolicyList(.manage, .users)] = .allowed([user])
            _ = try await quiet.spool.addOrModifyPrinter(named: printer, change)
        }
    }

    /// Returns whether no job has changed.
    func isUntouched() async throws -> Bool { try await quiet.spool.jobs(JobFilter(.all)) == before }

    func ask(
        _ operation: IPP.Operation, _ ownership: Ownership, from peer: Peer, credentials: Credentials?
    ) async throws -> Message {
        // For requests about jobs, only the job id determines the ownership.
        let (message, document) = targets.request(operation, ownership)
        return await Self.ask(operations, message, document, peer: peer, credentials: credentials)
    }

    private static func ask(
        _ operations: PrinterOperations, _ message: Message, _ document: String, peer: Peer,
        credentials: Credentials? = nil
    ) async -> Message {
        await operations.respond(
            to: IPPRequest(
                message: message, document: DocumentStream(bytes: Array(document.utf8)), peer: peer,
                isEncrypted: credentials != nil, credentials: credentials))
    }
}
