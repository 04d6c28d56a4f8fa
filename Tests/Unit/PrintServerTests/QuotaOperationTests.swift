import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import PrintSpool
import Testing

/// Tests of quotas over IPP with the real service.
struct QuotaOperationTests {
    private let quiet: QuietSpool
    private let operations: PrinterOperations

    init() async throws {
        quiet = try await QuietSpool()
        // Every user is a member of every group, and of lpadmin only root.
        let accounts = UserAccounts(
            lookUp: .init(name: { $0 == 0 ? "root" : "ann" }, isMember: { _, group in group == "staff" }))
        operations = PrinterOperations(
            quiet.service, numbersJobsGlobally: true, isOpen: false, accounts: accounts, clock: Spool.systemTime)
    }

    private func ask(
        _ operation: IPP.Operation, _ attributes: [Attribute] = [], job: [Attribute] = [],
        from peer: Peer = .unix(uid: 1000, gid: 1000, pid: 1), credentials: Credentials? = nil
    ) async -> Message {
        let target = Attribute("printer-uri", .uri("ipp://localhost/printers/quiet"))
        var groups: [AttributeGroup] = [.operation([target] + attributes)]
        if !job.isEmpty { groups.append(AttributeGroup(.job, job)) }
        let message = Message(version: .v2_0, operation: operation, requestID: 1, groups: groups)
        return await operations.respond(
            to: IPPRequest(
                message: message, document: DocumentStream(bytes: Array("%PDF-1.4".utf8)), peer: peer,
                isEncrypted: credentials != nil, credentials: credentials))
    }

    private func set(_ quota: Quota) async {
        let answer = await ask(
            .printqChangeQuotas, QuotaChange.set(quota).attributes, from: .unix(uid: 0, gid: 0, pid: 1))
        #expect(answer.status == .successfulOk && Quota.list(in: answer[.printer]).contains(quota), "\(answer)")
    }

    @Test func `quotas and changes are the same after they were sent over IPP`() async throws {
        await set(Quota(.everyone, per: .month, pages: 500, sheets: 0))
        await set(Quota(.group("staff"), per: .job, copies: 3, color: ColorHours("22:00-06:00")))
        await set(Quota(.user("ann"), per: .day, pages: 7))
        await set(Quota(.guests, per: .week, sheets: 9))
        #expect(try await quiet.spool.quotas().count == 4)
        for wrong in [
            [], [Attribute("printq-quota-change", .keyword("set"))],
            QuotaChange.set(Quota(.guests, per: .day)).attributes,
            QuotaChange.topUp(user: "ann", pages: 0, sheets: 0).attributes, QuotaChange.reset(user: "").attributes,
        ] {
            let answer = await ask(.printqChangeQuotas, wrong, from: .unix(uid: 0, gid: 0, pid: 1))
            #expect(answer.status == .clientErrorBadRequest, "\(answer)")
        }
    }

    @Test func `a submission beyond a quota has the status client-error-account-limit-reached and names the quota`()
        async throws
    {
        await set(Quota(.group("staff"), per: .day, pages: 1))
        #expect(await ask(.printJob).status == .successfulOk)
        for operation in [IPP.Operation.printJob, .createJob] {
            let refused = await ask(operation)
            #expect(refused.status == .clientErrorAccountLimitReached, "\(refused)")
            let words = refused[.operation]?.string("status-message") ?? ""
            #expect(words.contains("the quota of the group 'staff' is 1 page per day"), "\(words)")
        }
        let group = await ask(.printqGetQuotas)[.printer]
        let standing = try #require(QuotaStanding.list(in: group).first)
        #expect(standing.limit == 1 && standing.reserved == 1 && standing.remaining == 0)
        #expect(standing == (try await quiet.service.quotaStandings(of: "ann") { _ in ["staff"] }.standings.first))
    }

    @Test func `a user on the network has no groups of the local user with the same name`() async throws {
        await set(Quota(.group("staff"), per: .job, copies: 1))
        let hash = try #require(Yescrypt.hash(of: "correct horse"))
        try await quiet.spool.addUser(named: "ann", scope: .submit, passwordHash: hash)
        let copies = [Attribute("copies", .integer(2))]
        #expect(await ask(.printJob, job: copies).status == .clientErrorAccountLimitReached)
        let remote = await ask(
            .printJob, job: copies, from: .tcp(address: "192.0.2.7", port: 40_000),
            credentials: Credentials(user: "ann", secret: "correct horse"))
        #expect(remote.status.isSuccess, "\(remote)")
        let secret = try await quiet.spool.createToken(named: "t", user: "ann", scope: .submit, lifetime: nil)
        let token = await ask(
            .printJob, job: copies, from: .tcp(address: "192.0.2.7", port: 40_000),
            credentials: Credentials(secret: secret))
        #expect(token.status == .clientErrorAccountLimitReached)
    }
}
