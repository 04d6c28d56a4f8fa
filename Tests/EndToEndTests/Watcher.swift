// Runs `printq watch` during a test.

import Foundation
import IPP
import SpoolerClient
import PrintTestSupport
import ProcessLaunch
import Testing

/// A running `printq watch` whose output goes to files.
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

    /// The lines of standard output.
    var lines: [String] { text(of: folder.path("out")).split(separator: "\n").map(String.init) }

    /// The text of standard error.
    var complaints: String { text(of: folder.path("err")) }

    /// The numbers of the events in the JSON lines.
    var numbers: [Int] {
        get throws {
            try lines.map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return try #require(object?["printq-event-number"] as? Int, "\(line)")
            }
        }
    }

    /// Waits until a condition is true.
    ///
    /// Checks the condition after each new output.
    func eventually(
        _ what: String, file: StaticString = #fileID, line: Int = #line, _ isSo: () throws -> Bool
    ) async throws {
        try await PrintTestSupport.eventually(what, in: folder.path, file: file, line: line, isSo)
    }

    /// Sends a signal, and returns the exit code.
    func end(_ signal: Int32 = SIGINT) async -> Int32 {
        kill(process.pid, signal)
        return await ended()
    }

    /// Waits until the watch has exited by itself, and returns the exit code.
    func ended() async -> Int32 { await process.ended() }
}

extension TestSpooler {
    /// Starts a `printq watch`, and waits until the watch has subscribed to events.
    func watching(_ arguments: String...) async throws -> Watcher {
        let watcher = try Watcher(self, arguments)
        // printd sends no event for a new subscription, so the test polls the number of subscriptions.
        try await PrintTestSupport.eventually("the watcher has subscribed") { try await subscriptions() > 0 }
        return watcher
    }

    /// Returns the number of subscriptions.
    func subscriptions() async throws -> Int {
        let client = client
        let queue = Spooler(client: client, user: "tester") { () throws(SpoolerClientError) in
            throw SpoolerClientError(.unavailable, "the connection to printd was lost")
        }
        let answer = try await queue.ask(.getSubscriptions)
        await client.close()
        return answer.groups(.subscription).count
    }

    /// Returns the numbers of all events in the spool's database.
    func eventLog() async throws -> [Int] {
        try await sql("SELECT sequence FROM events ORDER BY sequence").compactMap { Int($0) }
    }
}
