import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import PrintServer
import PrintSpool
import Testing

/// Tests of each cell of the access table with the real service.
struct AccessTests {
    /// A column of the table: the requester, and the ownership of the job or subscription.
    struct Column: CustomTestStringConvertible, Sendable {
        var kind: RequesterKind
        var ownership: Ownership
        var place: Place

        var testDescription: String { "\(kind.rawValue) \(place.rawValue), \(ownership.rawValue)" }

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

        /// The user of the client.
        var user: String { kind == .administrator ? "root" : "ann" }

        /// The owner of the job or subscription of the request.
        var owner: String {
            switch (ownership, kind) {
            case (.others, _): "ben"
            case (.own, .anonymous): AnonymousClient.name
            case (.own, .guest), (.own, .admittedGuest): "anonymous@192.0.2.7"
            case (.own, .user), (.own, .reader), (.own, .networkUser), (.own, .manager): "ann"
            case (.own, .administrator): "root"
            }
        }

        var peer: Peer {
            if place != .machine { return .tcp(address: "192.0.2.7", port: 40_000) }
            return switch kind {
            case .anonymous, .guest, .admittedGuest, .reader, .networkUser: .tcp(address: "127.0.0.1", port: 1)
            case .user, .manager: TestAccounts.shared.peer("ann")
            case .administrator: .unix(uid: 0, gid: 0, pid: 1)
            }
        }

        /// The status of a refused request.
        var refusal: Status {
            [.guest, .admittedGuest].contains(kind) ? .clientErrorNotAuthenticated : .clientErrorNotAuthorized
        }

        /// Returns whether the access table allows an operation, except that no client on the network can create
        /// credentials.
        func permission(of operation: IPP.Operation) -> Permission {
            let isChangingCredentials = [.printqChangeTokens, .printqChangeUsers].contains(operation)
            return isChangingCredentials && place != .machine
                ? .refused : operation.access.permission(of: kind, ownership)
        }

        static let all = RequesterKind.allCases.flatMap { kind in
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
                }.map { Column(kind: kind, ownership: ownership, place: $0) }
            }
        }
    }

    /// The place of a client, and the credentials that it sends.
    enum Place: String, CaseIterable {
        case machine = "on this machine"
        case withToken = "on the network with a token"
        case withPassword = "on the network with a password"
    }

    /// The operations that the spool supports.
    private static let operations = IPP.Operation.accessRules.map(\.operation).filter {
        ![.printURI, .sendURI, .setPrinterAttributes, .getPrinterSupportedValues].contains($0)
    }

    @Test(arguments: Column.all) func `each IPP request is allowed or refused according to the access table`(
        column: Column
    ) async throws {
        // Refused requests change nothing, so they share a spool.
        let refused = Self.operations.filter { column.permission(of: $0) != .allowed }
        let shared = try await AccessWorld(column)
        for operation in refused {
            try await check(operation, column, in: shared)
            #expect(try await shared.isUntouched(), "\(operation)")
        }
        for operation in Self.operations where column.permission(of: operation) == .allowed {
            try await check(operation, column, in: AccessWorld(column))
        }
    }

    private func check(_ operation: IPP.Operation, _ column: Column, in world: AccessWorld) async throws {
        let answer = await world.ask(operation)
        let isRefused = answer.status == column.refusal
        switch column.permission(of: operation) {
        case .allowed:
            #expect(!isRefused, "\(operation): \(answer)")
            // The spool of this test is not shared with other hosts.
            let isAboutHosts = [.printqGetHosts, .printqChangeHosts].contains(operation)
            #expect(
                isAboutHosts ? answer.status == .clientErrorNotPossible : answer.status.rawValue < 0x0400,
                "\(operation): \(answer)")
        case .refused:
            // The lists contain only the jobs and subscriptions that the requester may see, so they may be empty.
            if [.getSubscriptions, .getJobs].contains(operation), !isRefused {
                #expect(answer.groups(.subscription).isEmpty && answer.groups(.job).isEmpty, "\(operation)")
            } else {
                #expect(isRefused, "\(operation): \(answer)")
            }
        case .withoutPrivateValues:
            #expect(answer.status == .successfulOk, "\(operation): \(answer)")
            let shown = answer.groups(.job)
            #expect(!shown.isEmpty, "\(operation)")
            for job in shown {
                #expect(job["job-state"] != nil, "\(operation)")
                for name in [
                    "job-name", "job-originating-user-name", "document-name-supplied", "job-state-message", "copies",
                    "printq-why", "printq-condition", "printq-output-folder", "printq-job-events",
                ] { #expect(job[name] == nil, "\(operation): \(name)") }
            }
        }
    }

    @Test(arguments: Column.all)
    func `Release-Job with the PIN of the job is allowed or refused according to its row of the table`(column: Column)
        async throws
    {
        let quiet = try await QuietSpool(admitsGuests: column.kind == .admittedGuest)
        let operations = PrinterOperations(
            quiet.service, numbersJobsGlobally: true, isOpen: false, accounts: TestAccounts.shared.accounts,
            clock: Spool.systemTime)
        var submission = Submission(printer: "quiet", owner: column.owner, name: "secret")
        submission.releasePassword = try await PasswordHash(try #require(JobPassword(pin: "4815")))
        let job = try await quiet.spool.submit(submission, documents: [])
        var secret: String?
        if let scope = column.scope {
            secret = try await quiet.spool.createToken(named: "t", user: column.user, scope: scope, lifetime: nil)
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
                    message: message, document: DocumentStream(bytes: []), peer: column.peer,
                    isEncrypted: secret != nil, credentials: secret.map { Credentials(secret: $0) }))
        }
        let isAllowed = Operation.releaseWithPassword.permission(of: column.kind, column.ownership) == .allowed
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

