import Glibc
import ProcessLaunch
import Testing

struct DetachedProcessTests {
    @Test func `a detached process runs in a separate session, and 'readLine' returns the first output line`() throws {
        let process = try DetachedProcess(
            program: "/bin/sh", arguments: ["-c", "ps -o sid= -p $$; exec sleep 0"], log: "/dev/null")
        let line = try #require(process.readLine(deadline: 10))
        #expect(Int32(line.filter { $0 != " " }) == process.pid)
        #expect(getsid(0) != process.pid)
    }

    @Test func `for a process without output, 'readLine' returns nil at the process exit or at the deadline`() throws {
        let ended = try DetachedProcess(program: "/bin/true", arguments: [], log: "/dev/null")
        #expect(ended.readLine(deadline: 10) == nil)
        let silent = try DetachedProcess(program: "/bin/sleep", arguments: ["60"], log: "/dev/null")
        #expect(silent.readLine(deadline: 0.05) == nil)
        kill(silent.pid, SIGKILL)
    }

    @Test func `the error for a missing program contains the program's path`() {
        let error = #expect(throws: LaunchError.self) {
            try DetachedProcess(program: "/nowhere/program", arguments: [], log: "/dev/null")
        }
        #expect(error?.description == "cannot start '/nowhere/program': No such file or directory")
    }
}
