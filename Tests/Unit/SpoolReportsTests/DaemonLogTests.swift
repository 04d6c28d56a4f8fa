import Foundation
import PrintModel
import PrintTestSupport
import SpoolerClient
import Testing

@testable import SpoolReports

struct DaemonLogTests {
    private let claimed = "2026-11-23T15:48:18+0000 info printd: job=1 printer=color-laser [PrintScheduler] job claimed"

    @Test func `a line of printd's log file is divided into time, level, fields and message`() {
        let entry = DaemonLogEntry(line: claimed)
        #expect(entry.time == 1_795_448_898)
        #expect(entry.level == "info" && entry.message == "job claimed")
        #expect(entry["job"] == "1" && entry["printer"] == "color-laser")
        let west = DaemonLogEntry(line: "2026-11-23T10:48:18-0500 info printd: [printd] hello")
        #expect(west.time == 1_795_448_898 && west.message == "hello" && west.fields == [])
        let spaces = DaemonLogEntry(
            line: "2026-11-23T15:48:18+0000 error printd: error=no space left job=12 [A] cannot store [1] it")
        #expect(spaces["error"] == "no space left" && spaces["job"] == "12" && spaces.message == "cannot store [1] it")
        let plain = DaemonLogEntry(line: "printd: listening on /a b/printd.sock, no TCP port")
        #expect(plain.time == nil && plain.message == "printd: listening on /a b/printd.sock, no TCP port")
    }

    @Test func `a journal entry of printd is parsed to the same fields as a line of the log file`() throws {
        let json =
            #"{"__REALTIME_TIMESTAMP":"1795448898000000","PRIORITY":"4","MESSAGE":"job claimed","PRINTQ_JOB":"1","#
            + #""PRINTQ_PRINTER":"office","PRINTQ_USER":"ann","_PID":"7","OTHER":null}"#
        let entry = try #require(DaemonLogEntry(journal: Array(json.utf8)))
        #expect(entry.time == 1_795_448_898 && entry.level == "warning" && entry.message == "job claimed")
        #expect(
            entry.json.compactText
                == #"{"time":"2026-11-23T15:48:18Z","level":"warning","message":"job claimed","job-id":1,"#
                + #""printer-name":"office","job-originating-user-name":"ann"}"#)
        let bytes = try #require(DaemonLogEntry(journal: Array(#"{"MESSAGE":[104,105]}"#.utf8)))
        #expect(bytes.message == "hi" && bytes.time == nil)
        #expect(DaemonLogEntry(journal: Array("no journal".utf8)) == nil)
    }

    @Test func `a log filter selects entries by job, printer and time`() {
        let entry = DaemonLogEntry(line: claimed)
        #expect(DaemonLogFilter(job: 1, printer: "color-laser").matches(entry))
        #expect(!DaemonLogFilter(job: 11).matches(entry))
        #expect(!DaemonLogFilter(printer: "color").matches(entry))
        #expect(!DaemonLogFilter(user: "ann").matches(entry))
        #expect(DaemonLogFilter(since: 1_795_448_898, until: 1_795_448_899).matches(entry))
        #expect(!DaemonLogFilter(until: 1_795_448_898).matches(entry))
        #expect(!DaemonLogFilter(since: 1).matches(DaemonLogEntry(line: "no time")))
    }

    @Test func `a log filter is converted to arguments of journalctl`() {
        let filter = DaemonLogFilter(job: 3, printer: "office", user: "ann", since: 10, limit: 5)
        #expect(
            filter.journalArguments(unit: "printd", follows: true) == [
                "--unit=printd", "--output=json", "--no-pager", "--quiet", "--lines=5", "--follow", "--since=@10",
                "PRINTQ_JOB=3", "PRINTQ_PRINTER=office", "PRINTQ_USER=ann",
            ])
    }

    @Test func `'newLines' returns new complete lines of printd's log, even after the file is replaced or truncated`()
        throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path("log")
        var file = FollowedFile(path: path)
        func lines(last: Int? = nil) throws -> [String] { try file.newLines(last: last) { _ in true } }
        #expect(throws: FollowedFile.Failure.self) { try lines() }
        try Data("1\n2\n3\n4".utf8).write(to: URL(filePath: path))
        #expect(try lines(last: 2) == ["2", "3"])
        #expect(try lines() == [])
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("5\n".utf8))
        #expect(try lines() == ["45"])
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data("6\n".utf8))
        #expect(try lines() == ["6"])
        try Data("a much longer new file\n".utf8).write(to: URL(filePath: path), options: .atomic)
        #expect(try lines() == ["a much longer new file"])
    }

    @Test func `control characters in printd's log are not sent to the terminal`() {
        let entry = DaemonLogEntry(line: claimed.replacing("color-laser", with: "\u{1B}[2J"))
        #expect(!entry.text(now: 0).contains("\u{1B}"))
    }
}
