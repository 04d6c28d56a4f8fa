import Foundation
import Logging
import PrintIPP
import PrintModel
import PrintServer
import PrintTestSupport
import Synchronization
import Testing

/// Tests of the check of passwords, without a spool and with hashes that cost nothing.
struct PasswordLoginsTests {
    private final class World: Sendable {
        let now = Mutex(ContinuousClock.now)
        /// The hashes that were compared; nil is the hash of a missing user.
        let compared = Mutex<[String?]>([])
        let hashes = Mutex(["ann": "hash of secret one"])
        let log = Mutex<[String]>([])
        /// The answers of PAM; nil if network.pam is false.
        let accounts = Mutex<[String: MachineAnswer]?>(nil)
        let asked = Mutex<[String]>([])
        let logins: PasswordLogins

        init(leastTime: Duration = .zero) {
            let world = Box()
            logins = PasswordLogins(
                logger: Logger(label: "test") { _ in Recorder { line in world.value?.log.withLock { $0.append(line) } }
                },
                leastTime: leastTime,
                now: { world.value?.now.withLock { $0 } ?? .now },
                acceptsMachineAccounts: world.value?.accounts.withLock { $0 != nil } ?? false,
                machine: { name, password, address in
                    world.value?.asked.withLock { $0.append("\(name) \(password) \(address)") }
                    return world.value?.accounts.withLock { $0?["\(name) \(password)"] } ?? .wrong
                },
                verify: { password, hash in
                    world.value?.compared.withLock { $0.append(hash) }
                    return hash == "hash of \(password)"
                })
            world.set(self)
        }

        func login(_ user: String, _ password: String, from address: String = "192.0.2.7") async throws -> String? {
            let identity = try await logins.user(Credentials(user: user, secret: password), from: address) { name in
                hashes.withLock { $0[name] }.map {
                    (NetworkUser(name: name, scope: .submit, createdAt: 0), $0)
                }
            }
            return identity?.name
        }
    }

    /// A weak reference that closures share before the object exists.
    private final class Box: Sendable {
        private struct Weak { weak var world: World? }
        private let content = Mutex(Weak())
        var value: World? { content.withLock { $0.world } }
        func set(_ world: World) { content.withLock { $0.world = world } }
    }

    private struct Recorder: LogHandler {
        let write: @Sendable (String) -> Void
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { write("\(event.message) \(event.metadata ?? [:])") }
    }

    private let world = World()

