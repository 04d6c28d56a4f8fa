import Glibc
import PrintModel
import PrintWork
import Testing

/// What a document that has taken over its worker can do with it.
struct SandboxTests {
    private let place = Workplace()
    private var pool: WorkerPool { place.pool() }

    private func inspect(_ orders: String) async throws -> [String] {
        try await pool.inspect(place.document(orders)).notices
    }

    private static let filesAreFenced = access("/proc/self", F_OK) == 0 && landlockVersion() > 0

    /// `landlock_create_ruleset` with the flag that asks for the version.
    private static func landlockVersion() -> Int {
        typealias SystemCall = @convention(c) (Int, Int, Int, Int) -> Int
        guard let symbol = dlsym(nil, "syscall") else { return 0 }
        return unsafeBitCast(symbol, to: SystemCall.self)(444, 0, 0, 1)
    }

    @Test(arguments: ["inet", "inet6", "netlink", "packet"])
    func `no socket leads out of the machine`(family: String) async throws {
        #expect(try await inspect("socket \(family)") == ["Permission denied"])
    }

    @Test func `Unix sockets exist but reach nobody`() async throws {
        let results = try await inspect("socket unix\nsocketpair\nconnect /run/printd.sock")
        #expect(results == ["ok", "ok", "Operation not permitted"])
    }

    @Test func `it starts threads but no process, no program and no session`() async throws {
        let results = try await inspect("thread\nfork\nexec /bin/true\nsession")
        #expect(results == ["ok"] + [String](repeating: "Operation not permitted", count: 3))
    }

    @Test func `it cannot signal whoever started it`() async throws {
        #expect(try await inspect("signal") == ["Operation not permitted"])
    }

    @Test(.enabled(if: filesAreFenced, "this kernel has no Landlock"))
    func `it reads neither another job's folder nor what lies beside its document`() async throws {
        let other = try place.document("a secret", in: "other")
        let beside = "\(place.folder)/job/beside.txt"
        _ = try place.document("x")
        try "secret".write(toFile: beside, atomically: false, encoding: .utf8)
        let results = try await inspect("read \(other.path)\nlist \(place.folder)/other\nread \(beside)")
        #expect(results == [String](repeating: "Permission denied", count: 3))
    }

    @Test(.enabled(if: filesAreFenced, "this kernel has no Landlock"))
    func `of the system it reads fonts and libraries, not accounts`() async throws {
        let results = try await inspect("list /usr/share\nread /etc/passwd\nlist /root\nlist /tmp")
        #expect(results == ["ok"] + [String](repeating: "Permission denied", count: 3))
    }

    @Test(.enabled(if: filesAreFenced, "this kernel has no Landlock"))
    func `looking at a document writes nothing, making one writes to its own folder only`() async throws {
        let mine = "\(place.folder)/job/x"
        let theirs = "\(place.folder)/x"
        #expect(try await inspect("create \(mine)") == ["Permission denied"])
        let request = try place.preparation(
            "create \(mine)\ncreate \(theirs)\nwrite 1\nsymlink \(place.folder)/job/link")
        let made = try await pool.prepare(request) { _ in }
        #expect(made.notices == ["ok", "Permission denied", "ok", "Permission denied"])
    }

    @Test func `the language's own threads get along with the fences for seconds on end`() async throws {
        #expect(try await inspect("linger") == ["ok"])
    }

    @Test func `a probe says which fences hold`() async throws {
        let protections = try await pool.probe()
        #expect(protections.systemCalls)
        #expect(protections.files == Self.filesAreFenced)
        #expect(protections.landlockVersion == max(Self.landlockVersion(), 0))
    }
}
