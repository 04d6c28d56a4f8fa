import FoundationEssentials
import Glibc
import ProcessLaunch
import Testing

struct ForegroundProcessTests {
    /// The standard streams alone: the test process has sockets of other tests too, which would stay open with the script.
    private let state = StartingState(descriptors: [0, 1, 2])

    private func shell(_ script: String) throws -> ForegroundProcess {
        try ForegroundProcess(["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], handing: state)
    }

    /// Asks a script, which writes to the file that it finds in `$1`.
    private func answer(_ script: String) async throws -> [String] {
        let path = "\(FileManager.default.temporaryDirectory.path)/foreground-\(UUID().uuidString)"
        defer { unlink(path) }
        #expect(try await shell("exec > \(path); \(script)").untilEnded() == 0)
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test
    func `a program starts with nothing blocked, whatever the thread that starts it blocks, and without our ignoring`()
        async throws
    {
        signal(SIGPIPE, SIG_IGN)
        let lines = try await answer("grep -E '^Sig(Blk|Ign)' /proc/self/status")
        #expect(lines.first?.hasSuffix("\t0000000000000000") == true, "\(lines)")
        let ignored = try #require(lines.last?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
        #expect(ignored & (1 << UInt64(SIGPIPE - 1)) == 0)
    }

    @Test func `a program is in our process group, and has none of the files that we opened since we started`()
        async throws
    {
        let state = StartingState()
        // A number that no other test uses at the same time.
        let descriptor = fcntl(1, F_DUPFD, 900)
        defer { close(descriptor) }
        // It looks itself: it may have ended before we could. The fifth word of its status is its group (proc(5)).
        let script = """
            test ! -e /proc/self/fd/\(descriptor) || exit 2
            test "$(cut -d ' ' -f 5 /proc/$$/stat)" = \(getpgrp()) || exit 3
            """
        let process = try ForegroundProcess(
            ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], handing: state)
        #expect(await process.untilEnded() == 0)
    }

    @Test func `a signal goes to the program and all it has started, and nothing of them is left`() async throws {
        let folder = FileManager.default.temporaryDirectory.path
        let path = "\(folder)/foreground-\(UUID().uuidString)"
        defer { unlink(path) }
        try #require(mkfifo(path, 0o600) == 0)
        // The program ignores the signal, its child does too; the child holds the pipe open as long as it lives.
        let process = try shell("trap '' TERM; sh -c 'exec > \(path); echo up; while :; do sleep 60; done' & wait")
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 3)
        #expect(read(descriptor, &bytes, 3) == 3)
        #expect(await process.end(by: SIGTERM, patience: .milliseconds(50)) == -SIGKILL)
        #expect(read(descriptor, &bytes, 3) == 0)
    }

    @Test func `a program that is not there is told from one that may not run`() {
        func code(_ name: String) -> Int32? {
            do throws(LaunchError) {
                _ = try ForegroundProcess([name], environment: [:], handing: state)
            } catch {
                return error.code
            }
            return nil
        }
        #expect(code("/nowhere/program") == ENOENT)
        #expect(code("/etc/passwd") == EACCES)
    }
}