    @Test func `a correct password is hashed once per minute, and a wrong password once per ten seconds`()
        async throws
    {
        for _ in 0..<5 { #expect(try await world.login("ann", "secret one") == "ann") }
        #expect(world.compared.withLock { $0.count } == 1)
        #expect(try await world.login("ann", "secret two") == nil)
        #expect(try await world.login("ann", "secret two") == nil)
        #expect(world.compared.withLock { $0.count } == 2)
        world.now.withLock { $0 += PasswordLogins.repetition }
        #expect(try await world.login("ann", "secret two") == nil)
        #expect(world.compared.withLock { $0.count } == 3)
        world.now.withLock { $0 += PasswordLogins.lifetime }
        #expect(try await world.login("ann", "secret one") == "ann")
        #expect(world.compared.withLock { $0.count } == 4)
    }

    @Test func `after a change of the password or the removal of the user, the cached password is refused at once`()
        async throws
    {
        #expect(try await world.login("ann", "secret one") == "ann")
        world.hashes.withLock { $0["ann"] = "hash of secret two" }
        #expect(try await world.login("ann", "secret one") == nil)
        #expect(try await world.login("ann", "secret two") == "ann")
        world.hashes.withLock { $0["ann"] = nil }
        #expect(try await world.login("ann", "secret two") == nil)
    }

    @Test func `an unknown user and an impossible password cost a hash, as a known user does`() async throws {
        for (user, password) in [
            ("eve", "secret one"), ("ANN", "secret one"), ("ann:x", "secret one"), ("", ""), ("ann", "se\0cret one"),
            ("ann", String(repeating: "x", count: 512)),
        ] {
            let before = world.compared.withLock { $0.count }
            #expect(try await world.login(user, password, from: "192.0.2.\(before)") == nil)
            #expect(world.compared.withLock { $0.count } == before + 1)
        }
    }

    @Test func `after ten wrong passwords, an address is refused without a hash, also with the correct password`()
        async throws
    {
        #expect(try await world.login("ann", "secret one") == "ann")
        for guess in 0..<10 { #expect(try await world.login("ann", "wrong one \(guess)") == nil) }
        let count = world.compared.withLock { $0.count }
        for password in ["wrong one", "secret one"] {
            await #expect(throws: TooManyLogins(retryAfter: 60)) { try await world.login("ann", password) }
        }
        #expect(world.compared.withLock { $0.count } == count)
        #expect(try await world.login("ann", "secret one", from: "192.0.2.8") == "ann")
        world.now.withLock { $0 += .seconds(60) }
        #expect(try await world.login("ann", "secret one") == "ann")
    }

    @Test func `a client that repeats its wrong password does not use up the budget of its address`() async throws {
        for _ in 0..<240 {
            #expect(try await world.login("ann", "old secret") == nil)
            world.now.withLock { $0 += .milliseconds(500) }
        }
        #expect(world.compared.withLock { $0.count } == 12)
        // The repeated password is accepted as soon as it is the password of the user.
        #expect(try await world.login("ann", "new secret") == nil)
        world.hashes.withLock { $0["ann"] = "hash of new secret" }
        #expect(try await world.login("ann", "new secret") == "ann")
    }

    @Test func `a wrong login takes at least the same time for all names`() async throws {
        let world = World(leastTime: .milliseconds(100))
        world.accounts.withLock { $0 = [:] }
        for name in ["ann", "carol", "not:valid"] {
            let start = ContinuousClock.now
            #expect(try await world.login(name, "wrong one") == nil)
            #expect(start.duration(to: .now) >= .milliseconds(100))
        }
    }

    @Test func `different guesses for impossible names count as guesses`() async throws {
        for guess in 0..<10 { #expect(try await world.login("a:b", "guess \(guess)") == nil) }
        await #expect(throws: TooManyLogins.self) { try await world.login("ann", "secret one") }
    }

    @Test func `equal logins that arrive together share one hash`() async throws {
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try? await world.login("ann", "secret one") } }
            for await name in group { #expect(name == "ann") }
        }
        #expect(world.compared.withLock { $0.count } == 1)
    }

    @Test func `guesses that arrive together do not exceed the budget of the address`() async throws {
        await withTaskGroup(of: Void.self) { group in
            for guess in 0..<100 { group.addTask { _ = try? await world.login("ann", "guess \(guess)") } }
        }
        // A second thread can begin a check before the tenth wrong password is recorded.
        #expect(world.compared.withLock { $0.count } <= 11)
    }

    @Test func `a client with an old token does not use the budget of passwords`() async throws {
        let token = "printq_" + String(repeating: "x", count: 43)
        for _ in 0..<10 { #expect(try await world.login("ci", token) == nil) }
        await #expect(throws: TooManyLogins.self) { try await world.login("ci", token) }
        #expect(try await world.login("ann", "secret one") == "ann")
        #expect(world.compared.withLock { $0 } == ["hash of secret one"])
    }

    @Test func `names without a user are asked at PAM if the setting is on, and users are asked first`() async throws {
        #expect(try await world.login("carol", "secret one") == nil)
        #expect(world.asked.withLock { $0.isEmpty })
        world.accounts.withLock { $0 = ["carol secret one": .right, "ann secret two": .right] }
        for _ in 0..<3 { #expect(try await world.login("carol", "secret one") == "carol") }
        #expect(world.asked.withLock { $0 } == ["carol secret one 192.0.2.7"])
        #expect(try await world.login("carol", "secret two") == nil)
        // The user of printq has another password than the account with this name.
        #expect(try await world.login("ann", "secret two") == nil)
        #expect(try await world.login("ann", "secret one") == "ann")
        #expect(try await world.login("car ol", "secret one") == nil)
        #expect(world.asked.withLock { $0.count } == 2)
        // A new user replaces the account at once, and so does the setting.
        world.hashes.withLock { $0["carol"] = "hash of secret three" }
        #expect(try await world.login("carol", "secret one") == nil)
        world.hashes.withLock { $0["carol"] = nil }
        #expect(try await world.login("carol", "secret one") == "carol")
        world.accounts.withLock { $0 = nil }
        #expect(try await world.login("carol", "secret one") == nil)
    }

    @Test func `if PAM is not available, the login is refused and logged, and does not count as a guess`() async throws
    {
        world.accounts.withLock { $0 = ["carol secret one": .unavailable("no socket")] }
        for _ in 0..<20 { #expect(try await world.login("carol", "secret one") == nil) }
        #expect(world.log.withLock { $0.count } == 20)
        #expect(world.log.withLock { $0[0] }.contains("no socket"))
        world.accounts.withLock { $0 = ["carol secret one": .right] }
        #expect(try await world.login("carol", "secret one") == "carol")
    }

    @Test func `each refused login is logged with the address and the escaped name, without the password`() async throws
    {
        _ = try await world.login("eve\u{1B}[2J\nann", "my secret word")
        let lines = world.log.withLock { $0 }
        #expect(lines.count == 1)
        #expect(lines[0].contains("refused a login") && lines[0].contains("192.0.2.7"))
        #expect(lines[0].contains(#"eve\u{1B}[2J\nann"#) || lines[0].contains(#"eve\\u{1B}[2J\\nann"#))
        #expect(!lines[0].unicodeScalars.contains { $0.value < 32 })
        #expect(!lines[0].contains("secret word"))
    }
}
