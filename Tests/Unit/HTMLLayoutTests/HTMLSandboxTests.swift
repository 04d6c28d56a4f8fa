import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import ProcessLaunch
import Testing

@testable import HTMLLayout

/// Tests of the actions that are possible for HTML that has compromised the engine.
struct HTMLSandboxTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        mkdir(folder.path("base"), 0o700)
        mkdir(folder.path("temporary"), 0o700)
        try Data("style".utf8).write(to: URL(filePath: folder.path("base/style.css")))
        try Data("secret".utf8).write(to: URL(filePath: folder.path("secret")))
    }

    /// Puts the engine's Python into the sandbox and then runs a script that attempts actions.
    private func attempts(_ script: String, _ access: HTMLAccess) throws -> [String: String] {
        let engine = try #require(testEngine.installation)
        let process = try InteractiveProcess(
            program: "\(engine)/bin/python", arguments: ["-I", "-B", "-c", HTMLWorker.bootstrap],
            environment: ["PATH=/usr/bin:/bin", "FOLDER=\(folder.path)"], errors: folder.path("errors"))
        let frame = """
            import errno, fcntl, os, signal, socket, subprocess, sys, threading
            folder, results = os.environ['FOLDER'], {}
            def attempt(name, act):
                try:
                    act()
                    results[name] = 'ok'
                except OSError as error:
                    results[name] = errno.errorcode.get(error.errno, str(error))
            def status():
                lines = [line.rstrip('\\n').split(':\\t', 1) for line in open('/proc/self/status')]
                return dict(line for line in lines if len(line) == 2)

            """
        let source = Array((frame + script + "\nprint(json.dumps(results), flush=True)\n").utf8)
        let all = PackageResources.html_sandbox_py + source
        let sandbox = HTMLSandbox(
            process: process.pid, access: access, engine: engine, temporary: folder.path("temporary"))
        let moment = ContinuousClock.now + .seconds(30)
        do {
            try process.send(
                Array("\(all.count)\n".utf8) + all + JSONEncoder().encode(sandbox) + [UInt8(ascii: "\n")], until: moment
            )
            return try JSONDecoder().decode(
                [String: String].self, from: Data(process.line(longest: 100_000, until: moment)))
        } catch {
            throw PythonFailure(description: "\(error): \(text(of: folder.path("errors")))")
        }
    }

    private struct PythonFailure: Error, CustomStringConvertible { let description: String }

    private static let calls = """
        attempt('secret', lambda: open(folder + '/secret'))
        attempt('accounts', lambda: open('/etc/passwd'))
        attempt('style', lambda: open(folder + '/base/style.css'))
        attempt('write to base', lambda: open(folder + '/base/new', 'w'))
        attempt('write temporary', lambda: open(folder + '/temporary/new', 'w'))
        attempt('chmod', lambda: os.chmod(folder + '/temporary/new', 0o4755))
        attempt('chown', lambda: os.chown(folder + '/temporary/new', os.getuid(), os.getgid()))
        attempt('utime', lambda: os.utime(folder + '/temporary/new'))
        attempt('setxattr', lambda: os.setxattr(folder + '/temporary/new', 'user.x', b'1'))
        attempt('symlink', lambda: os.symlink('/etc/passwd', folder + '/temporary/link'))
        attempt('fork', os.fork)
        attempt('program', lambda: os.execv('/bin/true', ['true']))
        attempt('signal', lambda: os.kill(os.getppid(), 0))
        attempt('priority', lambda: os.setpriority(os.PRIO_PROCESS, 0, 0))
        attempt('affinity', lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)))
        attempt('owner', lambda: fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid()))
        attempt('unix', lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        attempt('pair', socket.socketpair)
        attempt('internet', lambda: socket.socket(socket.AF_INET))
        attempt('internet 6', lambda: socket.socket(socket.AF_INET6))
        attempt('routes', lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))
        attempt('sockets of the kernel', lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4))
        attempt('packets', lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
        attempt('send', lambda: socket.socket(fileno=os.dup(0)).sendto(b'x', '/tmp/printq-nobody'))
        threads = []
        thread = threading.Thread(target=lambda: attempt('secret by a thread', lambda: open(folder + '/secret')))
        thread.start(); thread.join()
        results['filter'] = status()['Seccomp']
        results['capabilities'] = status()['CapEff'] + status()['CapPrm']
        """

    /// The actions that are refused with and without network access.
    private static let refused: [String: String] = [
        "accounts": "EACCES", "secret": "EACCES", "secret by a thread": "EACCES", "write to base": "EACCES",
        "write temporary": "ok", "chmod": "EPERM", "chown": "EPERM", "utime": "EPERM", "setxattr": "EPERM",
        "symlink": "EPERM", "fork": "EPERM", "program": "EPERM", "signal": "EPERM", "priority": "EPERM",
        "affinity": "EPERM", "owner": "EPERM", "pair": "EPERM", "filter": "2",
        "capabilities": String(repeating: "0", count: 32),
    ]

    private func expect(_ results: [String: String], _ expected: [String: String]) {
        for (name, result) in expected.merging(Self.refused, uniquingKeysWith: { first, _ in first }) {
            #expect(results[name] == result, "\(name)")
        }
    }

    @Test func `without a base folder or network permission, HTML cannot access files, the network or other processes`()
        throws
    {
        let results = try attempts(Self.calls, .none)
        expect(
            results,
            [
                "style": "EACCES", "unix": "EPERM", "internet": "EPERM", "internet 6": "EPERM", "routes": "EPERM",
                "sockets of the kernel": "EPERM", "packets": "EPERM", "send": "EPERM",
            ])
    }

    @Test func `HTML can read files in the base folder but no files outside the base folder`() throws {
        let results = try attempts(Self.calls, HTMLAccess(base: folder.path("base"), network: false))
        expect(results, ["style": "ok", "internet": "EPERM", "send": "EPERM"])
    }

    @Test func `with network access, HTML can use only Internet sockets`() throws {
        let results = try attempts(Self.calls, HTMLAccess(base: nil, network: true))
        expect(
            results,
            [
                "style": "EACCES", "unix": "EACCES", "internet": "ok", "internet 6": "ok", "routes": "ok",
                "sockets of the kernel": "EACCES", "packets": "EACCES",
            ])
    }

    /// Returns the process of an engine in a folder with a name that only this engine has.
    private func worker(of name: String) throws -> String {
        let workers = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter {
            pid_t($0) != nil && text(of: "/proc/\($0)/cmdline").contains(name)
        }
        return try #require(workers.first)
    }

    private func newEngine() throws -> (engine: HTMLEngine, name: String) {
        let name = folder.path("engine")
        symlink(try #require(testEngine.installation), name)
        return (HTMLEngine(folder: name, concurrent: 1, warm: 1), name)
    }

    @Test func `an idle process keeps its temporary folder when another process starts`() async throws {
        let (engine, name) = try newEngine()
        await engine.warmUp()
        let variables = text(of: "/proc/\(try worker(of: name))/environ").split(separator: "\0")
        let temporary = try #require(variables.first { $0.hasPrefix("TMPDIR=") }).dropFirst("TMPDIR=".count)
        let past = timespec(tv_sec: time(nil) - 3600, tv_nsec: 0)
        try #require(utimensat(AT_FDCWD, String(temporary), [past, past], 0) == 0)
        await HTMLEngine(concurrent: 1, warm: 1).warmUp()
        // Fonts of the document are stored in the temporary folder.
        let html = "<style>@font-face { font-family: F; src: url('data:font/ttf,x') } p { font-family: F }</style><p>x"
        #expect(try await engine.layOut(html, pageSize: Size(width: 100, height: 100)).pageCount == 1)
        engine.coolDown()
        #expect(access(String(temporary), F_OK) != 0)
    }

    @Test func `the sandbox applies to all threads of an HTML layout process`() throws {
        let (engine, name) = try newEngine()
        _ = try engine.layOut("x", pageSize: Size(width: 100, height: 100))
        let worker = try worker(of: name)
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker)/task")
        #expect(threads.count > 1)
        for thread in threads {
            let status = text(of: "/proc/\(worker)/task/\(thread)/status")
            #expect(status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1"))
            #expect(status.contains("CapEff:\t0000000000000000"))
        }
    }
}
