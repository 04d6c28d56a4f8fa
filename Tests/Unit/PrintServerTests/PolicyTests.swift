import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import PrintServer
import PrintSpool
import Testing

/// Tests of the policies of printers and of tokens for some printers, with the printers `quiet` and `other`.
struct PolicyTests {
    private let quiet: QuietSpool
    private let operations: PrinterOperations
    private var spool: Spool { quiet.spool }

    init() async throws {
        quiet = try await QuietSpool()
        try await quiet.spool.addPrinter(ConfiguredPrinter(name: "other", deviceURI: "test:other"))
        operations = PrinterOperations(
            quiet.service, events: quiet.service, numbersJobsGlobally: true, isOpen: false,
            accounts: TestAccounts.shared.accounts, clock: Spool.systemTime)
    }

    private static let root = Peer.unix(uid: 0, gid: 0, pid: 1)
    private static let network = Peer.tcp(address: "192.0.2.7", port: 40_000)

    private func ask(
        _ operation: IPP.Operation, _ attributes: [Attribute] = [], at printer: String? = "quiet",
        as name: String? = nil,
        from peer: Peer, token: String? = nil, through operations: PrinterOperations? = nil
    ) async -> Message {
        let uri = Attribute("printer-uri", .uri("ipp://localhost/" + (printer.map { "printers/\($0)" } ?? "")))
        let claim = name.map { [Attribute("requesting-user-name", .name($0))] } ?? []
        var groups = [AttributeGroup.operation([uri] + claim + attributes)]
        if operation == .createPrinterSubscriptions {
            groups.append(AttributeGroup(.subscription, [Attribute("notify-pull-method", .keyword("ippget"))]))
        }
        return await (operations ?? self.operations).respond(
            to: IPPRequest(
                message: Message(version: .v2_0, operation: operation, requestID: 1, groups: groups),
                document: DocumentStream(bytes: operation == .printJob ? Array("%PDF-1.4".utf8) : []), peer: peer,
                isEncrypted: token != nil, credentials: token.map { Credentials(secret: $0) }))
    }

    private func submit(to printer: String, owner: String) async throws -> Int {
        let incoming = spool.makeIncoming()
        try incoming.write("%PDF-1.4".utf8)
        return try await spool.submit(
            Submission(printer: printer, owner: owner, name: "secret"),
            documents: [(incoming, name: "secret.pdf", format: .pdf)]
        ).id
    }

    private func set(_ list: PolicyList, _ names: AccessList, of printer: String = "quiet") async throws {
        var change = PrinterChange()
        change.policyLists[list] = names
        _ = try await spool.addOrModifyPrinter(named: printer, change)
    }

    private func token(
        _ user: String = "ann", scope: AccessToken.Scope = .submit, printers: [String] = [], forOthers: Bool = false
    ) async throws -> String {
        try await spool.createToken(
            named: "t\(try await spool.tokens().count)", user: user, scope: scope, printers: printers,
            actsForOthers: forOthers, lifetime: nil)
    }

    private func job(_ id: Int) -> [Attribute] { [Attribute("job-id", .integer(Int32(id)))] }
    private static let allJobs = [
        Attribute("which-jobs", .keyword("all")),
        Attribute("requested-attributes", .keyword("all"), .keyword("printq-job-counts")),
    ]
    private func names(_ answer: Message) -> [String] {
        answer.groups(.printer).compactMap { $0.string("printer-name") }
    }
    private func ids(_ answer: Message) -> Set<Int> {
        Set(answer.groups(.job).compactMap { $0.integer("job-id").map(Int.init) })
    }

    // MARK: - Tokens for some printers

