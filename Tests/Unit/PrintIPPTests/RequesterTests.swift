// Tests the identity of requesters on Unix sockets and TCP.

import Glibc
import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import Synchronization
import Testing

struct RequesterTests {
    private func requester(_ peer: Peer, _ claimedName: String?, isOpen: Bool = false) async throws -> Requester {
        try await Requester(
            peer: peer, claimedName: claimedName, accounts: TestAccounts.shared.accounts, isOpen: isOpen)
    }

    @Test func `a client without a known user is anonymous, regardless of the name that the client claims`()
        async throws
    {
        let root = try await requester(.tcp(address: "127.0.0.1", port: 1), "root")
        #expect(root == .anonymous(AnonymousClient(claimedName: "root")))
        #expect(root.name == "anonymous" && !root.isAdministrator)
        #expect(!root.owns(thingsOf: "root"))
    }

    @Test(arguments: ["root", "bob", nil, ""])
    func `the kernel determines the user of a loopback connection`(claimed: String?) async throws {
        let alice = try await requester(TestAccounts.shared.peer("alice"), claimed)
        #expect(alice.name == "alice" && !alice.isAdministrator)
        #expect(alice.owns(thingsOf: "alice"))
        #expect(!alice.owns(thingsOf: "Alice") && !alice.owns(thingsOf: "bob") && !alice.owns(thingsOf: "root"))
    }

    @Test(arguments: [nil, ""]) func `root is an administrator and has the name 'root'`(name: String?) async throws {
        for peer in [Peer.unix(uid: 0, gid: 0, pid: 1), .tcp(address: "::1", port: 1, uid: 0)] {
            #expect(try await requester(peer, name) == .kernel(LocalUser(name: "root", isAdministrator: true)))
        }
    }

    @Test func `an administrator can act for another user`() async throws {
        let root = try await requester(.unix(uid: 0, gid: 0, pid: 1), "alice")
        #expect(root.name == "alice" && root.isAdministrator)
    }

    @Test func `the name of a user without an account contains the user ID`() async throws {
        let nobody = try await requester(.unix(uid: 3_999_999_999, gid: 3_999_999_999, pid: 1), "root")
        #expect(nobody.name == "uid-3999999999" && !nobody.isAdministrator)
    }

    @Test func `an account named 'anonymous' does not own the jobs of anonymous clients`() async throws {
        let account = try await requester(TestAccounts.shared.peer("anonymous"), nil)
        #expect(!account.owns(thingsOf: AnonymousClient.name))
    }

    @Test func `a user on the network has no rights of the local user with the same name, and acts for nobody else`()
        async throws
    {
        func requester(_ name: String, _ scope: AccessToken.Scope) async throws -> Requester {
            try await Requester(
                peer: .tcp(address: "192.0.2.7", port: 1), claimedName: "ben", accounts: TestAccounts.shared.accounts,
                identity: .user(NetworkUser(name: name, scope: scope, createdAt: 0)))
        }
        let root = try await requester("root", .submit)
        #expect(root.name == "root" && !root.isAdministrator && root.kind == .networkUser && root.isProven)
        let anna = try await requester("anna", .submit)
        #expect(anna.owns(thingsOf: "anna") && !anna.owns(thingsOf: "Anna") && !anna.owns(thingsOf: "ben"))
        #expect(try await requester("anna", .look).kind == .reader)
        let boss = try await requester("boss", .manage)
        #expect(boss.isAdministrator && boss.name == "boss" && boss.kind == .administrator)
    }

    @Test func `on a printer with open access, every client is an administrator and can use any name`() async throws {
        let visitor = try await requester(.tcp(address: "192.0.2.1", port: 1), "carol", isOpen: true)
        #expect(visitor == .visitor(Visitor(name: "carol")) && visitor.isAdministrator)
        #expect(try await requester(TestAccounts.shared.peer("alice"), nil, isOpen: true).name == "alice")
    }
}

struct PeerTests {
    @Test(arguments: ["127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1"])
    func `addresses of the loopback interface are recognized`(address: String) {
        #expect(Peer.tcp(address: address, port: 1).isOnThisMachine)
    }

    @Test(arguments: ["192.0.2.1", "128.0.0.1", "::", "::2", "::ffff:192.0.2.1", "fe80::1", "localhost", ""])
    func `an address outside the loopback networks is not a loopback address`(address: String) {
        #expect(!Peer.tcp(address: address, port: 1).isOnThisMachine)
    }
}

