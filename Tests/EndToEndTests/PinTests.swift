import Foundation
import Glibc
import PrintTestSupport
import Testing

/// Tests of jobs that wait for their PIN, with the real programs.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PinTests {
    /// A PIN that no number in a file equals by chance.
    private static let pin = "\(Int.random(in: 10_000_000...99_999_999))"

    private let spooler: TestSpooler

    init() throws {
        spooler = try TestSpooler()
        chmod(spooler.folder.path, 0o755)
    }

    private func document(_ name: String = "salary.pdf") throws -> String {
        let path = try spooler.file(name, .numbered(pages: 1, title: "salaries"))
        chmod(path, 0o644)
        return path
    }

    /// Returns the files below a folder that contain the PIN.
    private func findings(below folder: String) throws -> [String] {
        let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        return names.map { "\(folder)/\($0)" }.filter { path in
            (try? Data(contentsOf: URL(fileURLWithPath: path)))?.range(of: Data(Self.pin.utf8)) != nil
        }
    }

    /// Returns the files of a job's documents.
    private func documents(of job: Int) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "\(spooler.spool)/jobs/\(job)")) ?? []
    }

    /// Sends an IPP request with ipptool.
    private func ask(_ operation: String, _ attributes: String, _ checks: String = "", over uri: String) async throws
        -> ProgramRun
    {
        let test = """
            {
                NAME "\(operation)"
                OPERATION \(operation)
                GROUP operation-attributes-tag
                ATTR charset attributes-charset utf-8
                ATTR language attributes-natural-language en
                ATTR uri printer-uri \(uri)
                ATTR name requesting-user-name root
                \(attributes)
                \(checks)
            }
            """
        let path = spooler.folder.path("\(operation).test")
        try test.write(toFile: path, atomically: false, encoding: .utf8)
        return try await spooler.run("ipptool", ["-tv", uri, path])
    }

    @Test func `a job of lp waits for its PIN, which ipptool sends after a restart, and its document is then deleted`()
        async throws
    {
        var host = try spooler.start(tcp: true).host
        let path = try spooler.file("large.pdf", spooler.largePDF())
        let sent = try await spooler.run(
            "lp", ["-d", "color-laser", "-o", "job-password=\(Self.pin)", "-o", "job-password-encryption=none", path],
            environment: ["CUPS_SERVER": host])
        try #require(sent.jobID == 1, "\(sent)")
        #expect(!documents(of: 1).isEmpty)
        let checks = """
            EXPECT job-state OF-TYPE enum WITH-VALUE 4
            EXPECT job-state-reasons OF-TYPE keyword WITH-VALUE "/^job-password-wait$/"
            EXPECT job-hold-until OF-TYPE keyword WITH-VALUE indefinite
            EXPECT !job-password
            """
        var uri: String { "ipp://\(host)/printers/color-laser" }
        let waiting = try await ask("Get-Job-Attributes", "ATTR integer job-id 1", checks, over: uri)
        #expect(waiting.code == 0 && !waiting.output.contains(Self.pin), "\(waiting)")
        let printer = try await ask(
            "Get-Printer-Attributes", "",
            """
            EXPECT job-password-supported OF-TYPE integer IN-GROUP printer-attributes-tag WITH-VALUE 8
            EXPECT job-password-encryption-supported OF-TYPE keyword WITH-VALUE none
            EXPECT job-password-encryption-supported OF-TYPE keyword WITH-VALUE sha2-256
            EXPECT job-password-length-supported OF-TYPE rangeOfInteger
            EXPECT job-password-repertoire-configured OF-TYPE keyword WITH-VALUE iana_us-ascii_digits
            EXPECT job-password-repertoire-supported OF-TYPE keyword WITH-VALUE iana_us-ascii_digits
            EXPECT job-creation-attributes-supported OF-TYPE keyword WITH-VALUE job-password
            """, over: uri)
        #expect(printer.code == 0, "\(printer)")
        let why = try await spooler.why(1)
        #expect(why.contains("Job 1 waits for its PIN"), "\(why)")

        spooler.stop(SIGKILL)
        host = try spooler.start(tcp: true).host
        let wrong = try await ask(
            "Release-Job", "ATTR integer job-id 1\nATTR octetString job-password 00000000",
            "STATUS client-error-not-authorized", over: uri)
        #expect(wrong.code == 0, "\(wrong)")
        let right = try await ask(
            "Release-Job", "ATTR integer job-id 1\nATTR octetString job-password \(Self.pin)", "STATUS successful-ok",
            over: uri)
        #expect(right.code == 0, "\(right)")
        try await spooler.waitForEnd(of: 1)
        #expect(try await spooler.job(1).state == "completed")
        #expect(try await spooler.sql("SELECT count(*) FROM job_passwords") == ["0"])
        #expect(
            try await spooler.sql("SELECT count(*) FROM documents WHERE content IS NOT NULL OR file IS NOT NULL")
                == ["0"])
        try await PrintTestSupport.eventually("the files of the job are removed") { documents(of: 1).isEmpty }
        #expect(try findings(below: spooler.folder.path).filter { !$0.hasSuffix(".test") } == [])
        let again = try await spooler.printq("reprint", "1")
        #expect(
            again.code != 0 && again.complaints.contains("job 1 had a PIN, so its documents were deleted"), "\(again)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can run programs as other users"))
    func `another user releases a job with its PIN, and three wrong PINs lock the job for its owner`() async throws {
        try spooler.start()
        chmod(spooler.spool, 0o711)
        let (program, path) = (spooler.folder.path("printq"), try document())
        try FileManager.default.copyItem(atPath: spooler.program("printq"), toPath: program)
        func printq(_ user: String, _ arguments: String..., input: String? = nil) async throws -> ProgramRun {
            try await spooler.run(
                "setpriv", ["--reuid", user, "--regid", user, "--clear-groups", program] + arguments,
                environment: ["TMPDIR": spooler.folder.path], input: input)
        }
        let (ann, ben) = ("3000000001", "3000000002")
        for _ in 1...2 {
            expect(try await printq(ann, "submit", "--pin", "--title", "salaries", path, input: "\(Self.pin)\n"))
        }
        let other = try await printq(ben, "release", "1")
        #expect(other.code != 0 && other.complaints.contains("belongs to another user"), "\(other)")
        expect(try await printq(ben, "release", "1", "--pin", input: "\(Self.pin)\n"))
        try await spooler.waitForEnd(of: 1)
        #expect(try await spooler.job(1).state == "completed")

        for _ in 1...3 {
            let wrong = try await printq(ben, "release", "2", "--pin", input: "00000000\n")
            #expect(wrong.code != 0 && wrong.complaints.contains("wrong PIN"), "\(wrong)")
            spooler.stop(SIGKILL)
            try spooler.start()
        }
        let locked = try await printq(ben, "release", "2", "--pin", input: "\(Self.pin)\n")
        #expect(locked.code != 0 && locked.complaints.contains("job 2 is locked"), "\(locked)")
        #expect(try await spooler.job(2).state == "pending-held")
        let why = try await spooler.why(2)
        #expect(why.contains("three wrong PINs"), "\(why)")
        expect(try await printq(ann, "release", "2"))
        try await spooler.waitForEnd(of: 2)
        #expect(try await spooler.job(2).state == "completed")
        let shown = try await spooler.printq("log", "--daemon")
        #expect(!shown.output.contains(Self.pin))
        #expect(try findings(below: spooler.folder.path) == [])
    }

    @Test func `a release station prints all jobs with the PIN, shows no title, and delays after three wrong PINs`()
        async throws
    {
        try spooler.start()
        let path = try document()
        for pin in [Self.pin, Self.pin, "1234"] {
            expect(try await spooler.printq("submit", "--pin", "--title", "salaries", path, input: "\(pin)\n"))
        }
        let released = try await spooler.printq("release", "--printer", "color-laser", input: "\(Self.pin)\n")
        expect(released)
        #expect(released.output == "2 jobs are released\n", "\(released)")
        for id in 1...2 { try await spooler.waitForEnd(of: id) }
        #expect(try await spooler.job(3).state == "pending-held")
        for _ in 1...3 {
            let none = try await spooler.printq("release", "--printer", "color-laser", input: "0000\n")
            #expect(none.code != 0 && none.complaints.contains("no job at color-laser waits for this PIN"), "\(none)")
        }
        spooler.stop()
        try spooler.start()
        let delayed = try await spooler.printq("release", "--printer", "color-laser", input: "1234\n")
        #expect(delayed.code != 0 && delayed.complaints.contains("too many wrong PINs"), "\(delayed)")
        #expect(try await spooler.job(3).state == "pending-held")
        let wrong = try await spooler.printq("submit", "--pin", path, input: "12a4\n")
        expect(wrong, code: 64, says: "printq: invalid PIN: must have 4 to 8 digits")
        let encrypted = try await spooler.printq(
            "submit", "-o", "job-password=1234 job-password-encryption=md5", path)
        expect(encrypted, code: 64, says: "printq: invalid value 'md5' for -o job-password-encryption; expected none")
        // The option of lp has the same effect.
        let option = try await spooler.printq(
            "submit", "-d", "mono-laser", "-o", "job-password=1234 sides=one-sided", path)
        expect(option)
        let json = try await spooler.printq("release", "--printer", "mono-laser", "--json", input: "1234\n")
        #expect(json.code == 0 && json.output.contains(#""released": 1"#), "\(json)")
        let none = try await spooler.printq("release", "--printer", "mono-laser", "--json", input: "1234\n")
        #expect(none.code != 0, "\(none)")
    }

    @Test func `a job whose PIN nobody enters in time is aborted with a reason, and its document is deleted`()
        async throws
    {
        try spooler.start()
        let path = try spooler.file("large.pdf", spooler.largePDF())
        expect(try await spooler.printq("submit", "--pin", path, input: "\(Self.pin)\n"))
        spooler.stop()
        // The clock of printd does not move: the job is made older instead.
        try await spooler.sql("UPDATE jobs SET held_until = held_until - 86400")
        try spooler.start()
        try await spooler.waitForEnd(of: 1)
        #expect(try await spooler.job(1).state == "aborted")
        let why = try await spooler.why(1)
        #expect(why.contains("Nobody released the job with its PIN within 24 hours"), "\(why)")
        try await PrintTestSupport.eventually("the files of the job are removed") { documents(of: 1).isEmpty }
        #expect(try await spooler.sql("SELECT count(*) FROM job_passwords") == ["0"])
    }

    @Test func `hosts that share a queue count the wrong PINs together`() async throws {
        let server = try PrivatePostgres()
        let database = try server.makeDatabase()
        let uri = "postgresql:///\(database)?host=\(server.socketFolder)&port=\(server.port)&user=postgres"
        let printer = try NetworkPrinter("--speed", "instant")
        let second = try TestSpooler()
        try spooler.start("--store", uri, "--host-name", "first")
        try second.start("--store", uri, "--host-name", "second")
        expect(try await spooler.printq("printers", "add", "one", printer.uri))
        expect(try await spooler.printq("submit", "-d", "one", "--pin", try document(), input: "\(Self.pin)\n"))
        #expect(try server.query("SELECT count(*) FROM job_passwords", database: database) == "1")
        for host in [spooler, second, spooler] {
            #expect(try await host.printq("release", "1", "--pin", input: "0000\n").code != 0)
        }
        let locked = try await second.printq("release", "1", "--pin", input: "\(Self.pin)\n")
        #expect(locked.code != 0 && locked.complaints.contains("job 1 is locked"), "\(locked)")
        expect(try await second.printq("release", "1"))
        expect(try await second.printq("watch", "1"))
        #expect(try server.query("SELECT count(*) FROM job_passwords", database: database) == "0")
        #expect(try printer.log.count == 1)
    }
}
