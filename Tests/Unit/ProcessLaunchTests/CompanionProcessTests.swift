import FoundationEssentials
import Glibc
import ProcessLaunch
import Testing

struct CompanionProcessTests {
    private func shell(_ script: String) throws -> CompanionProcess {
        try CompanionProcess(
            program: "/bin/sh", arguments: ["-c", script], environment: ["WORD": "ready"], log: "/dev/null")
    }

    @Test func `the output lines of a companion process can be read, and 'end()' ends the process`() async throws {
        let process = try shell("echo $WORD; read line; exit 7")
        #expect(await process.readLine(within: .seconds(10)) == "ready")
        #expect(await process.readLine(within: .seconds(10)) == nil)
        #expect(process.exitCode == nil)
        #expect(await process.end() == 7)
        #expect(process.exitCode == 7)
        #expect(await process.untilEnded() == 7)
    }

    @Test func `a companion process ends when the last reference to the process is released`() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let path = "/proc/\(getpid())/fd/\(ends[1])"
        // The process opens the pipe by path and keeps the pipe open until the process ends.
        var process: CompanionProcess? = try shell("exec 3>\(path); echo open; read line")
        #expect(await process?.readLine(within: .seconds(10)) == "open")
        close(ends[1])
        process = nil
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 0)
    }

    @Test func `a companion process is killed if it ignores the end of its input`() async throws {
        let process = try shell("echo stubborn; while :; do sleep 60; done")
        #expect(await process.readLine(within: .seconds(10)) == "stubborn")
        #expect(await process.end(timeout: .milliseconds(50)) == -SIGKILL)
    }

    @Test func `the error for a missing program contains the program's path`() {
        let error = #expect(throws: LaunchError.self) {
            try CompanionProcess(program: "/nowhere/program", arguments: [], log: "/dev/null")
        }
        #expect(error?.description == "cannot start '/nowhere/program': No such file or directory")
    }
}