    @Test(arguments: AccessToken.Scope.allCases)
    func `a token for one printer is refused at others, and lists do not contain their jobs`(
        scope: AccessToken.Scope
    ) async throws {
        let (here, there) = (try await submit(to: "quiet", owner: "ann"), try await submit(to: "other", owner: "ann"))
        let token = try await token(scope: scope, printers: ["quiet"])
        func asked(
            _ operation: IPP.Operation, _ attributes: [Attribute] = [], at printer: String? = "other"
        ) async -> Message {
            await ask(operation, attributes, at: printer, from: Self.network, token: token)
        }
        for (operation, attributes) in [
            (IPP.Operation.printJob, []), (.createJob, []), (.validateJob, []), (.getPrinterAttributes, []),
            (.getJobs, []), (.getJobAttributes, job(there)), (.cancelJob, job(there)), (.holdJob, job(there)),
            (.cancelJobs, [Attribute("my-jobs", .boolean(true))]), (.cancelMyJobs, []), (.pausePrinter, []),
            (.purgeJobs, [Attribute("my-jobs", .boolean(true))]), (.printqGetAccounting, []),
            (.createPrinterSubscriptions, []), (.identifyPrinter, []), (.cupsGetPPD, []),
        ] {
            #expect(await asked(operation, attributes).status == .clientErrorNotAuthorized, "\(operation)")
        }
        // A request about all printers.
        for operation in [IPP.Operation.printqGetAccounting, .createPrinterSubscriptions] {
            #expect(await asked(operation, at: nil).status == .clientErrorNotAuthorized, "\(operation)")
        }
        #expect(names(await asked(.cupsGetPrinters, at: nil)) == ["quiet"])
        let list = await asked(.getJobs, Self.allJobs, at: nil)
        #expect(ids(list) == [here], "\(list)")
        let counts = list[.operation]?["printq-job-counts"]?.collectionValue
        #expect(counts?.integer("all") == 1)
        let found = await asked(.getPrinterAttributes, at: "quiet")
        #expect(found.status == .successfulOk)
        #expect(try await spool.job(there)?.state == .pending)
        guard scope != .look else { return }
        #expect(await asked(.cancelMyJobs, at: nil).status == .successfulOk)
        #expect(try await spool.job(here)?.state == .canceled)
        #expect(try await spool.job(there)?.state == .pending)
    }

    @Test func `a token with the scope manage for one printer manages only this printer`() async throws {
        let (here, there) = (try await submit(to: "quiet", owner: "ben"), try await submit(to: "other", owner: "ben"))
        let token = try await token(scope: .manage, printers: ["quiet"])
        func status(_ operation: IPP.Operation, _ attributes: [Attribute] = [], at printer: String?) async -> Status {
            await ask(operation, attributes, at: printer, from: Self.network, token: token).status
        }
        #expect(await status(.pausePrinter, at: "quiet") == .successfulOk)
        #expect(await status(.cancelJob, job(here), at: "quiet") == .successfulOk)
        #expect(await status(.cancelJob, job(there), at: "other") == .clientErrorNotAuthorized)
        for operation in [
            IPP.Operation.cupsAddModifyPrinter, .cupsDeletePrinter, .cupsSetDefault, .printqGetTokens, .printqGetAudit,
            .printqChangeUsers, .printqReloadConfiguration,
        ] {
            #expect(await status(operation, at: "quiet") == .clientErrorNotAuthorized, "\(operation)")
        }
        #expect(await status(.cancelJobs, at: nil) == .clientErrorNotAuthorized)
        #expect(try await spool.printer(named: "other")?.isPaused == false)
        // The network of the client restricts the token too.
        try await set(PolicyList(.manage, .networks), .allowed(["198.51.100.0/24"]))
        #expect(await status(.resumePrinter, at: "quiet") == .clientErrorNotAuthorized)
    }

