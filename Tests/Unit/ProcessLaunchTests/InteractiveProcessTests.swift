import Glibc
import ProcessLaunch
import Testing

struct InteractiveProcessTests {
    private func shell(_ script: String) throws -> InteractiveProcess {
        try InteractiveProcess(
            program: "sh", arguments: ["-c", script], environment: ["PATH=/usr/bin:/bin"], errors: "/dev/null")
    }

    /// Waits until the process has sent bytes, without reading the bytes.
    private func waitForBytes(from process: InteractiveProcess) {
        var descriptor = pollfd(fd: process.socket, events: Int16(POLLIN), revents: 0)
        #expect(poll(&descriptor, 1, 60_000) == 1)
    }

    @Test func `a line of the maximum length is received, and a longer line is refused even if the line is complete`()
        throws
    {
        let process = try shell("printf '12345\\n123456\\n'; sleep 60")
        waitForBytes(from: process)
        #expect(try process.line(longest: 5, until: .now + .seconds(60)) == Array("12345".utf8))
        #expect(throws: InteractiveProcess.Interruption.tooLong) {
            try process.line(longest: 5, until: .now + .seconds(60))
        }
    }

    @Test func `the available lines are refused if a complete line is longer than the maximum`() throws {
        let process = try shell("printf '12345\\n123456\\n'; sleep 60")
        waitForBytes(from: process)
        #expect(throws: InteractiveProcess.Interruption.tooLong) { try process.availableLines(longest: 5) }
        let other = try shell("printf '12345\\n1234\\n'; sleep 60")
        waitForBytes(from: other)
        #expect(try other.availableLines(longest: 5) == [Array("12345".utf8), Array("1234".utf8)])
    }
}
