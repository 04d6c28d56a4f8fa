import FoundationEssentials
import Glibc
import ProcessLaunch
import Testing

struct ForegroundProcessTests {
    /// The standard streams only, because the script must not keep sockets of other tests open.
    private let state = InheritedProcessState(descriptors: [0, 1, 2])

    private func shell(_ script: String) throws -> ForegroundProcess {
        try ForegroundProcess(["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], handing: state)
    }

    /// Runs a script with its output redirected to a file, and returns the lines of the file.
    private func answer(_ script: String) async throws -> [String] {
        let path = "\(FileManager.default.temporaryDirectory.path)/foreground-\(UUID().uuidString)"
        defer { unlink(path) }
        #expect(try await shell("exec > \(path); \(script)").untilEnded() == 0)
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test
    func `a program starts with an empty signal mask and does not inherit ignored signals`()
        async throws
    {
        signal(SIGPIPE, SIG_IGN)
        let lines = try await answer("grep -E '^Sig(Blk|Ign)' /proc/self/status")
        #expect(lines.first?.hasSuffix("\t0000000000000000") == true, "\(lines)")
        let ignored = try #require(lines.last?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
        #expect(ignored & (1 << UInt64(SIGPIPE - 1)) == 0)
    }

    @Test func `a program stays in the parent's process group and inherits no files that the parent opened`()
        async throws
    {
        let state = InheritedProcessState()
        // A descriptor number that no other test uses at the same time.
        let descriptor = fcntl(1, F_DUPFD, 900)
        defer { close(descriptor) }
        // The script checks the process group itself, because the script could end before a check by the test.
        // Field 5 is the process group (proc(5)).
        let script = """
            test ! -e /proc/self/fd/\(descriptor) || exit 2
            test "$(cut -d ' ' -f 5 /proc/$$/stat)" = \(getpgrp()) || exit 3
            """
        let process = try ForegroundProcess(
            ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], handing: state)
        #expect(await process.untilEnded() == 0)
    }

    @Test func `if a program ignores a signal, the program and its descendants are killed`() async throws {
        let folder = FileManager.default.temporaryDirectory.path
        let path = "\(folder)/foreground-\(UUID().uuidString)"
        defer { unlink(path) }
        try #require(mkfifo(path, 0o600) == 0)
        // All processes ignore the signal and keep the pipe open. The child starts further processes while it is killed.
        let starts = "i=0; while [ $i -lt 1000 ]; do sleep 60 & i=$((i + 1)); done; wait"
        let process = try shell("trap '' TERM; sh -c 'exec > \(path); echo up; \(starts)' & wait")
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 3)
        #expect(read(descriptor, &bytes, 3) == 3)
        #expect(await process.end(by: SIGTERM, timeout: .milliseconds(50)) == -SIGKILL)
        var pipe = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&pipe, 1, 20_000) == 1, "a process still runs")
        #expect(read(descriptor, &bytes, 3) == 0)
    }

    @Test func `a missing program and a program without execute permission have different error codes`() {
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
