import Foundation
import PrintTestSupport
import Testing

/// Tests of `SpoolerClient` in another program: `QueueCommands` has a call for each queue command of printq, and
/// `printq` shows the effect of each call.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct QueueLibraryTests {
    /// The commands of printq without a call, and the reasons.
    private static let others = [
        "help": "a help text", "types": "a list for people: the documents that printd converts",
        "login": "stores a login of the user, which 'Spooler(server:)' reads",
        "logout": "deletes a login of the user", "audit": "the audit log of the server",
        "status": "a report for people", "doctor": "a report for people", "center": "opens the browser",
        "tokens": "the logins of the server", "users": "the logins of the server",
        "quota": "the quotas of the server", "network": "settings of the server", "config": "settings of the server",
        "hosts": "the hosts of a shared queue", "init": "creates a spool on this machine",
        "backup": "files of the spool", "restore": "files of the spool", "migrate": "files of the spool",
        "export": "files of the spool", "import": "files of the spool",
    ]

    private let spooler: TestSpooler

    init() throws { spooler = try TestSpooler() }

    /// Runs a call of the library on the spool.
    private func call(_ words: String...) async throws -> ProgramRun {
        try await spooler.run(spooler.program("QueueCommands"), words)
    }

    private func json(_ arguments: String...) async throws -> [String: Any] {
        let run = try await spooler.run(spooler.program("printq"), arguments + ["--json"])
        expect(run)
        return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    /// Pauses printers with printq.
    private func pause(_ printers: String...) async throws {
        for printer in printers { expect(try await spooler.printq("printers", "pause", printer)) }
    }

    @Test func `each queue command of printq has a call in the library`() async throws {
        let calls = Set(try await call().lines)
        let names = try await ProgramCommand.leaves(of: "printq").map { $0.name.dropFirst("printq ".count) }
        for name in names {
            let isOther = Self.others[String(name.prefix { $0 != " " })] != nil
            #expect(calls.contains(String(name)) != isOther, "'printq \(name)' has no call, or is in the wrong table")
        }
        let unknown = calls.subtracting(names.map(String.init))
        #expect(unknown.isEmpty, "printq has no commands \(unknown.sorted())")
    }

    @Test func `jobs are submitted, listed, explained, held, changed, moved, canceled and reprinted`() async throws {
        try spooler.start()
        try await pause("color-laser", "mono-laser", "inkjet")
        let file = try spooler.file("letter.pdf", .numbered(pages: 3))
        #expect(try await call("submit", "color-laser", file, "2").output == "1\n")
        var job = try await json("show", "1")
        #expect(job["copies"] as? Int == 2 && job["job-name"] as? String == "letter.pdf", "\(job)")
        #expect(try await call("queue").output == "1 pending color-laser\n")
        #expect(try await call("queue", "mono-laser").output.isEmpty)
        let why = try await call("why", "1").lines
        #expect(why.first == (try await spooler.printq("why", "1").lines.first))
        #expect(why.last?.contains("printq printers resume color-laser") == true, "\(why)")

        expect(try await call("hold", "1"))
        #expect(try await spooler.job(1).reasons == ["job-hold-until-specified"])
        expect(try await call("hold", "1", "3600"))
        #expect(try await spooler.printq("show", "1").output.contains("held until"))
        expect(try await call("release", "1"))
        #expect(try await spooler.job(1).state == "pending")
        expect(try await spooler.printq("hold", "1"))
        #expect(try await call("show", "1").lines.first == "1 pending-held color-laser letter.pdf")
        expect(try await call("change", "1", "copies", "3", "Report"))
        job = try await json("show", "1")
        #expect(job["copies"] as? Int == 3 && job["job-name"] as? String == "Report", "\(job)")
        expect(try await call("move", "1", "mono-laser"))
        let moved = try await call("show", "1")
        #expect(moved.lines.first == "1 pending-held mono-laser Report", "\(moved)")
        #expect(moved.lines.dropFirst().first == "copies 3, documents [\"letter.pdf\"]", "\(moved)")
        expect(try await call("cancel", "1"))
        #expect(try await spooler.job(1).state == "canceled")
        let again = try await call("cancel", "1")
        let refused = try await spooler.printq("cancel", "1")
        #expect(again.code == 1 && again.output == refused.complaints.replacing("printq: ", with: "notDone: "))

        #expect(try await call("reprint", "1", "2-3").output == "2\n")
        job = try await json("show", "2")
        #expect(job["parent-job-id"] as? Int == 1 && job["page-ranges"] != nil, "\(job)")
        expect(try await call("move", "mono-laser", "inkjet"))
        #expect(try await call("queue", "inkjet").output == "2 pending inkjet\n")
        #expect(try await call("submit", "color-laser", file).output == "3\n")
        #expect(try await call("cancel", "all").output == "[2, 3]\n")
        #expect(try await spooler.jobs().isEmpty)
        #expect(try await call("log").lines.count == 3)
        #expect(try await call("show", "99").output.hasPrefix("usage: "))
    }

    @Test func `a job is followed to its end, and its pages are saved`() async throws {
        try spooler.start()
        let id = try await spooler.submit(try spooler.file("letter.pdf", .numbered(pages: 2)), "-d", "color-laser")
        let events = try await call("watch", "\(id)")
        expect(events)
        #expect(events.lines.first == "job-created pending" && events.lines.last == "job-completed completed")
        let shown = try await call("preview", "\(id)", spooler.folder.path)
        #expect(shown.lines == ["1.png", "2.png"].map { spooler.folder.path($0) }, "\(shown)")
        for path in shown.lines { #expect(try Data(contentsOf: URL(filePath: path)).count > 100) }
        let twice = try await call("preview", "\(id)", spooler.folder.path)
        #expect(twice.output.hasPrefix("output: "), "\(twice)")
    }

    @Test func `jobs are released with their PIN`() async throws {
        try spooler.start()
        let file = try spooler.file("letter.pdf", .numbered(pages: 1))
        for _ in 1...2 { _ = try await spooler.submit(file, "-d", "color-laser", "-o", "job-password=4711") }
        let wrong = try await call("release", "1", "1147")
        #expect(wrong.code == 1 && wrong.output.hasPrefix("noPermission: "), "\(wrong)")
        expect(try await call("release", "1", "4711"))
        try await spooler.waitForEnd(of: 1)
        #expect(try await call("release", "color-laser", "4711").output == "1\n")
        try await spooler.waitForEnd(of: 2)
        #expect(try await spooler.jobs("--all").allSatisfy { $0.state == "completed" })
    }

    @Test func `printers are added, changed, paused, tested and removed`() async throws {
        try spooler.start()
        let folder = spooler.folder.path("pdfs")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        expect(try await call("printers add", "pdfs", "folder:\(folder)", "attic"))
        #expect(try await json("printers", "show", "pdfs")["printer-location"] as? String == "attic")
        let twice = try await call("printers add", "pdfs", "folder:\(folder)")
        #expect(twice.output.hasPrefix("notDone: the printer 'pdfs' already exists"), "\(twice)")
        for (name, uri) in [("a b", "folder:\(folder)"), ("other", "gopher://host")] {
            #expect(try await call("printers add", name, uri).output.hasPrefix("usage: "))
        }
        expect(try await call("printers change", "pdfs", "cellar"))
        expect(try await call("printers policy", "pdfs", "abort-job"))
        expect(try await call("printers after-interruption", "pdfs", "continue"))
        #expect(try await call("printers options", "pdfs", "copies=2").lines.contains("copies=2"))
        #expect(try await call("printers options", "pdfs", "copis=2").output.hasPrefix("usage: unknown option"))
        expect(try await call("printers allow", "pdfs", "anna", "@staff"))
        var printer = try await json("printers", "show", "pdfs")
        #expect(printer["printer-location"] as? String == "cellar" && printer["copies-default"] as? Int == 2)
        #expect(printer["printer-error-policy"] as? String == "abort-job")
        #expect(String(describing: printer["requesting-user-name-allowed"]).contains("@staff"), "\(printer)")
        expect(try await call("printers deny", "pdfs", "ben"))
        printer = try await json("printers", "show", "pdfs")
        #expect(printer["requesting-user-name-allowed"] == nil, "\(printer)")
        #expect(String(describing: printer["requesting-user-name-denied"]).contains("ben"), "\(printer)")
        let shown = try await call("printers show", "pdfs")
        #expect(shown.lines.first == "pdfs ready cellar", "\(shown)")
        #expect(shown.output.contains("policies abortJob continue"), "\(shown)")

        #expect(try await call("printers default", "pdfs").output == "pdfs\n")
        #expect(try await spooler.printq("printers", "default").output == "pdfs\n")
        expect(try await call("printers pause", "pdfs", "lunch"))
        #expect(try await json("printers", "show", "pdfs")["printq-pause-message"] as? String == "lunch")
        #expect(try await call("printers list").lines.contains("pdfs paused 0"))
        #expect(try await call("printers test-page").output == "1\n")
        #expect(try await spooler.printq("show", "1").output.contains("Test page"))
        let kept = try await call("printers remove", "pdfs")
        #expect(kept.output.hasPrefix("notDone: "), "\(kept)")
        expect(try await call("printers resume", "pdfs"))
        try await spooler.waitForEnd(of: 1)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.filter { $0.hasSuffix(".pdf") }.count == 1, "\(files)")
        expect(try await call("printers remove", "pdfs"))
        #expect(try await call("printers show", "pdfs").output.hasPrefix("usage: there is no printer 'pdfs'"))
        #expect(try await !spooler.printq("printers").output.contains("pdfs"))

        let papers = try await call("papers", "color-laser").lines
        #expect(papers.contains("iso_a4_210x297mm"), "\(papers)")
        expect(try await call("printers discover"))
    }

    @Test func `a printer is shared, and its login and its certificate are changed`() async throws {
        try spooler.start()
        for words in [["printers share", "color-laser", "Laser"], ["printers unshare", "color-laser"]] {
            expect(try await spooler.run(spooler.program("QueueCommands"), words))
            let isShared = try await json("printers", "show", "color-laser")["printer-is-shared"] as? Bool
            #expect(isShared == (words[0] == "printers share"))
        }
        expect(
            try await spooler.printq("printers", "add", "office", "ipp://127.0.0.1:9/ipp/print", "--no-check"))
        expect(try await call("printers login", "office", "anna", "secret-of-anna"))
        let stored = try await spooler.run("grep", ["-rl", "secret-of-anna", spooler.spool])
        #expect(stored.lines.count == 1, "\(stored)")
        expect(try await call("printers logout", "office"))
        #expect(try await spooler.run("grep", ["-rl", "secret-of-anna", spooler.spool]).output.isEmpty)
        // printd connects to the printer, which does not exist.
        let trusted = try await call("printers trust", "office")
        let refused = try await spooler.printq("printers", "trust", "office")
        #expect(trusted.code == 1 && refused.code != 0, "\(trusted)")
        #expect(trusted.output.hasSuffix(refused.complaints.replacing("printq: ", with: "")), "\(trusted) \(refused)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can run programs as other users"))
    func `another user has the same rights as with printq`() async throws {
        chmod(spooler.folder.path, 0o755)
        try spooler.start()
        chmod(spooler.spool, 0o711)
        try await pause("color-laser")
        let id = try await spooler.submit(
            try spooler.file("salary.pdf", .numbered(pages: 1)), "-d", "color-laser", "--title", "Salaries")
        // The checkout may be in a folder that other users cannot access.
        for name in ["printq", "QueueCommands"] {
            try FileManager.default.copyItem(atPath: spooler.program(name), toPath: spooler.folder.path(name))
        }
        for words in [
            ["cancel", "\(id)"], ["hold", "\(id)"], ["move", "\(id)", "mono-laser"], ["reprint", "\(id)"],
            ["printers", "resume", "color-laser"], ["printers", "default", "mono-laser"],
            ["printers", "remove", "mono-laser"],
        ] {
            let called = try await spooler.run(
                "setpriv", stranger("QueueCommands", words), environment: ["TMPDIR": "/tmp"])
            let typed = try await spooler.run("setpriv", stranger("printq", words), environment: ["TMPDIR": "/tmp"])
            #expect(called.code == 1 && typed.code == EX_NOPERM, "\(words): \(called) \(typed)")
            #expect(called.output == typed.complaints.replacing("printq: ", with: "noPermission: "), "\(words)")
        }
        let shown = try await spooler.run("setpriv", stranger("QueueCommands", ["show", "\(id)"]))
        #expect(shown.lines.first == "\(id) pending color-laser withheld", "\(shown)")
        let why = try await spooler.run("setpriv", stranger("QueueCommands", ["why", "\(id)"]))
        #expect(why.output.contains("only the job's owner and administrators may see the reason"), "\(why)")
        #expect(try await spooler.job(id).state == "pending")
    }

    private func stranger(_ program: String, _ words: [String]) -> [String] {
        let user = "3000000002"
        return ["--reuid", user, "--regid", user, "--clear-groups", spooler.folder.path(program)] + words
    }

    @Test func `the first call starts the printd of a private spool`() async throws {
        #expect(spooler.processes(of: "printd").isEmpty)
        let run = try await call("printers list")
        expect(run)
        #expect(run.output.contains("color-laser ready 0"), "\(run)")
        #expect(spooler.processes(of: "printd").count == 1)
    }

    @Test func `the program in the documentation lists the queue, explains a job, and follows it to its end`()
        async throws
    {
        try spooler.start()
        try await pause("color-laser")
        let id = try await spooler.submit(
            try spooler.file("letter.pdf", .numbered(pages: 1)), "-d", "color-laser", "--title", "Letter")
        async let report = spooler.run(spooler.program("QueueReport"), ["\(id)"])
        // `spooler.eventually` would have a subscription too.
        try await PrintTestSupport.eventually("the program follows the job") {
            try await spooler.subscriptions() == 1
        }
        expect(try await spooler.printq("printers", "resume", "color-laser"))
        let lines = try await report.lines
        #expect(lines.starts(with: ["1 Letter color-laser waiting"]) && lines.last == "completed 1", "\(lines)")
        #expect(lines.dropFirst().first?.hasPrefix("Job 1 is waiting because color-laser is paused") == true)

        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let program = try String(contentsOfFile: "\(root)/Examples/QueueReport/main.swift", encoding: .utf8)
        let shown = program.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
        let page = try String(contentsOfFile: "\(root)/docs/swift.md", encoding: .utf8)
        #expect(page.contains(shown), "the program in docs/swift.md differs from Examples/QueueReport")
    }
}
