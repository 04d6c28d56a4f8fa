// Tests `printq watch` with the real programs.

import Foundation
import IPPClient
import PrintqOutput
import SpoolerClient
import PrintTestSupport
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct WatchTests {
    private let spooler: TestSpooler

    init() throws {
        spooler = try TestSpooler()
        try spooler.start()
    }

    private func document(pages: Int = 2) throws -> String { try spooler.file("a.pdf", .numbered(pages: pages)) }

    @Test func `'printq watch' shows each state of a job`() async throws {
        let watcher = try await spooler.watching()
        expect(try await spooler.printq("submit", "--wait", "--title", "Letter", try document(pages: 3)))
        try await watcher.eventually("the watch shows that the job is completed") {
            watcher.lines.last?.contains("completed") == true
        }
        let texts = watcher.lines.map { $0.split(separator: " ", maxSplits: 1)[1] }
        #expect(texts.first == "job 1 (Letter) on color-laser: accepted")
        #expect(texts.contains("job 1 (Letter) on color-laser: preparing"))
        #expect(texts.last == "job 1 (Letter) on color-laser: completed: 3 pages")
        #expect(watcher.lines.allSatisfy { $0.contains(#/^\d\d:\d\d:\d\d job 1 /#) })
        #expect(await watcher.end() == 130)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `an interrupted 'printq watch' exits without an error message and cancels its subscription`(signal: Int32)
        async throws
    {
        let watcher = try await spooler.watching()
        #expect(await watcher.end(signal) == 128 + signal)
        #expect(watcher.complaints.isEmpty)
        #expect(try await spooler.subscriptions() == 0)
    }

    /// Runs `printq watch --notify` with other programs in PATH.
    private func watchAndNotify(_ arguments: String..., programs: String) async throws -> ProgramRun {
        try await spooler.run(
            spooler.program("printq"), ["watch", "--notify"] + arguments, environment: ["PATH": programs])
    }

    @Test func `'printq watch --notify' notifies the desktop when a job ends`() async throws {
        // A stand-in, because the program needs a desktop. It writes its arguments to a file.
        let programs = spooler.folder.path("notifying")
        let notified = spooler.folder.path("notified")
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: false)
        let script = Data("#!/bin/sh\necho \"$@\" >>'\(notified)'\n".utf8)
        #expect(
            FileManager.default.createFile(
                atPath: "\(programs)/notify-send", contents: script, attributes: [.posixPermissions: 0o755]))
        expect(try await spooler.printq("submit", "--title", "Letter", try document()))
        expect(try await watchAndNotify("1", "--after", "0", programs: programs))
        try await eventually("the notification is sent") {
            (try? String(contentsOfFile: notified, encoding: .utf8))?.hasSuffix("\n") == true
        }
        let text = try String(contentsOfFile: notified, encoding: .utf8)
        let expected = "job 1 (Letter) on color-laser: completed: 2 pages"
        #expect(text == "--app-name=printq --icon=printer --replace-id=1 -- Print Center \(expected)\n")
    }

    @Test func `'printq watch --notify' names the package that it lacks`() async throws {
        let run = try await watchAndNotify(programs: spooler.folder.path("none"))
        #expect(run.code == 69)
        #expect(run.complaints.contains("libnotify-bin"))
    }

    // MARK: - Watching until jobs have ended

    @Test func `'printq watch' of two jobs shows only the events of these jobs and exits when both jobs have ended`()
        async throws
    {
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        let path = try document()
        for id in 1...3 { #expect(try await spooler.submit(path) == id) }
        let watcher = try await spooler.watching("1", "2")
        expect(try await spooler.printq("cancel", "2"))
        expect(try await spooler.printq("printers", "resume", "color-laser"))
        #expect(await watcher.ended() == 1)
        #expect(watcher.lines.contains { $0.hasSuffix("job 2 (a.pdf) on color-laser: canceled by its owner") })
        #expect(watcher.lines.last?.hasSuffix("job 1 (a.pdf) on color-laser: completed: 2 pages") == true)
        #expect(!watcher.lines.contains { $0.contains("job 3 ") || $0.contains("paused") })
        #expect(watcher.complaints.contains("job 2 was canceled"))
    }

    @Test func `'printq watch' of ended jobs exits immediately, and the exit code reports failed jobs`() async throws {
        expect(try await spooler.printq("submit", "--wait", try document()))
        let held = try await spooler.submit(try document(), "--hold")
        expect(try await spooler.printq("cancel", "\(held)"))
        let failed = try await spooler.printq("watch", "1", "\(held)")
        expect(failed, code: 1)
        #expect(failed.complaints.contains("job 1 has already ended: completed"))
        let replayed = try await spooler.printq("watch", "1", "--after", "0")
        expect(replayed)
        #expect(replayed.lines.first?.hasSuffix("accepted") == true)
        #expect(replayed.lines.last?.hasSuffix("completed: 2 pages") == true)
        // The exit code does not include the job that was canceled before the watch started.
        expect(try await spooler.printq("watch", "--until-ended"))
    }

    @Test(arguments: [["99"], ["--after", "100000"]])
    func `'printq watch' refuses an unknown job number or event number`(arguments: [String]) async throws {
        expect(try await spooler.run(spooler.program("printq"), ["watch"] + arguments), code: 64)
    }

    // MARK: - Restarts of printd

    @Test func `'printq watch' loses no event and repeats no event if printd is killed`() async throws {
        func restart() throws {
            spooler.stop(SIGKILL)
            try spooler.start(speed: "x20")
        }
        try restart()
        let watcher = try await spooler.watching("--json", "--after", "0")
        let path = try document(pages: 6)
        for round in 1...3 {
            for _ in 0..<4 { _ = try await spooler.submit(path) }
            let before = try watcher.numbers.count
            try await watcher.eventually("the watch shows new events") {
                try watcher.numbers.count > before + 3 * round
            }
            try restart()
        }
        try await spooler.eventually("all jobs are printed", within: .seconds(120)) {
            try await spooler.jobs().allSatisfy { $0.reasons.contains("job-suspended") }
        }
        let log = try await spooler.eventLog()
        #expect(log.count > 60)
        try await watcher.eventually("the watch shows all events") { try watcher.numbers.count >= log.count }
        #expect(try watcher.numbers == log)
        let words = watcher.complaints
        #expect(
            words.components(separatedBy: "lost the connection to printd; waiting until printd is running again").count
                == 4
        )
        #expect(words.components(separatedBy: "reconnected to printd; continuing after event ").count == 4)
        #expect(await watcher.end() == 130)
    }

    @Test func `'printq watch --after' shows only the events after the given event`() async throws {
        for _ in 0..<2 { expect(try await spooler.printq("submit", "--wait", try document())) }
        spooler.stop(SIGKILL)
        try spooler.start()
        let log = try await spooler.eventLog()
        let last = log[log.count / 2]
        let watcher = try await spooler.watching("--json", "--after", "\(last)")
        try await watcher.eventually("the watch shows the remaining events") { try watcher.numbers.last == log.last }
        #expect(try watcher.numbers == log.filter { $0 > last })
        #expect(await watcher.end() == 130)
    }

    @Test func `after SIGTERM, printd exits without waiting for the clients that watch events`() async throws {
        let watcher = try await spooler.watching()
        let time = ContinuousClock().measure { spooler.stop() }
        #expect(time < .seconds(8), "printd must not wait for the clients that watch events")
        try await watcher.eventually("the watch reports the lost connection") {
            watcher.complaints.contains("lost the connection to printd")
        }
        #expect(await watcher.end() == 130)
    }

    // MARK: - Many watches

    @Test func `200 'printq watch' processes receive all events, and printd creates no thread per client`() async throws
    {
        let pid = try #require(spooler.processes(of: "printd").first)
        let path = try document()
        expect(try await spooler.printq("submit", "--wait", path))
        let before = threads(of: pid)
        let start = try await spooler.eventLog().last ?? 0
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let seen = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<200 {
                group.addTask { [spooler] in try await Self.events(of: spooler, through: 4) { begins.yield() } }
            }
            var count = 0
            for await _ in begun {
                count += 1
                if count == 200 { break }
            }
            // The thread pools grow with the load and shrink later. One thread per watch would be 200 more threads.
            #expect(threads(of: pid) <= before + 20, "\(threads(of: pid)) threads, \(before) before")
            for _ in 0..<3 { expect(try await spooler.printq("submit", "--wait", path)) }
            return try await group.reduce(into: [[Int]]()) { $0.append($1) }
        }
        let log = try await spooler.eventLog().filter { $0 > start }
        #expect(log.count > 15)
        #expect(seen.count == 200 && seen.allSatisfy { $0 == log })
    }

    /// Returns the numbers of the events until a job has ended.
    private static func events(
        of spooler: TestSpooler, through job: Int, onStart: @Sendable () -> Void
    ) async throws -> [Int] {
        let client = spooler.client
        let queue = Spooler(client: client, user: "watcher") { () throws(SpoolerClientError) in }
        var events: [Int] = []
        try await EventWatch(queue, WatchRequest()) { _ in }.run {
            () async throws(SpoolerClientError) in
            onStart()
            return true
        } onEvent: { (event: EventView) throws(SpoolerClientError) in
            events.append(event.number)
            return event.state?.isTerminal != true || event.jobID != job
        }
        await client.close()
        return events
    }

    private func threads(of pid: Int32) -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []).count
    }
}
