// printq watch and Get-Notifications, with the real programs.

import Foundation
import IPP
import IPPClient
import PrintCommands
import PrintQueue
import PrintTestSupport
import ProcessLaunch
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct WatchTests {
    /// A `printq watch` that runs beside the test, its output in files.
    private struct Watcher {
        let process: DetachedProcess
        let output: String
        let complaints: String

        init(_ spooler: Spooler, _ arguments: String..., name: String = "watch") throws {
            output = spooler.folder.path("\(name).out")
            complaints = spooler.folder.path("\(name).err")
            let words = ["exec", spooler.program("printq"), "watch", "--spool", spooler.spool] + arguments
            process = try DetachedProcess(
                program: "/bin/sh", arguments: ["-c", words.joined(separator: " ") + " > \(output)"], log: complaints)
        }

        var lines: [String] { text(of: output).split(separator: "\n").map(String.init) }

        /// The numbers of the events, from lines of JSON.
        var numbers: [Int] {
            get throws {
                try lines.map { line in
                    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                    return try #require(object?["printq-event-number"] as? Int, "\(line)")
                }
            }
        }

        /// Sends a signal, and gives the exit code.
        func end(_ signal: Int32 = SIGINT) -> Int32 {
            kill(process.pid, signal)
            var status: Int32 = 0
            while waitpid(process.pid, &status, 0) < 0, errno == EINTR {}
            return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
        }

        /// Waits until it has said that it begins: its subscription is there.
        func hasBegun(_ spooler: Spooler) async throws {
            try await eventually("the watcher has subscribed") { try await spooler.subscriptions() > 0 }
        }
    }

    @Test func `a watcher is told each step of a job, and ends quietly when interrupted`() async throws {
        let spooler = try Spooler()
        try spooler.start()
        let watcher = try Watcher(spooler)
        try await watcher.hasBegun(spooler)
        let path = try spooler.file("letter.pdf", .numbered(pages: 3))
        expect(try await spooler.printq("submit", "--wait", "--title", "Letter", path))
        try await eventually("the end is told") { watcher.lines.last?.contains("completed") == true }
        let texts = watcher.lines.map { $0.split(separator: " ", maxSplits: 1)[1] }
        #expect(texts.first == "job 1 (Letter) on color-laser: accepted")
        #expect(texts.contains("job 1 (Letter) on color-laser: preparing"))
        #expect(texts.last == "job 1 (Letter) on color-laser: completed: 3 pages")
        #expect(watcher.lines.allSatisfy { $0.contains(#/^\d\d:\d\d:\d\d job 1 /#) })
        #expect(watcher.end() == 0)
        #expect(text(of: watcher.complaints).isEmpty)
        #expect(try await spooler.subscriptions() == 0, "it has canceled its subscription")
    }

    @Test func `kill -9 of printd in the middle of a watch loses no line and repeats none`() async throws {
        let spooler = try Spooler()
        try spooler.start(speed: "x20")
        let watcher = try Watcher(spooler, "--json", "--after", "0")
        try await watcher.hasBegun(spooler)
        let path = try spooler.file("pages.pdf", .numbered(pages: 6))
        for round in 1...3 {
            for _ in 0..<4 { _ = try await spooler.submit(path) }
            let before = try watcher.numbers.count
            try await eventually("something is told") { try watcher.numbers.count > before + 3 * round }
            spooler.stop(SIGKILL)
            try spooler.start(speed: "x20")
        }
        try await eventually("all is printed", within: .seconds(120)) {
            try await spooler.jobs().allSatisfy { $0.reasons.contains("job-suspended") }
        }
        let log = try await spooler.eventLog()
        #expect(log.count > 60)
        try await eventually("everything is told") { try watcher.numbers.count >= log.count }
        #expect(try watcher.numbers == log)
        let words = text(of: watcher.complaints)
        #expect(words.components(separatedBy: "printd has gone; waiting until it is back").count == 4)
        #expect(words.components(separatedBy: "printd is back; going on after event ").count == 4)

        // And a script that was away meanwhile goes on after the last number it knew.
        let last = log[log.count / 2]
        let later = try Watcher(spooler, "--json", "--after", "\(last)", name: "later")
        try await eventually("the rest is told") { try later.numbers.last == log.last }
        #expect(try later.numbers == log.filter { $0 > last })
        #expect(watcher.end() == 0)
        #expect(later.end(SIGTERM) == 0)
    }

    @Test func `with a job's number it ends with the job, and as submit --wait does`() async throws {
        let spooler = try Spooler()
        try spooler.start()
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        let path = try spooler.file("a.pdf", .numbered(pages: 2))
        let ids = [try await spooler.submit(path), try await spooler.submit(path), try await spooler.submit(path)]
        let watcher = try Watcher(spooler, "\(ids[0])", "\(ids[1])")
        try await watcher.hasBegun(spooler)
        expect(try await spooler.printq("cancel", "\(ids[1])"))
        expect(try await spooler.printq("printers", "resume", "color-laser"))
        try await eventually("it ends") { watcher.process.reap() }
        #expect(watcher.lines.contains { $0.hasSuffix("job 2 (a.pdf) on color-laser: canceled by its owner") })
        #expect(watcher.lines.last?.hasSuffix("job 1 (a.pdf) on color-laser: completed: 2 pages") == true)
        #expect(!watcher.lines.contains { $0.contains("job 3 ") || $0.contains("paused") })
        #expect(text(of: watcher.complaints).contains("job 2 was canceled"))

        // Both have ended: it says so, and its exit code says how.
        let failed = try await spooler.printq("watch", "1", "2")
        expect(failed, code: 1)
        #expect(failed.complaints.contains("job 1 has ended already: completed"))
        let replayed = try await spooler.printq("watch", "1", "--after", "0")
        expect(replayed)
        #expect(replayed.lines.first?.hasSuffix("accepted") == true)
        #expect(replayed.lines.last?.hasSuffix("completed: 2 pages") == true)
        expect(try await spooler.printq("watch", "99"), code: 64)
        expect(try await spooler.printq("watch", "--after", "100000"), code: 64)
        // Of all jobs since the beginning one was canceled; of those to come none.
        expect(try await spooler.printq("watch", "--until-ended"))
    }

    @Test func `200 who watch are told everything, and cost printd no threads`() async throws {
        let spooler = try Spooler()
        try spooler.start()
        let pid = try #require(spooler.processes(of: "printd").first)
        let path = try spooler.file("a.pdf", .numbered(pages: 2))
        expect(try await spooler.printq("submit", "--wait", path))
        let before = threads(of: pid)
        let start = try await spooler.eventLog().last ?? 0
        let seen = Seen()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let client = spooler.client
                    let queue = Queue(client: client, user: "watcher") { () throws(CommandError) in }
                    let watch = EventWatch(queue, WatchRequest()) { _ in }
                    try await watch.run {
                        () async throws(CommandError) in
                        seen.state.withLock { $0.begun += 1 }
                        return true
                    } onEvent: { (event: EventView) throws(CommandError) in
                        seen.state.withLock { $0.events[index].append(event.number) }
                        return event.state?.isTerminal != true || event.jobID != 4
                    }
                    await client.close()
                }
            }
            try await eventually("all have subscribed") { seen.state.withLock { $0.begun } == 200 }
            // The pools grow with the work at hand and shrink later; a thread for each watcher would be 200.
            #expect(threads(of: pid) <= before + 20, "\(threads(of: pid)) threads, \(before) before")
            for _ in 0..<3 { expect(try await spooler.printq("submit", "--wait", path)) }
            try await group.waitForAll()
        }
        let log = try await spooler.eventLog().filter { $0 > start }
        #expect(log.count > 15)
        #expect(seen.state.withLock { $0.events.allSatisfy { $0 == log } })
    }

    /// What 200 watchers have seen.
    private final class Seen: Sendable {
        let state = Mutex((begun: 0, events: [[Int]](repeating: [], count: 200)))
    }

    @Test func `printd leaves at once when it is told to, however many watch`() async throws {
        let spooler = try Spooler()
        try spooler.start()
        let watcher = try Watcher(spooler)
        try await watcher.hasBegun(spooler)
        let time = ContinuousClock().measure { spooler.stop() }
        #expect(time < .seconds(8), "it does not wait for those who wait")
        try await eventually("the watcher notices") { text(of: watcher.complaints).contains("printd has gone") }
        #expect(watcher.end() == 0)
    }

    @Test func `ipptool subscribes, is told, renews and cancels`() async throws {
        let spooler = try Spooler()
        let ready = try spooler.start(tcp: true)
        let suite = try await IPPTool(folder: spooler.folder.path("suite"))
        let uri = "ipp://\(ready.host)/printers/color-laser"
        let document = try spooler.file("document.pdf", .numbered(pages: 2))
        for name in ["create-printer-subscription.test", "get-subscriptions.test"] {
            let run = try await suite.run(name, against: uri, document: document)
            #expect(run.failures.isEmpty, "\(run.failures)")
            #expect(run.results.contains { $0.outcome == .pass })
            #expect(run.errors.isEmpty)
        }
        let own = try spooler.file("subscription.test", Array(Self.subscriptionTest.utf8))
        let run = try await spooler.run("ipptool", ["-tI", "-f", document, uri, own])
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
        #expect(run.output.components(separatedBy: "[PASS]").count == 9, "\(run.output)")
    }

    /// A subscription's life, as a client of CUPS' sees it.
    private static let subscriptionTest = """
        {
            NAME "What a printer says of subscriptions"
            OPERATION Get-Printer-Attributes
            GROUP operation-attributes-tag
            ATTR charset attributes-charset utf-8
            ATTR language attributes-natural-language en
            ATTR uri printer-uri $uri
            STATUS successful-ok
            EXPECT ippget-event-life OF-TYPE integer WITH-VALUE >14
            EXPECT notify-pull-method-supported OF-TYPE keyword WITH-VALUE "ippget"
            EXPECT notify-events-supported OF-TYPE keyword WITH-VALUE "job-completed"
            EXPECT notify-lease-duration-supported OF-TYPE rangeOfInteger
            EXPECT notify-max-events-supported OF-TYPE integer WITH-VALUE >1
        }
        {
            NAME "Create a subscription"
            OPERATION Create-Printer-Subscription
            GROUP operation-attributes-tag
            ATTR charset attributes-charset utf-8
            ATTR language attributes-natural-language en
            ATTR uri printer-uri $uri
            ATTR name requesting-user-name $user
            GROUP subscription-attributes-tag
            ATTR keyword notify-pull-method ippget
            ATTR keyword notify-events job-created,job-completed,printer-state-changed
            ATTR integer notify-lease-duration 600
            STATUS successful-ok
            EXPECT notify-subscription-id OF-TYPE integer WITH-VALUE >0
            EXPECT notify-lease-duration WITH-VALUE 600
        }
        {
            NAME "Print"
            OPERATION Print-Job
            GROUP operation-attributes-tag
            ATTR charset attributes-charset utf-8
            ATTR language attributes-natural-language en
            ATTR uri printer-uri $uri
            ATTR name requesting-user-name $user
            FILE $filename
            STATUS successful-ok
        }
        {
            NAME "Wait for a notification"
            OPERATION Get-Notifications
            GROUP operation-attributes-tag
            ATTR charset attributes-charset utf-8
            ATTR language attributes-natural-language en
            ATTR uri printer-uri $uri
            ATTR name requesting-user-name $user
            ATTR integer notify-subscription-ids $notify-subscription-id
            ATTR boolean notify-wait true
            STATUS successful-ok
            EXPECT notify-get-interval OF-TYPE integer IN-GROUP operation-attributes-tag
            EXPECT printer-up-time OF-TYPE integer
            EXPECT notify-subscribed-event OF-TYPE keyword IN-GROUP event-notification-attributes-tag WITH-VALUE "job-created"
            EXPECT notify-sequence-number OF-TYPE integer WITH-VALUE >0
            EXPECT notify-job-id OF-TYPE integer WITH-VALUE >0
            EXPECT job-state OF-TYPE enum
            EXPECT job-state-reasons OF-TYPE keyword
            EXPECT job-name OF-TYPE name
            EXPECT notify-text OF-TYPE text
            EXPECT notify-printer-uri OF-TYPE uri
        }
        {
            NAME "Look at the subscription"
            OPERATION Get-Subscription-Attributes
            GROUP operation-attributes-tag
            ATTR charset attributes-charset utf-8
            ATTR language attributes-natural-language en
            ATTR uri printer-uri $uri
            ATTR name requesting-user-name $user
            ATTR integer notify-subscription-id $notify-subscription-id
            STATUS successful-ok
            EXPECT notify-subscriber-user-name OF-TYPE name
            EXPECT notify-lease-expiration-time OF-TYPE integer WITH-VALUE >0
        }
        {
            NAME "Renew it"
            OPERATION Renew-Subscription
            GROUP operation-attributes-tag
            ATTR charset attributes-charset utf-8
            ATTR language attributes-natural-language en
            ATTR uri printer-uri $uri
            ATTR name requesting-user-name $user
            ATTR integer notify-subscription-id $notify-subscription-id
            GROUP subscription-attributes-tag
            ATTR integer notify-lease-duration 60
            STATUS successful-ok
            EXPECT notify-lease-duration WITH-VALUE 60
        }
        {
            NAME "Cancel it"
            OPERATION Cancel-Subscription
            GROUP operation-attributes-tag
            ATTR charset attributes-charset utf-8
            ATTR language attributes-natural-language en
            ATTR uri printer-uri $uri
            ATTR name requesting-user-name $user
            ATTR integer notify-subscription-id $notify-subscription-id
            STATUS successful-ok
        }
        {
            NAME "It is gone"
            OPERATION Get-Notifications
            GROUP operation-attributes-tag
            ATTR charset attributes-charset utf-8
            ATTR language attributes-natural-language en
            ATTR uri printer-uri $uri
            ATTR name requesting-user-name $user
            ATTR integer notify-subscription-ids $notify-subscription-id
            STATUS client-error-not-found
        }
        """

    private func threads(of pid: Int32) -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []).count
    }
}

extension Spooler {
    /// How many subscriptions there are.
    func subscriptions() async throws -> Int {
        let client = client
        let queue = Queue(client: client, user: "tester") { () throws(CommandError) in
            throw CommandError(.unavailable, "printd is gone")
        }
        let answer = try await queue.ask(.getSubscriptions)
        await client.close()
        return answer.groups(.subscription).count
    }

    /// The numbers of all events, as the spool's database has them.
    fileprivate func eventLog() async throws -> [Int] {
        let sql = "SELECT sequence FROM events ORDER BY sequence"
        let run = try await run("sqlite3", ["-readonly", "\(spool)/spool.sqlite", sql])
        try #require(run.code == 0, "\(run.complaints)")
        return run.lines.compactMap { Int($0) }
    }
}
