// A `printq watch` beside a test.

import Foundation
import IPP
import SpoolerClient
import PrintTestSupport
import ProcessLaunch
import Testing

/// A `printq watch` that runs beside the test, its output in files of its own.
struct Watcher {
    private let process: DetachedProcess
    private let folder: TemporaryFolder

    init(_ spooler: TestSpooler, _ arguments: [String]) throws {
        folder = try TemporaryFolder()
        let words = ["exec", spooler.program("printq"), "watch", "--spool", spooler.spool] + arguments
        process = try DetachedProcess(
            program: "/bin/sh", arguments: ["-c", words.joined(separator: " ") + " > \(folder.path("out"))"],
            log: folder.path("err"))
    }

    /// What it has told, line by line.
    var lines: [String] { text(of: folder.path("out")).split(separator: "\n").map(String.init) }

    /// What it has said beside that.
    var complaints: String { text(of: folder.path("err")) }

    /// The numbers of the events, from lines of JSON.
    var numbers: [Int] {
        get throws {
            try lines.map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return try #require(object?["printq-event-number"] as? Int, "\(line)")
            }
        }
    }

    /// Looks until something is so, each time it has written something.
    func eventually(
        _ what: String, file: StaticString = #fileID, line: Int = #line, _ isSo: () throws -> Bool
    ) async throws {
        try await PrintTestSupport.eventually(what, in: folder.path, file: file, line: line, isSo)
    }

    /// Sends a signal, and gives the exit code.
    func end(_ signal: Int32 = SIGINT) async -> Int32 {
        kill(process.pid, signal)
        return await ended()
    }

    /// Waits until it has ended by itself, and gives the exit code.
    func ended() async -> Int32 { await process.ended() }
}

extension TestSpooler {
    /// A `printq watch` that misses nothing any more.
    func watching(_ arguments: String...) async throws -> Watcher {
        let watcher = try Watcher(self, arguments)
        // Nothing tells of a new subscription.
        try await PrintTestSupport.eventually("the watcher has subscribed") { try await subscriptions() > 0 }
        return watcher
    }

    /// How many subscriptions there are.
    func subscriptions() async throws -> Int {
        let client = client
        let queue = Spooler(client: client, user: "tester") { () throws(SpoolerClientError) in
            throw SpoolerClientError(.unavailable, "printd is gone")
        }
        let answer = try await queue.ask(.getSubscriptions)
        await client.close()
        return answer.groups(.subscription).count
    }

    /// The numbers of all events, as the spool's database has them.
    func eventLog() async throws -> [Int] {
        let sql = "SELECT sequence FROM events ORDER BY sequence"
        let run = try await run("sqlite3", ["-readonly", "\(spool)/spool.sqlite", sql])
        try #require(run.code == 0, "\(run.complaints)")
        return run.lines.compactMap { Int($0) }
    }
}