/// A spool with jobs in several states and a subscription, all of one owner, and a client.
private struct AccessWorld {
    private let column: AccessTests.Column
    private let quiet: QuietSpool
    private let operations: PrinterOperations
    private let credentials: Credentials?
    private let targets: AccessTargets
    private let before: [Job]
    private static let passwordHash = Yescrypt.hash(of: "correct horse")

    init(_ column: AccessTests.Column) async throws {
        self.column = column
        let (owner, admitsGuests) = (column.owner, column.kind == .admittedGuest)
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
        credentials = try await Self.credentials(of: column, in: spool)
        before = try await spool.jobs(JobFilter(.all))
    }

    /// Adds the client of a column as a user, a manager or a token, and returns the credentials of the client.
    private static func credentials(of column: AccessTests.Column, in spool: Spool) async throws -> Credentials? {
        let printers = column.kind == .manager ? ["quiet", "other"] : []
        if column.place != .withToken {
            for printer in printers {
                var change = PrinterChange()
                change.policyLists[PolicyList(.manage, .users)] = .allowed(["ann"])
                _ = try await spool.addOrModifyPrinter(named: printer, change)
            }
        }
        try await spool.addUser(named: "eve", scope: .look, passwordHash: "$y$")
        guard let scope = column.scope else { return nil }
        guard column.place == .withPassword else {
            return Credentials(
                secret: try await spool.createToken(
                    named: "t", user: column.user, scope: scope, printers: printers, lifetime: nil))
        }
        try await spool.addUser(
            named: column.user, scope: scope, passwordHash: try #require(passwordHash), isSamePerson: true)
        return Credentials(user: column.user, secret: "correct horse")
    }

    /// Returns whether no job has changed.
    func isUntouched() async throws -> Bool { try await quiet.spool.jobs(JobFilter(.all)) == before }

    func ask(_ operation: IPP.Operation) async -> Message {
        // For requests about jobs, only the job id determines the ownership.
        let (message, document) = targets.request(operation, column.ownership)
        return await Self.ask(operations, message, document, peer: column.peer, credentials: credentials)
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
