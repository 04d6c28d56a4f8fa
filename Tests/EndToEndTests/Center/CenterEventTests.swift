// Follows the events of a real printd over HTTP, also across a crash.

import Foundation
import Glibc
import PrintTestSupport
import ProcessLaunch
import Testing

@Suite(.timeLimit(.minutes(4)))
struct CenterEventTests {
    /// The ids of the events in a file that curl writes.
    private func ids(in path: String) -> [Int] {
        text(of: path).split(separator: "\n").compactMap { line in
            line.hasPrefix("id: ") ? Int(line.dropFirst(4)) : nil
        }
    }

    /// Starts curl on the event stream, which writes to a file until printd ends the connection.
    private func follow(_ spooler: TestSpooler, after: Int?, into path: String) throws -> DetachedProcess {
        let header = after.map { ["-H", "Last-Event-ID: \($0)"] } ?? []
        return try DetachedProcess(
            program: "/usr/bin/curl",
            arguments: ["-s", "-N", "-o", path, "--unix-socket", spooler.socket] + header + [
                "http://localhost/api/v1/events"
            ], log: spooler.folder.path("curl.err"))
    }

    @Test func `if a client reconnects after printd is killed, the client receives all missed events`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let document = try spooler.file("a.pdf", .numbered(pages: 3))
        let before = spooler.folder.path("before.txt")
        let first = try follow(spooler, after: nil, into: before)
        try await eventually("the stream has started") { text(of: before).contains("event: hello") }
        let start = try #require(
            text(of: before).components(separatedBy: #"{"event":"#).dropFirst().first.flatMap {
                Int($0.prefix { $0.isNumber })
            })
        for _ in 0..<4 { expect(try await spooler.printq("submit", document)) }
        try await eventually("events have arrived") { ids(in: before).count >= 5 }
        spooler.stop(SIGKILL)
        first.waitForEnd()
        let seen = ids(in: before)
        try spooler.start()
        for _ in 0..<2 { expect(try await spooler.printq("submit", document)) }
        let after = spooler.folder.path("after.txt")
        let second = try follow(spooler, after: seen.last, into: after)
        try await spooler.eventually("all jobs are completed") {
            try await spooler.printq("queue", "--all", "--json").output.components(separatedBy: "\"completed\"").count
                == 7
        }
        let latest = try #require(
            try await CenterClient(spooler).send("GET", "/api/v1/session").json()["event"] as? Int)
        try await eventually("the newest event has arrived") { ids(in: after).last == latest }
        kill(second.pid, SIGTERM)
        second.waitForEnd()
        #expect(seen + ids(in: after) == Array(start + 1...latest))
        #expect(!text(of: after).contains("event: reset"))
    }

    @Test func `after SIGTERM, printd exits within 8 seconds even if a client has an open event stream`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = spooler.folder.path("events.txt")
        let process = try follow(spooler, after: nil, into: path)
        try await eventually("the stream has started") { text(of: path).contains("event: hello") }
        let clock = ContinuousClock()
        let time = clock.measure { spooler.stop(SIGTERM) }
        process.waitForEnd()
        #expect(time < .seconds(8), "\(time)")
    }

    @Test func `printd does not exit after the idle time while an event stream is open`() async throws {
        let spooler = try TestSpooler()
        try spooler.start("--idle-exit", "1")
        let path = spooler.folder.path("events.txt")
        let process = try follow(spooler, after: nil, into: path)
        try await eventually("the stream has started") { text(of: path).contains("event: hello") }
        // The comment arrives after 15 seconds, so that printd was idle for longer than a second.
        try await eventually("a comment has arrived") { text(of: path).contains("\n:\n") }
        #expect(spooler.processes(of: "printd").count == 1)
        kill(process.pid, SIGTERM)
        process.waitForEnd()
        try await spooler.waitUntilGone()
    }
}
