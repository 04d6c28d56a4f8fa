// Tests printd as a service of systemd: passed sockets, notifications, the watchdog, the journal, and restarts.

import Foundation
import Glibc
import PrintTestSupport
import SpoolerClient
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ServiceTests {
    @Test func `printd listens on the sockets from systemd, sends READY=1, and keeps the socket file at exit`()
        async throws
    {
        let spooler = try TestSpooler()
        let manager = try ServiceManager(spooler)
        try manager.start("--no-tcp")
        #expect(manager.notification("READY=1") != nil)
        let status = try await spooler.printq("status")
        expect(status)
        #expect(status.output.contains(spooler.socket) && status.output.contains("127.0.0.1:\(manager.port)"))
        let lpstat = try await spooler.run("lpstat", ["-h", "localhost:\(manager.port)", "-r"])
        expect(lpstat)
        #expect(lpstat.output == "scheduler is running\n")
        #expect(manager.notification("STATUS=Jobs: 0 printing, 0 waiting, 0 stopped. Printers: 7.") != nil)

        kill(manager.pid, SIGTERM)
        #expect(manager.notification("STOPPING=1") != nil)
        #expect(try manager.waitForExit() == 0)
        #expect(FileManager.default.fileExists(atPath: spooler.socket))
    }

    @Test func `if a client connects while printd is stopped, the client waits for the next printd`() async throws {
        let spooler = try TestSpooler()
        let manager = try ServiceManager(spooler)
        async let early = spooler.printq("queue")
        try manager.start()
        let run = try await early
        expect(run)
        #expect(run.output == "the queue is empty\n")
        // A program that printd starts has the name printd until its exec.
        try await eventually("printq starts no other printd") { spooler.processes(of: "printd") == [manager.pid] }
    }

    @Test func `if printd is restarted under load, no connection is refused, and no job is lost`() async throws {
        let spooler = try TestSpooler()
        let manager = try ServiceManager(spooler)
        try manager.start()
        let document = try spooler.file("a.pdf", .numbered(pages: 1))
        // The submissions end after the restarts, so that every restart happens under load.
        let restarts = AsyncStream.makeStream(of: Void.self)
        async let submissions = submit(document, until: restarts.stream, at: spooler)
        for _ in 0..<4 {
            manager.notification("READY=1")
            // Some submissions arrive between two restarts.
            let before = try await spooler.jobs("--all").count
            try await PrintTestSupport.eventually("more jobs are accepted") {
                try await spooler.jobs("--all").count > before + 4
            }
            kill(manager.pid, SIGTERM)
            #expect(try manager.waitForExit() == 0)
            try manager.start()
        }
        manager.notification("READY=1")
        restarts.continuation.finish()
        let (accepted, errors) = await submissions
        #expect(errors.isEmpty, "\(errors.prefix(3))")
        #expect(accepted.count == Set(accepted).count && accepted.count > 20)
        for id in accepted { try await spooler.waitForEnd(of: id) }
        let ended = try await spooler.jobs("--all")
        #expect(Set(ended.map(\.id)) == Set(accepted), "each accepted job is in the queue, and no other job")
        #expect(ended.allSatisfy { $0.state == "completed" }, "\(ended.filter { $0.state != "completed" }.prefix(3))")
        // A restart between Create-Job and Send-Document can leave an empty job at the printer.
        let printed = try spooler.log(of: "color-laser").filter { $0.impressions > 0 }
        let lines = printed.map { "\($0.job) \($0.state) \($0.impressions)" }
        #expect(printed.count == accepted.count, "each job is printed once: \(accepted.count) jobs, \(lines)")
        #expect(Set(printed.map(\.uuid)).count == printed.count, "each job is printed once")
    }

    /// Submits a document repeatedly, with a new connection for each job, until the stream ends.
    ///
    /// Returns the numbers of the accepted jobs, and the errors.
    private func submit(
        _ path: String, until end: AsyncStream<Void>, at spooler: TestSpooler
    ) async -> (accepted: [Int], errors: [String]) {
        let isOver = Task { for await _ in end {} }
        let hasEnded = Flag()
        let watcher = Task {
            await isOver.value
            hasEnded.set()
        }
        defer { watcher.cancel() }
        return await withTaskGroup(of: ([Int], [String]).self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var (accepted, errors): ([Int], [String]) = ([], [])
                    while !hasEnded.isSet, errors.isEmpty {
                        let client = spooler.client
                        let queue = Spooler(client: client, user: "tester") { () throws(SpoolerClientError) in
                            throw SpoolerClientError(.unavailable, "the connection was refused")
                        }
                        do {
                            var submission = JobSubmission(
                                documents: [try DocumentFile(path: path)], id: UUID().uuidString)
                            submission.printer = "color-laser"
                            accepted.append(try await queue.submit(submission))
                        } catch {
                            errors.append("\(error)")
                        }
                        await client.close()
                    }
                    return (accepted, errors)
                }
            }
            return await group.reduce(into: ([], [])) { result, part in
                result.0 += part.0
                result.1 += part.1
            }
        }
    }

    @Test func `printd notifies the watchdog every second, except between SIGSTOP and SIGCONT`() async throws {
        let spooler = try TestSpooler()
        let manager = try ServiceManager(spooler)
        try manager.start(watchdog: 1)
        #expect(manager.notification("READY=1") != nil)
        for _ in 0..<3 { #expect(manager.notification("WATCHDOG=1") != nil) }
        kill(manager.pid, SIGSTOP)
        // Messages that were sent before the signal.
        while manager.notifications.receive(within: 0) != nil {}
        #expect(manager.notifications.receive(within: 2) == nil, "a stopped process sends nothing")
        kill(manager.pid, SIGCONT)
        #expect(manager.notification("WATCHDOG=1") != nil)
    }

    @Test func `journal entries of printd contain the job, the printer and the user, but no document names`()
        async throws
    {
        let spooler = try TestSpooler()
        let manager = try ServiceManager(spooler)
        try manager.start(logsToJournal: true)
        expect(
            try await spooler.printq(
                "submit", "--wait", "-d", "mono-laser", try spooler.file("secret.pdf", .numbered(pages: 1))))
        var entries: [String] = []
        for message in ["job accepted", "job started", "job completed"] {
            entries.append(try #require(manager.journalEntry(message), "\(message)"))
        }
        for entry in entries {
            let lines = entry.split(separator: "\n")
            #expect(lines.contains("PRIORITY=6") && lines.contains("SYSLOG_IDENTIFIER=printd"), "\(entry)")
            #expect(lines.contains("PRINTQ_JOB=1") && lines.contains("PRINTQ_PRINTER=mono-laser"), "\(entry)")
            #expect(lines.contains { $0.hasPrefix("PRINTQ_USER=") && $0.count > 12 }, "\(entry)")
            #expect(lines.contains("PRINTQ_SPOOL=\(spooler.spool)"), "\(entry)")
            #expect(!entry.contains("secret"))
        }
        expect(try await spooler.printq("printers", "pause", "inkjet", "--message", "secret reason"))
        let stopped = try #require(manager.journalEntry("printer stopped"))
        #expect(stopped.contains("PRINTQ_PRINTER=inkjet\n") && stopped.contains("PRIORITY=4\n"), "\(stopped)")
        expect(try await spooler.printq("printers", "resume", "inkjet"))
        #expect(manager.journalEntry("printer resumed") != nil)
        expect(try await spooler.printq("submit", "--hold", spooler.folder.path("secret.pdf")))
        expect(try await spooler.printq("cancel", "2"))
        #expect(manager.journalEntry("job canceled")?.contains("PRINTQ_JOB=2\n") == true)
    }

    @Test func `after SIGHUP, printd notifies systemd of a reload and continues to run`() async throws {
        let spooler = try TestSpooler()
        let manager = try ServiceManager(spooler)
        try manager.start()
        #expect(manager.notification("READY=1") != nil)
        kill(manager.pid, SIGHUP)
        let reload = try #require(manager.notification("RELOADING=1"))
        #expect(reload.contains("\nMONOTONIC_USEC="))
        #expect(manager.notification("READY=1") != nil)
        expect(try await spooler.printq("queue"))
        #expect(spooler.processes(of: "printd") == [manager.pid])
    }

    @Test func `an idle printd exits if systemd passed all sockets of printd`() async throws {
        let spooler = try TestSpooler()
        let manager = try ServiceManager(spooler)
        try manager.start("--no-tcp", "--idle-exit", "0.5")
        #expect(try manager.waitForExit() == 0)
    }

    @Test func `if systemd passes a socket that listens on a network address, printd exits with an error`() async throws
    {
        let spooler = try TestSpooler()
        let manager = try ServiceManager(spooler, host: "0.0.0.0")
        try manager.start()
        #expect(try manager.waitForExit() == 78)
        let status = manager.notifications.receive().map { String(decoding: $0, as: UTF8.self) }
        #expect(status?.hasPrefix("STATUS=cannot listen on '0.0.0.0:\(manager.port)'") == true, "\(status ?? "")")
    }

    @Test func `with the option --socket, the Unix socket is outside the spool folder`() async throws {
        let spooler = try TestSpooler()
        let path = spooler.folder.path("s")
        let ready = try spooler.start("--socket", path)
        #expect(ready.socket == path)
        #expect(!FileManager.default.fileExists(atPath: spooler.socket))
        expect(try await spooler.run("lpstat", ["-h", path, "-r"]))
        let lp = try await spooler.run("lp", ["-h", path, try spooler.file("a.pdf", .numbered(pages: 1))])
        expect(lp)
        try await PrintTestSupport.eventually("the simulated printer has printed the job") {
            try spooler.log(of: "color-laser").map(\.state) == ["completed"]
        }
        spooler.stop()
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}

/// A value that is set once.
private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}