    @Test func `a token cannot name a printer that does not exist`() async throws {
        await #expect(throws: IPPFailure.self) {
            _ = try await quiet.service.changeTokens(
                .create(name: "t", user: "ann", scope: .submit, printers: ["quit"], lifetime: nil))
        }
        #expect(try await spool.tokens().isEmpty)
    }

    // MARK: - Delegation

    @Test func `a token for others submits for the named user, and for nobody else's rights`() async throws {
        let (server, plain) = (try await token("cups", forOthers: true), try await token("cups"))
        let attributes = [Attribute("requested-attributes", .keyword("all"))]
        for (token, owner) in [(server, "ben"), (plain, "cups")] {
            let made = await ask(.printJob, as: "ben", from: Self.network, token: token)
            let id = try #require(made[.job]?.integer("job-id").map(Int.init), "\(made)")
            #expect(try await spool.job(id)?.owner == owner)
            let seen = await ask(.getJobAttributes, job(id) + attributes, as: "ben", from: Self.network, token: token)
            #expect(seen[.job]?.string("job-originating-user-name") == owner)
        }
        #expect(
            await ask(.cancelJob, job(1), as: "eve", from: Self.network, token: server).status
                == .clientErrorNotAuthorized)
        #expect(await ask(.cancelJob, job(1), as: "ben", from: Self.network, token: server).status == .successfulOk)
        // The policy applies to the named user, whose rights to manage the client does not get.
        try await set(.submitters, .denied(["ben"]))
        try await set(PolicyList(.manage, .users), .allowed(["eve", "cups"]))
        #expect(await ask(.printJob, as: "ben", from: Self.network, token: server).status == .clientErrorNotAuthorized)
        #expect(await ask(.printJob, as: "eve", from: Self.network, token: server).status == .successfulOk)
        for name in ["eve", "root", nil] {
            let pause = await ask(.pausePrinter, as: name, from: Self.network, token: server)
            #expect(pause.status == .clientErrorNotAuthorized)
        }
    }

    @Test func `a token for others requires the scope submit`() async throws {
        for scope in [AccessToken.Scope.look, .manage] {
            let change = TokenChange.create(name: "t", user: "cups", scope: scope, actsForOthers: true, lifetime: nil)
            let refused = await ask(.printqChangeTokens, change.attributes, from: Self.root)
            #expect(refused.status == .clientErrorBadRequest)
        }
        #expect(try await spool.tokens().isEmpty)
    }

    // MARK: - Policies

    @Test func `a printer at which a user may not look is refused and not listed, except the user's own jobs`()
        async throws
    {
        let peer = TestAccounts.shared.peer("ann")
        let (own, others) = (try await submit(to: "quiet", owner: "ann"), try await submit(to: "quiet", owner: "ben"))
        let elsewhere = try await submit(to: "other", owner: "ben")
        try await set(PolicyList(.look, .users), .denied(["ann"]))
        for operation in [
            IPP.Operation.getPrinterAttributes, .cupsGetPPD, .createPrinterSubscriptions, .cupsGetDefault,
        ] {
            #expect(await ask(operation, from: peer).status == .clientErrorNotAuthorized, "\(operation)")
        }
        #expect(await ask(.getJobAttributes, job(others), from: peer).status == .clientErrorNotAuthorized)
        #expect(await ask(.getJobAttributes, job(own), from: peer).status == .successfulOk)
        #expect(ids(await ask(.getJobs, Self.allJobs, from: peer)) == [own])
        #expect(ids(await ask(.getJobs, Self.allJobs, at: nil, from: peer)) == [own, elsewhere])
        #expect(names(await ask(.cupsGetPrinters, at: nil, from: peer)) == ["other"])
        // The right to submit is separate. Other users and administrators see the printer.
        #expect(await ask(.printJob, from: peer).status == .successfulOk)
        #expect(await ask(.getPrinterAttributes, from: TestAccounts.shared.peer("ben")).status == .successfulOk)
        try await set(PolicyList(.look, .users), .nobody)
        #expect(await ask(.getPrinterAttributes, from: Self.root).status == .successfulOk)
        #expect(ids(await ask(.getJobs, Self.allJobs, from: Self.root)).isSuperset(of: [own, others]))
    }

    @Test func `clients of other networks may not submit or look, and clients of this machine may`() async throws {
        try await set(PolicyList(.submit, .networks), .allowed(["198.51.100.0/24"]))
        let token = try await token("ann", scope: .manage)
        let refused = await ask(.printJob, from: Self.network, token: token)
        #expect(refused.status == .clientErrorNotAuthorized)
        #expect(
            refused[.operation]?.string("status-message")?.contains(
                "clients at 192.0.2.7 are not allowed to print on quiet") == true)
        let inside = Peer.tcp(address: "::ffff:198.51.100.9", port: 40_000)
        #expect(await ask(.printJob, from: inside, token: token).status == .successfulOk)
        #expect(await ask(.printJob, from: TestAccounts.shared.peer("ann")).status == .successfulOk)
        // A job does not get around the rule by a move.
        let id = try await submit(to: "other", owner: "ann")
        let move = [Attribute("job-printer-uri", .uri("ipp://localhost/printers/quiet"))] + job(id)
        #expect(
            await ask(.cupsMoveJob, move, at: "other", from: Self.network, token: token).status
                == .clientErrorNotAuthorized)

        try await set(PolicyList(.look, .networks), .denied(["192.0.2.0/24"]))
        let reader = try await self.token("eve", scope: .look)
        #expect(await ask(.getPrinterAttributes, from: Self.network, token: reader).status == .clientErrorNotAuthorized)
        #expect(await ask(.getPrinterAttributes, from: inside, token: reader).status == .successfulOk)
    }

    @Test func `a manager manages one printer, and sees and changes all its jobs, without being an administrator`()
        async throws
    {
        let manager = TestAccounts.shared.peer("ann")
        let (here, there) = (try await submit(to: "quiet", owner: "ben"), try await submit(to: "other", owner: "ben"))
        #expect(await ask(.pausePrinter, from: manager).status == .clientErrorNotAuthorized)
        try await set(PolicyList(.manage, .users), .allowed(["ann"]))
        #expect(await ask(.pausePrinter, from: manager).status == .successfulOk)
        #expect(try await spool.printer(named: "quiet")?.isPaused == true)
        let seen = await ask(.getJobs, Self.allJobs, at: nil, from: manager).groups(.job)
        let titles = seen.map { "\($0.integer("job-id") ?? 0) \($0.string("job-name") ?? "-")" }
        #expect(Set(titles) == ["\(here) secret", "\(there) -"])
        #expect(await ask(.holdJob, job(here), from: manager).status == .successfulOk)
        #expect(await ask(.cancelJobs, from: manager).status == .successfulOk)
        #expect(try await spool.job(here)?.state == .canceled)
        #expect(await ask(.cancelJob, job(there), at: "other", from: manager).status == .clientErrorNotAuthorized)
        #expect(await ask(.cancelJobs, at: nil, from: manager).status == .clientErrorNotAuthorized)
        #expect(await ask(.pausePrinter, at: "other", from: manager).status == .clientErrorNotAuthorized)
        let change = await ask(.cupsAddModifyPrinter, from: manager)
        #expect(change.status == .clientErrorNotAuthorized)
        let wanted = Attribute("requested-attributes", .keyword("printq-manage-users-allowed"))
        for (peer, names) in [(manager, ["ann"]), (TestAccounts.shared.peer("ben"), [])] {
            let policy = await ask(.getPrinterAttributes, [wanted], from: peer)[.printer]
            #expect(policy?.strings("printq-manage-users-allowed") == names)
        }
    }

    @Test func `only a proven user becomes a manager, not a claimed name and not a token with the scope submit`()
        async throws
    {
        try await set(PolicyList(.manage, .users), .everybody)
        #expect(
            await ask(.pausePrinter, as: "ann", from: .tcp(address: "127.0.0.1", port: 1)).status
                == .clientErrorNotAuthorized)
        #expect(await ask(.pausePrinter, as: "ann", from: Self.network).status == .clientErrorNotAuthenticated)
        for scope in [AccessToken.Scope.look, .submit] {
            let token = try await token("ann", scope: scope)
            let pause = await ask(.pausePrinter, from: Self.network, token: token)
            #expect(pause.status == .clientErrorNotAuthorized)
        }
        #expect(await ask(.pausePrinter, from: TestAccounts.shared.peer("ann")).status == .successfulOk)
    }

    @Test func `if the members of a group are unknown, the policy gives no right`() async throws {
        let lost = UserAccounts(
            lookUp: .init(
                name: { _ in "ann" }, isMember: { _, _ throws(NameServiceError) in throw NameServiceError(number: 5) }))
        let operations = PrinterOperations(
            quiet.service, numbersJobsGlobally: true, isOpen: false, accounts: lost, clock: Spool.systemTime)
        let token = try await token("ann")
        func status(_ operation: IPP.Operation) async -> Status {
            await ask(operation, from: Self.network, token: token, through: operations).status
        }
        #expect(await status(.getPrinterAttributes) == .successfulOk)
        try await set(PolicyList(.look, .users), .denied(["@guests"]))
        #expect(await status(.getPrinterAttributes) == .clientErrorNotAuthorized)
    }

    @Test func `an attribute with a malformed network, or with users who may not manage, is refused`() {
        for (name, value) in [
            ("printq-look-networks-allowed", "192.0.2.7/24"), ("printq-submit-networks-denied", "lab"),
            ("printq-manage-users-denied", "ann"),
        ] {
            #expect(throws: IPPFailure.self, "\(name)") {
                try PrinterChange(attributes: [Attribute(name, .name(value))])
            }
        }
    }
}
