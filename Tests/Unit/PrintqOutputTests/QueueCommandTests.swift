// Tests the commands that show and change the queue.

import Foundation
import IPP
import PrintIPP
import PrintModel
import PrintTestSupport
import SpoolerClient
import Testing

@Suite struct QueueCommandTests {
    /// Returns a queue with a printing job, a held job and two ended jobs.
    private func busyQueue() async -> FakeQueue {
        let queue = FakeQueue()
        let owner = String(cString: getpwuid(getuid()).pointee.pw_name)
        let states: [(JobState, String, String)] = [
            (.processing, "report.pdf", owner), (.pendingHeld, "evil\u{1B}[2J.pdf", "ann"),
            (.completed, "a.pdf", owner),
            (.aborted, "b.pdf", owner),
        ]
        for (index, (state, name, owner)) in states.enumerated() {
            var job = Job(
                id: index + 1, uuid: "urn:uuid:\(index)", printer: "color-laser", owner: owner, name: name,
                state: state,
                createdAt: 1_700_000_000)
            (job.impressions, job.impressionsCompleted) = (5, state == .processing ? 2 : 0)
            if state.isTerminal { job.completedAt = 1_700_000_050 }
            await queue.add(job)
        }
        return queue
    }

    @Test func `'printq queue' shows a table of waiting and printing jobs`() async throws {
        try await withSpool(await busyQueue()) { spool in
            let run = try await spool.printq("queue")
            let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
            let owner = String(cString: getpwuid(getuid()).pointee.pw_name)
            #expect(
                lines == [
                    "JOB PRINTER OWNER STATE PAGES SINCE NAME REASON",
                    "1 color-laser \(owner) printing 2/5 2023-11-14 22:13 report.pdf",
                    "2 color-laser ann held 5 2023-11-14 22:13 evil·[2J.pdf",
                ])
            try await spool.expect("queue", "--mine", "--limit", "1", lines: 2)
            try await spool.expect("queue", "--all", lines: 5)
            let log = try await spool.printq("log")
            #expect(log.output.contains("aborted"))
            try await spool.expect("queue", "-d", "office", prints: "the queue is empty\n")
            try await spool.expect("log", "-d", "office", prints: "no job has ended yet\n")
            try await spool.expect("--spool", spool.path, "queue", code: 0)
        }
    }

    @Test func `'printq queue' sends one request, and another request only for a job whose printer matters`()
        async throws
    {
        let queue = await busyQueue()
        try await withSpool(queue) { spool in
            try await spool.expect("queue", lines: 3)
            #expect(await queue.jobLists == 1)
            let before = await queue.printerLookUps
            await queue.add(
                Job(
                    id: 6, uuid: "urn:uuid:6", printer: "office", owner: "ann", name: "a.pdf",
                    createdAt: 1_700_000_000))
            try await spool.expect("queue", lines: 4)
            #expect(await queue.jobLists == 2)
            #expect(await queue.printerLookUps == before + 1)
            #expect(await queue.printerLists == 0)
        }
    }

    @Test func `'printq queue -U' and 'printq log -U' list the jobs of one user, also behind many other jobs`()
        async throws
    {
        let queue = FakeQueue()
        for id in 1...1300 {
            await queue.add(
                Job(
                    id: id, uuid: "urn:uuid:\(id)", printer: "office", owner: id % 600 == 5 ? "anna" : "ben",
                    name: "a.pdf", state: id <= 1250 ? .pending : .completed, createdAt: 1_700_000_000))
        }
        await queue.add(
            Job(
                id: 1301, uuid: "urn:uuid:1301", printer: "office", owner: "anna", name: "a.pdf", state: .completed,
                createdAt: 1_700_000_000))
        try await withSpool(queue) { spool in
            let ids = { (run: ProgramRun) in
                run.output.split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").first }
            }
            #expect(ids(try await spool.printq("queue", "-U", "anna")) == ["5", "605", "1205"])
            let limited = try await spool.printq("queue", "--user", "anna", "--limit", "2")
            #expect(ids(limited) == ["5", "605"])
            #expect(ids(try await spool.printq("log", "-U", "anna")) == ["1301"])
            try await spool.expect("queue", "-U", "carl", prints: "carl has no jobs\n")
            try await spool.expect("queue", "-U", "anna", "--mine", code: 64)
        }
    }

    @Test func `'printq queue' truncates a long list by default, and shows all jobs with --all`() async throws {
        let queue = FakeQueue()
        for id in 1...1234 {
            await queue.add(
                Job(
                    id: id, uuid: "urn:uuid:\(id)", printer: "color-laser", owner: "ann",
                    name: String(repeating: "x", count: id == 900 ? 40 : 5), state: id <= 1200 ? .pending : .completed,
                    createdAt: 1_700_000_000))
        }
        try await withSpool(queue) { spool in
            let screen = try await spool.printq("queue")
            #expect(screen.output.split(separator: "\n").count == 101)
            #expect(
                screen.complaints == "… and 1,100 more; use --limit NUMBER or --all to see more\n")
            let limited = try await spool.printq("queue", "--limit", "1150")
            #expect(limited.output.split(separator: "\n").count == 1151)
            #expect(limited.output.split(separator: "\n").last?.hasPrefix("1150") == true)
            #expect(limited.complaints == "")
            let all = try await spool.printq("queue", "--all")
            let lines = all.output.split(separator: "\n")
            #expect(lines.count == 1235)
            #expect(lines.count { $0.hasPrefix("JOB") } == 1)
            #expect(all.complaints == "")
            let ended = try await spool.printq("queue", "--completed", "--limit", "3")
            #expect(ended.output.split(separator: "\n").count == 4)
            let json = try await spool.printq("queue", "--json")
            let jobs = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
            #expect(jobs.map { $0["job-id"] as? Int } == Array(1...1200))
            #expect(jobs[0].keys.contains("printq-place") == false)
            try await spool.expect("queue", "-d", "office", "--json", prints: "[]\n")
        }
    }

    @Test func `every command that shows information can write JSON with IPP attribute names`() async throws {
        try await withSpool(await busyQueue()) { spool in
            func json(_ arguments: String...) async throws -> Any { try await json(arguments) }
            func json(_ arguments: [String]) async throws -> Any {
                let run = try await spool.run(arguments + ["--json"])
                #expect(run.code == 0, "\(arguments): \(run.complaints)")
                return try JSONSerialization.jsonObject(with: Data(run.output.utf8))
            }
            let jobs = try #require(try await json("queue") as? [[String: Any]])
            #expect(jobs.map { $0["job-id"] as? Int } == [1, 2])
            #expect(jobs.first?["job-state"] as? String == "processing")
            #expect(jobs.first?["job-state-reasons"] as? [String] == ["none"])
            #expect(jobs.first?["time-at-completed"] is NSNull)
            let job = try #require(try await json("show", "1") as? [String: Any])
            #expect(job["printq-why"] as? String == "it is the next one for color-laser")
            #expect((job["printq-job-events"] as? [String])?.count == 2)
            let log = try #require(try await json("log") as? [[String: Any]])
            #expect(log.count == 2)
            let cases: [(arguments: [String], name: String, value: String)] = [
                (["why", "2"], "job-state", "pending-held"), (["printers"], "printer-state", "idle"),
                (["printers", "default"], "printer-name", "color-laser"),
                (["papers"], "media-default", "iso_a4_210x297mm"),
            ]
            for (arguments, name, value) in cases {
                let json = try await json(arguments)
                let object = json as? [String: Any] ?? (json as? [[String: Any]])?.first
                #expect(object?[name] as? String == value, "\(arguments)")
            }
            let doctor = try #require(try await json("doctor") as? [String: Any])
            let checks = try #require(doctor["checks"] as? [[String: Any]])
            let plain = try #require(checks.first { $0["message"] as? String == "all is well" })
            #expect(plain["state"] as? String == "ok" && plain["group"] as? String == "printd", "\(plain)")
            #expect((doctor["summary"] as? [String: Int])?["checks"] == checks.count)
        }
    }

    @Test func `'printq show' shows all details of a job and the same explanation as 'printq why'`() async throws {
        try await withSpool(await busyQueue()) { spool in
            let run = try await spool.printq("show", "1")
            #expect(
                run.output.contains(
                    """
                    state      printing
                               it is the next one for color-laser
                    pages      2 of 5 printed, on 0 sheets
                    submitted  2023-11-14 22:13:20
                    commands   printq cancel 1
                    events     2023-11-14 22:13:20  job-created: accepted
                               2023-11-14 22:13:21  job-progress

                    """))
            try await spool.expect("why", "1", prints: "it is the next one for color-laser\n")
            let missing = try await spool.printq("show", "99")
            #expect(missing.code == 64)
            #expect(missing.complaints == "printq: job 99 does not exist, or was removed from the history\n")
        }
    }

    @Test func `'printq show' shows a job's options with the keywords that 'printq submit' accepts`() async throws {
        let queue = FakeQueue()
        var ticket = JobTicket()
        (ticket.orientation, ticket.quality, ticket.trimming, ticket.copies) = (.landscape, .high, .afterJob, 2)
        await queue.add(
            Job(
                id: 1, uuid: "urn:uuid:1", printer: "roll", owner: "ann", name: "label", ticket: ticket,
                createdAt: 1_700_000_000))
        try await withSpool(queue) { spool in
            let lines = try await spool.printq("show", "1").output.split(separator: "\n")
                .map { $0.split(separator: " ").joined(separator: " ") }
            for line in [
                "orientation-requested landscape", "print-quality high", "finishings trim-after-job", "copies 2",
            ] {
                #expect(lines.contains(line), "\(lines)")
            }
        }
    }

    @Test func `'printq cancel' with several jobs continues after an error for one of the jobs`() async throws {
        let queue = await busyQueue()
        try await withSpool(queue) { spool in
            let run = try await spool.printq("cancel", "3", "color-laser-1")
            #expect(run.code == 1)
            #expect(run.output == "job 1 is canceled\n")
            #expect(run.complaints == "printq: job 3 has already ended\n")
            #expect(await queue.jobs[0].state == .canceled)
        }
    }

    @Test(arguments: [
        "10-1", "2030-01-1", "-1", "1,1", "color-laser1", "color laser-1", "color-laser-", "+1", "0", "１",
    ])
    func `a word that is neither a job number nor PRINTER-NUMBER is refused`(word: String) async throws {
        let queue = await busyQueue()
        try await withSpool(queue) { spool in
            for command in ["cancel", "hold", "show"] {
                let run = try await spool.printq(command, "--", word)
                #expect(run.code == 64 && run.complaints.contains("is not a job number"), "\(run)")
            }
            let move = try await spool.printq("move", "--", word, "mono-laser")
            #expect(move.code == 64 && move.complaints.contains("is not a job number"), "\(move)")
            #expect(await queue.jobs.map(\.state) == busyQueue().jobs.map(\.state))
        }
    }

    @Test func `'printq cancel --all' cancels only the jobs of the user`() async throws {
        let queue = await busyQueue()
        try await withSpool(queue) { spool in
            try await spool.expect("cancel", "--all", prints: "job 1 is canceled\n")
            #expect(await queue.jobs.map(\.state) == [.canceled, .pendingHeld, .completed, .aborted])
            #expect(await queue.changedTogether == [[1]], "one request cancels all jobs")
            try await spool.expect("cancel", "--all", prints: "you have no jobs in the queue\n")
            try await spool.expect("cancel", code: 64)
            try await spool.expect("cancel", "--all", "1", code: 64)
        }
    }

    @Test func `'printq hold' and 'printq release' change the state of a job`() async throws {
        let queue = await busyQueue()
        try await withSpool(queue) { spool in
            try await spool.expect("release", "2", prints: "job 2 is waiting\n")
            try await spool.expect("hold", "2", prints: "job 2 is held\n")
            let timed = try await spool.printq("hold", "2", "--until", "2100-06-01T18:30")
            #expect(timed.output == "job 2 is held until 2100-06-01 18:30\n")
            #expect(await queue.jobs[1].heldUntil == 4_115_557_800)
            let past = try await spool.printq("hold", "2", "--until", "2001-06-01T18:30")
            #expect(past.code == 64)
            #expect(
                past.complaints == "printq: invalid value '2001-06-01T18:30' for --until; the time is in the past\n")
        }
    }

    @Test func `'printq printers' lists, pauses and resumes printers and sets the default printer`() async throws {
        try await withSpool(await busyQueue()) { spool in
            try await spool.expect(
                "printers",
                prints: """
                       PRINTER      STATE  JOBS  DESCRIPTION  NOTE
                    *  color-laser  ready     2  A laser
                       office       ready     0  A laser

                    """)
            try await spool.expect("printers", "pause", "office", prints: "office is paused\n")
            try await spool.expect("printers", "resume", "office", prints: "office is ready\n")
            try await spool.expect("printers", "default", "office", prints: "office\n")
            try await spool.expect("printers", "default", prints: "office\n")
            try await spool.expect(
                "papers",
                prints: """
                       PAPER              IPP NAME            MARGINS  KIND  LOADED
                    *  A4                 iso_a4_210x297mm    4 mm           yes
                       Letter, na-letter  na_letter_8.5x11in  4 mm

                    """)
        }
    }

    @Test func `'printq preview' fails for a job without page images`() async throws {
        let queue = FakeQueue(script: [{ $0.state = .completed }], outputFolder: "/nowhere")
        try await withSpool(queue) { spool in
            let submitted = try await spool.printq("submit", "--wait", spool.file("a.pdf", "%PDF-a"))
            #expect(submitted.code == 0)
            let run = try await spool.printq("preview", "1")
            #expect(run.code != 0)
            #expect(run.complaints.hasPrefix("printq: cannot show the pages of job 1: printd refuses the request: "))
        }
    }

    @Test func `'printq preview' refuses option values outside their range`() async throws {
        try await withSpool(FakeQueue()) { spool in
            try await spool.expect("preview", "--resolution", "5", "a.pdf", code: 64)
            try await spool.expect("preview", "--limit", "0", "a.pdf", code: 64)
            try await spool.expect("preview", "-", "-", code: 64)
        }
    }

    @Test func `'printq doctor' fails with an exit code if a check fails`() async throws {
        try await withSpool(FakeQueue(doctor: ["ok: port 8631", "error: the disk is full"])) { spool in
            let run = try await spool.printq("doctor")
            #expect(run.code == 1)
            #expect(run.output.contains("printd\nok: port 8631\nerror: the disk is full\n"), "\(run)")
            #expect(run.output.contains(/\n\d+ checks: .*, 1 error\n$/), "\(run)")
            #expect(run.complaints == "")
        }
    }

    @Test func `'printq log' shows the reasons of failed jobs and the warnings of completed jobs`() async throws {
        let queue = FakeQueue()
        let ends: [(JobState, [JobStateReason], String)] = [
            (.completed, [.jobCompletedSuccessfully], ""),
            (.completed, [.jobCompletedWithWarnings], "content clipped"),
            (.aborted, [.documentFormatError], "it is damaged"), (.canceled, [.jobCanceledByUser], ""),
        ]
        for (number, (state, reasons, message)) in ends.enumerated() {
            var job = Job(
                id: number + 1, uuid: "urn:uuid:\(number + 1)", printer: "color-laser", owner: "ann", name: "a.pdf",
                state: state, createdAt: 1_700_000_000)
            (job.reasons, job.message, job.completedAt) = (reasons, message, 1_700_000_000)
            await queue.add(job)
        }
        try await withSpool(queue) { spool in
            let lines = try await spool.printq("log").output.split(separator: "\n")
            #expect(lines.first?.hasSuffix("NAME   REASON") == true)
            #expect(
                Set(lines.dropFirst().map { $0.components(separatedBy: "a.pdf").last ?? "" })
                    == ["", "  content clipped", "  it is damaged", "  by its owner"], "\(lines)")
        }
    }

    @Test func `a printer is not shown as ready if it cannot be reached`() {
        func words(_ reason: String, _ state: PrinterState = .idle) -> String {
            PrinterView(
                AttributeGroup(
                    .printer,
                    [
                        Attribute("printer-state", .enumeration(Int32(state.rawValue))),
                        Attribute("printer-state-reasons", .keyword(reason)),
                    ])
            ).phase.rawValue
        }
        #expect(words("offline-report") == "offline")
        #expect(words("paused", .stopped) == "paused")
        #expect(words("none") == "ready")
    }

    @Test func `the help text lists every exit code with its meaning`() async throws {
        try await withSpool(FakeQueue()) { spool in
            let help = try await spool.run(["--help"]).output.split(whereSeparator: \.isWhitespace)
            for code in [0, 1, 64, 65, 66, 69, 70, 74, 75, 76, 77, 78, 130] {
                #expect(help.contains("\(code)"), "\(code)")
            }
            #expect(SpoolerClientError.Code.allCases.count == 11)
        }
    }

    @Test func `'printq status' shows the spool, the process, the addresses, the printers and the jobs`() async throws {
        let queue = FakeQueue()
        try await withSpool(queue) { spool in
            let run = try await spool.printq("status")
            #expect(run.code == 0, "\(run)")
            #expect(
                run.output.hasPrefix(
                    """
                    spool       /var/spool/printq (PRINTQ_SPOOL)
                    printd      version 9.8.7, process 42
                    listens on  /var/spool/printq/printd.sock
                                127.0.0.1:8631 (ipp: and ipps:)
                    jobs        none
                    """), "\(run)")
            #expect(run.output.contains("\nprinters    2: 2 ready\n"), "\(run)")
            let json = try await spool.printq("status", "--json")
            #expect(json.output.contains("\"printq-listening\": ["), "\(json)")
            #expect(json.output.contains("\"printer-name\": \"office\"") && json.output.contains("\"waiting-jobs\": 0"))
        }
    }
}
