import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import PrintWork
import Testing

/// Tests of the actions that are possible for a document that has compromised a worker.
struct SandboxTests {
    private let place = Workplace()
    private var pool: WorkerPool { place.pool() }

    private func inspect(_ orders: String) async throws -> [String] {
        try await pool.inspect(place.document(orders)).notices
    }

    private static let filesAreFenced = access("/proc/self", F_OK) == 0 && landlockVersion() > 0

    /// Calls `landlock_create_ruleset` with the flag that requests the Landlock version.
    private static func landlockVersion() -> Int {
        typealias SystemCall = @convention(c) (Int, Int, Int, Int) -> Int
        guard let symbol = dlsym(nil, "syscall") else { return 0 }
        return unsafeBitCast(symbol, to: SystemCall.self)(444, 0, 0, 1)
    }

    @Test(arguments: ["unix", "inet", "inet6", "netlink", "packet"])
    func `a worker in the sandbox cannot create a socket`(family: String) async throws {
        #expect(try await inspect("socket \(family)") == ["Operation not permitted"])
    }

    @Test func `a worker cannot create a socket or socket pair of any family or type`() async throws {
        let results = try await inspect("sockets\nsocketpair\nconnect /run/printd.sock")
        #expect(results == ["none", "Operation not permitted", "Operation not permitted"])
    }

    /// `RefusedCalls` in test-worker contains the calls.
    @Test func `the sandbox refuses a worker's forbidden system calls, such as 'chmod', 'link' and 'connect'`()
        async throws
    {
        let request = try place.preparation("calls")
        #expect(try await pool.prepare(request) { _ in }.notices == [""])
    }

    /// Debian 12's kernel has version 2.
    @Test(.enabled(if: filesAreFenced, "this kernel has no Landlock"), arguments: 1...3)
    func `with an older version of Landlock, the sandbox refuses the same system calls`(version: Int) async throws {
        let pool = try self.pool(underLandlock: "--above \(version)")
        #expect(try await pool.probe().landlockVersion == min(version, Self.landlockVersion()))
        let request = try place.preparation("calls")
        #expect(try await pool.prepare(request) { _ in }.notices == [""])
    }