struct UserAccountsTests {
    @Test func `concurrent lookups of the same user cause one account lookup, and the result is cached`() async throws {
        let asked = Mutex(0)
        let accounts = UserAccounts(
            lookUp: .init(
                name: { uid in
                    asked.withLock { $0 += 1 }
                    return "user\(uid)"
                }, isMember: { _, _ in false }))
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await accounts.name(of: 7) } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names == ["user7"])
        #expect(try await accounts.name(of: 7) == "user7")
        #expect(asked.withLock { $0 } == 1)
    }

    @Test func `an account is looked up again if its cached result has expired`() async throws {
        let asked = Mutex(0)
        let accounts = UserAccounts(
            lifetime: .zero,
            lookUp: .init(
                name: { _ in
                    asked.withLock { $0 += 1 }
                    return nil
                }, isMember: { _, _ in false }))
        #expect(try await accounts.name(of: 7) == "uid-7")
        #expect(try await accounts.name(of: 7) == "uid-7")
        #expect(asked.withLock { $0 } == 2)
    }

    @Test func `a new member of the group lpadmin is an administrator after at most five seconds`() async throws {
        let members = Mutex<Set<String>>([])
        let now = Mutex(ContinuousClock.now)
        let accounts = UserAccounts(
            now: { now.withLock { $0 } },
            lookUp: .init(
                name: { "user\($0)" },
                isMember: { user, group in group == "lpadmin" && members.withLock { $0.contains(user) } }))
        #expect(try await !accounts.user(70_007, claimedName: nil).isAdministrator)
        members.withLock { _ = $0.insert("user70007") }
        now.withLock { $0 += .seconds(5) }
        #expect(try await accounts.user(70_007, claimedName: nil).isAdministrator)
        members.withLock { $0 = [] }
        now.withLock { $0 += .seconds(5) }
        #expect(try await !accounts.user(70_007, claimedName: nil).isAdministrator)
    }

    @Test func `an error of the name service refuses a request as temporary, and the next request looks up again`()
        async throws
    {
        let isDown = Mutex(true)
        let accounts = UserAccounts(
            lookUp: .init(
                name: { (_) throws(NameServiceError) in
                    if isDown.withLock({ $0 }) { throw NameServiceError(number: ECONNREFUSED) }
                    return "ann"
                }, isMember: { _, _ in false }))
        let operations = PrinterOperations(
            ScriptedService(), numbersJobsGlobally: true, isOpen: false, accounts: accounts
        ) { 1_000_000 }
        let message = Message(
            operation: .validateJob, requestID: 7,
            groups: [
                AttributeGroup(
                    .operation, .preamble + [Attribute("printer-uri", .uri("ipp://localhost/printers/office"))])
            ])
        let request = IPPRequest(message: message, peer: .unix(uid: 70_007, gid: 70_007, pid: 1))
        let refused = await operations.respond(to: request)
        #expect(refused.status == .serverErrorTemporaryError)
        #expect(
            refused.statusMessage
                == "the name service of this machine cannot look up the user (Connection refused); try again later")
        isDown.withLock { $0 = false }
        #expect(await operations.respond(to: request).status == .successfulOk)
        #expect(try await accounts.name(of: 70_007) == "ann")
    }

    @Test func `an error during the lookup of a group refuses a request as temporary`() async throws {
        let accounts = UserAccounts(
            lookUp: .init(
                name: { _ in "ann" },
                isMember: { (_, _) throws(NameServiceError) in throw NameServiceError(number: EIO) }))
        await #expect(throws: NameServiceError(number: EIO)) { try await accounts.user(70_007, claimedName: "bob") }
        // The user of the server process is an administrator without a lookup.
        #expect(try await accounts.user(geteuid(), claimedName: nil).isAdministrator)
    }

    @Test func `a lookup repeats interrupted calls and enlarges the buffer, and a missing entry is not an error`()
        throws
    {
        typealias LookUp = UserAccounts.LookUp
        var sizes: [Int] = []
        let name: String? = try LookUp.look { _, size in
            sizes.append(size)
            return sizes.count == 1 ? (EINTR, nil) : size < 100_000 ? (ERANGE, nil) : (0, "ann")
        }
        #expect(name == "ann" && sizes == [16_384, 16_384, 65_536, 262_144])
        for number in [0, ENOENT, ESRCH] { #expect(try LookUp.look { _, _ in (number, String?.none) } == nil) }
        for number in [EIO, EMFILE, ECONNREFUSED, EAGAIN, ERANGE] {
            #expect(throws: NameServiceError(number: number)) { try LookUp.look { _, _ in (number, String?.none) } }
        }
        #expect(try LookUp.system.name(0) == "root" && LookUp.system.isMember("root", "root"))
        #expect(try LookUp.system.name(3_999_999_999) == nil && !LookUp.system.isMember("nobody", "no-such-group"))
    }

    @Test func `if account lookups do not end, lookups of other accounts are not blocked`() async throws {
        let gate = DispatchedGate()
        let accounts = UserAccounts(
            lookUp: .init(
                name: { uid in
                    if uid < 7 { gate.pass() }
                    return "user\(uid)"
                }, isMember: { _, _ in false }))
        try await withThrowingTaskGroup(of: String.self) { group in
            for uid in UInt32(0)..<7 { group.addTask { try await accounts.name(of: uid) } }
            let name = try await accounts.name(of: 100)
            #expect(name == "user100")
            gate.open()
            let names = try await group.reduce(into: Set<String>()) { $0.insert($1) }
            #expect(names.count == 7)
        }
    }
}

/// A gate that blocks threads until a test opens the gate.
private final class DispatchedGate: Sendable {
    private let descriptors: [Int32]

    init() {
        var pair: [Int32] = [0, 0]
        pipe(&pair)
        descriptors = pair
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// Waits until the gate is open.
    func pass() {
        var events = pollfd(fd: descriptors[0], events: Int16(POLLIN), revents: 0)
        while poll(&events, 1, -1) < 0 {}
    }

    func open() { write(descriptors[1], "x", 1) }
}