    @Test func `a worker does not run as root and has no capabilities`() async throws {
        let identity = try #require(try await inspect("identity").first)
        let lines = identity.split(separator: ", ").map { $0.split(separator: " ").map(String.init) }
        let fields = Dictionary(lines.map { ($0[0], Array($0.dropFirst())) }, uniquingKeysWith: { $1 })
        for name in ["CapInh:", "CapPrm:", "CapEff:", "CapAmb:"] {
            #expect(fields[name] == ["0000000000000000"], "\(identity)")
        }
        #expect(fields["NoNewPrivs:"] == ["1"])
        // The real, effective, saved and file system IDs.
        let users = Set(fields["Uid:"] ?? []), groups = Set(fields["Gid:"] ?? [])
        #expect(users.count == 1 && groups.count == 1, "\(identity)")
        if geteuid() == 0 {
            #expect(!users.contains("0") && !groups.contains("0"), "\(identity)")
            #expect(fields["Groups:"] == [], "\(identity)")
            #expect(fields["CapBnd:"] == ["0000000000000000"], "\(identity)")
        } else {
            #expect(users == ["\(getuid())"], "\(identity)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root starts workers as another user"))
    func `if a worker runs as an unprivileged user, it can read root's private document, and root remains the owner`()
        async throws
    {
        let document = try place.document("say hello")
        chmod(document.path, 0o600)
        #expect(try await pool.inspect(document).notices == ["hello"])
        var status = stat()
        #expect(stat(document.path, &status) == 0)
        #expect(status.st_uid == 0 && status.st_gid != 0 && status.st_mode & 0o777 == 0o640)
    }

    @Test(.enabled(if: geteuid() == 0, "only root starts workers as another user"))
    func `a private document of another user is refused, and its mode does not change`() async throws {
        let document = try place.document("say hello")
        chmod(document.path, 0o600)
        chown(document.path, 12345, 12345)
        let error = await #expect(throws: WorkError.self) { try await pool.inspect(document) }
        #expect(error?.code == .workerUnavailable)
        #expect(error?.message.contains("worker.user") == true)
        var status = stat()
        #expect(stat(document.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root starts workers as another user"),
        arguments: ["root", "0", "no-such-user"])
    func `a worker is not started as root or as a user that does not exist`(user: String) async throws {
        let pool = WorkerPool(executable: place.worker, isWarm: false, user: user)
        let document = try place.document("say hello")
        let error = await #expect(throws: WorkError.self) { try await pool.inspect(document) }
        #expect(error?.code == .workerUnavailable)
        #expect(error?.message.contains("worker.user") == true)
    }

    /// Creates a pool whose workers find no Landlock in the kernel, or an older version.
    private func pool(underLandlock option: String = "", requiresLandlock: Bool = true) throws -> WorkerPool {
        let script = try place.script(
            "exec '\(BuiltPrograms.folder)without-landlock' \(option) '\(place.worker)' \"$@\"")
        return WorkerPool(executable: script, isWarm: false, requiresLandlock: requiresLandlock)
    }

    @Test func `without Landlock, a document is refused if the settings require Landlock`() async throws {
        let pool = try self.pool()
        let document = try place.document("say hello")
        let error = await #expect(throws: WorkError.self) { try await pool.inspect(document) }
        #expect(error?.code == .sandboxIncomplete)
        #expect(error?.message.contains("worker.requireLandlock") == true)
        #expect(try await pool.probe() == WorkerProtections(systemCalls: true, landlockVersion: 0))
    }

    @Test func `without Landlock, a document is read if the settings do not require Landlock`() async throws {
        let pool = try self.pool(requiresLandlock: false)
        #expect(try await pool.inspect(place.document("say hello")).notices == ["hello"])
    }

    @Test func `a worker can start threads, but no processes, programs or sessions`() async throws {
        let results = try await inspect("thread\nfork\nexec /bin/true\nsession")
        #expect(results == ["ok"] + [String](repeating: "Operation not permitted", count: 3))
    }

    @Test func `a worker cannot send signals to its parent`() async throws {
        #expect(try await inspect("signal") == ["Operation not permitted"])
    }

    @Test(.enabled(if: filesAreFenced, "this kernel has no Landlock"))
    func `a worker can read neither the folder of a different job nor a second file in the folder of its document`()
        async throws
    {
        let other = try place.document("a secret", in: "other")
        let beside = "\(place.folder)/job/beside.txt"
        _ = try place.document("x")
        try "secret".write(toFile: beside, atomically: false, encoding: .utf8)
        let results = try await inspect("read \(other.path)\nlist \(place.folder)/other\nread \(beside)")
        #expect(results == [String](repeating: "Permission denied", count: 3))
    }

    @Test(.enabled(if: filesAreFenced, "this kernel has no Landlock"))
    func `a worker can read system fonts and libraries, but not the account files`() async throws {
        let results = try await inspect("list /usr/share\nread /etc/passwd\nlist /root\nlist /tmp")
        #expect(results == ["ok"] + [String](repeating: "Permission denied", count: 3))
    }

    @Test(.enabled(if: filesAreFenced, "this kernel has no Landlock"))
    func `a worker writes no files during an inspection, and writes only to the output folder during a preparation`()
        async throws
    {
        let mine = "\(place.folder)/job/document-2.txt"
        let theirs = "\(place.folder)/x"
        #expect(try await inspect("create \(mine)") == ["Permission denied"])
        let request = try place.preparation(
            "create \(mine)\ncreate \(theirs)\nwrite 1\nsymlink \(place.folder)/job/link")
        let made = try await pool.prepare(request) { _ in }
        #expect(made.notices == ["Permission denied", "Permission denied", "ok", "Operation not permitted"])
    }

    @Test(.enabled(if: filesAreFenced, "this kernel has no Landlock"))
    func `a worker cannot remove or replace a document of the job that the worker prepares`() async throws {
        let request = try place.preparation("remove document-1.txt\nremove ../document-1.txt")
        let made = try await pool.prepare(request) { _ in }
        #expect(made.notices == ["No such file or directory", "Permission denied"])
        #expect(access(request.documents[0].path, F_OK) == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(place.folder)/job").sorted()
        #expect(files == ["document-1.txt", "prepared.pdf"])
    }

    @Test func `the threads of the Swift runtime keep working in the sandbox for several seconds`() async throws {
        #expect(try await inspect("linger") == ["ok"])
    }

    @Test func `a probe of the worker sandbox reports the active protections`() async throws {
        let protections = try await pool.probe()
        #expect(protections.systemCalls)
        #expect(protections.files == Self.filesAreFenced)
        #expect(protections.landlockVersion == max(Self.landlockVersion(), 0))
    }
}
