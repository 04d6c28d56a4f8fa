import Foundation
import Glibc
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of two ordinary users of one machine, who must not be able to access each other's jobs.
///
/// The users are user IDs without accounts. Only root can run programs as these users.
@Suite(.enabled(if: geteuid() == 0, "only root can run programs as other users"))
struct TwoUsersTests {
    private static let ann = "3000000001"
    private static let ben = "3000000002"

    private let spooler: TestSpooler
    private let host: String

    init() async throws {
        spooler = try TestSpooler()
        // The users must be able to reach the socket and the programs, as with a system service.
        chmod(spooler.folder.path, 0o755)
        let ready = try spooler.start(tcp: true)
        chmod(spooler.spool, 0o711)
        host = ready.host
        // The checkout may be in a folder that other users cannot access.
        try FileManager.default.copyItem(atPath: spooler.program("printq"), toPath: spooler.folder.path("printq"))
    }

    /// Runs a program as a user.
    private func run(_ user: String, _ program: String, _ arguments: [String], input: String? = nil) async throws
        -> ProgramRun
    {
        let path = program.hasPrefix("/") ? program : "/usr/bin/\(program)"
        return try await spooler.run(
            "setpriv", ["--reuid", user, "--regid", user, "--clear-groups", path] + arguments,
            environment: ["TMPDIR": spooler.folder.path], input: input)
    }

    private func printq(_ user: String, _ arguments: String...) async throws -> ProgramRun {
        try await run(user, spooler.folder.path("printq"), arguments)
    }

    /// Sends an IPP request with ipptool as a user with a claimed name.
    private func ask(_ user: String, as name: String, _ operation: String, _ attributes: String = "", over uri: String)
        async throws -> ProgramRun
    {
        let test = """
            {
                NAME "\(operation)"
                OPERATION \(operation)
                GROUP operation-attributes-tag
                ATTR charset attributes-charset utf-8
                ATTR language attributes-natural-language en
                ATTR uri printer-uri \(uri)
                ATTR name requesting-user-name "\(name)"
                \(attributes)
            }
            """
        let path = spooler.folder.path("\(operation).test")
        try test.write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, 0o644)
        return try await run(user, "ipptool", ["-tv", uri, path])
    }

    @Test func `the private values of jobs are those of the settings, which printers report`() async throws {
        let uri = "ipp://\(host)/printers/color-laser"
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        let document = spooler.folder.path("letter.pdf")
        try PDFBuilder.numbered(pages: 1).write(to: document)
        chmod(document, 0o644)
        expect(try await printq(Self.ann, "submit", "-d", "color-laser", "--title", "a letter", document))
        expect(try await spooler.printq("config", "set", "jobPrivateValues", #"["job-originating-user-name"]"#))
        let shown = try await ask(Self.ben, as: "root", "Get-Job-Attributes", "ATTR integer job-id 1", over: uri)
        #expect(shown.output.contains("= a letter") && !shown.output.contains(Self.ann), "\(shown)")
        let printer = try await ask(Self.ben, as: "root", "Get-Printer-Attributes", over: uri)
        #expect(printer.output.contains("job-privacy-attributes (keyword) = job-originating-user-name"), "\(printer)")
        #expect(printer.output.contains("job-privacy-scope (keyword) = owner"), "\(printer)")
        expect(try await spooler.printq("config", "set", "jobPrivateValues", "null"))
        let hidden = try await ask(Self.ben, as: "root", "Get-Job-Attributes", "ATTR integer job-id 1", over: uri)
        #expect(hidden.output.contains("job-impressions") && !hidden.output.contains("a letter"), "\(hidden)")
        expect(try await spooler.printq("config", "set", "jobPrivateAccess", "all"))
        let open = try await ask(Self.ben, as: "root", "Get-Job-Attributes", "ATTR integer job-id 1", over: uri)
        #expect(open.output.contains("= uid-\(Self.ann)"), "\(open)")
    }

    @Test func `a user cannot read, move, change, cancel, reprint or list another user's jobs`() async throws {
        let document = spooler.folder.path("salary.pdf")
        try PDFBuilder.numbered(pages: 2, title: "salaries").write(to: document)
        chmod(document, 0o644)
        #expect(try await spooler.printq("printers", "pause", "color-laser").code == 0)
        // Ann prints over the socket, and over TCP with a claimed name.
        let waiting = try await printq(Self.ann, "submit", "--title", "salaries of all", document)
        #expect(waiting.code == 0, "\(waiting)")
        let overTCP = try await run(
            Self.ann, "lp", ["-h", host, "-U", "uid-\(Self.ben)", "-d", "color-laser", "-t", "salaries two", document])
        #expect(overTCP.code == 0, "\(overTCP)")
        let printed = try await printq(
            Self.ann, "submit", "--wait", "-d", "mono-laser", "--title", "salaries three", document)
        #expect(printed.code == 0, "\(printed)")
        let own = try await printq(Self.ann, "queue", "--all", "--json")
        #expect(own.output.contains("salaries two"), "\(own)")

        for claimed in ["uid-\(Self.ann)", "root", "uid-\(Self.ben)"] {
            let (uri, printedAt) = ("ipp://\(host)/printers/color-laser", "ipp://\(host)/printers/mono-laser")
            for (operation, more) in [
                ("Cancel-Job", "ATTR integer job-id 1"), ("Hold-Job", "ATTR integer job-id 1"),
                ("Set-Job-Attributes", "ATTR integer job-id 1\nGROUP job-attributes-tag\nATTR integer copies 9"),
                (
                    "CUPS-Move-Job",
                    "ATTR integer job-id 1\nGROUP job-attributes-tag\n"
                        + "ATTR uri job-printer-uri ipp://\(host)/printers/inkjet"
                ),
                ("Purge-Jobs", "ATTR boolean my-jobs false"),
                ("Pause-Printer", ""), ("Cancel-Jobs", ""),
                ("Create-Job-Subscriptions", "ATTR integer notify-job-id 1"),
            ] {
                let answer = try await ask(Self.ben, as: claimed, operation, more, over: uri)
                #expect(answer.output.contains("client-error-not-authorized"), "\(operation): \(answer)")
            }
            let again = try await ask(Self.ben, as: claimed, "Resubmit-Job", "ATTR integer job-id 3", over: printedAt)
            #expect(again.output.contains("client-error-not-authorized"), "\(again)")
            for (operation, more, uri) in [
                ("Get-Jobs", "ATTR keyword which-jobs all\nATTR keyword requested-attributes all", uri),
                (
                    "Get-Job-Attributes",
                    "ATTR integer job-id 1\nATTR keyword requested-attributes all,printq-why,printq-condition,"
                        + "printq-job-events,printq-output-folder", uri
                ),
                (
                    "Get-Job-Attributes",
                    "ATTR integer job-id 3\nATTR keyword requested-attributes all,printq-output-folder", printedAt
                ),
            ] {
                let answer = try await ask(Self.ben, as: claimed, operation, more, over: uri)
                #expect(answer.output.contains("successful-ok"), "\(operation): \(answer)")
                #expect(answer.output.contains("job-state"), "\(answer)")
                // The output of ipptool contains the request and the response. The test checks only the response.
                let received = answer.output.split(separator: "RECEIVED").last ?? ""
                #expect(!received.contains("salar") && !received.contains(Self.ann), "\(answer)")
            }
            let purged = try await ask(Self.ben, as: claimed, "Purge-Jobs", "ATTR boolean my-jobs true", over: uri)
            #expect(purged.output.contains("successful-ok"), "\(purged)")
        }
        for arguments in [
            ["cancel", "1"], ["hold", "1"], ["move", "1", "inkjet"], ["reprint", "3"],
            ["log", "--accounting", "--user", "uid-\(Self.ann)"],
        ] {
            let run = try await run(Self.ben, spooler.folder.path("printq"), arguments)
            #expect(run.code != 0, "\(arguments): \(run)")
        }
        for arguments in [
            ["queue", "--all"], ["log"], ["show", "1"], ["show", "3"], ["why", "1"], ["log", "--accounting"],
        ] {
            let run = try await run(Self.ben, spooler.folder.path("printq"), arguments)
            #expect(!run.output.contains("salar") && !run.output.contains(Self.ann), "\(arguments): \(run)")
        }
        // The files of the spool must be unreadable.
        let readable = "find . -type f -readable; cat jobs/*/* spool.sqlite printers/*/* 2>/dev/null"
        let files = try await run(Self.ben, "/bin/sh", ["-c", "cd \(spooler.spool) && (\(readable))"])
        #expect(files.output.isEmpty, "\(files)")

        // Ann's jobs are unchanged, and Ann may still use these operations.
        let after = try await printq(Self.ann, "queue", "--all", "--json")
        #expect(after.output.contains("salaries of all") && after.output.contains("salaries two"))
        #expect(try await printq(Self.ann, "log").output.contains("salaries three"))
        #expect(try await printq(Self.ann, "cancel", "1").code == 0)
        #expect(try await printq(Self.ann, "reprint", "3").code == 0)
    }

    @Test func `-U lists the jobs of a user to administrators and to the user, and is refused to others`() async throws
    {
        let document = try spooler.file("letter.pdf", .numbered(pages: 1))
        chmod(document, 0o644)
        expect(try await printq(Self.ann, "submit", "--hold", "indefinite", "--title", "waiting", document))
        expect(try await printq(Self.ann, "submit", "--wait", "--title", "ended", document))
        // The list of a user with a job of another user behind it.
        expect(try await spooler.printq("submit", "--hold", "indefinite", "--title", "other", document))
        let ann = "uid-\(Self.ann)"
        for (command, title) in [("queue", "waiting"), ("log", "ended")] {
            for run in [
                try await spooler.printq(command, "-U", ann), try await printq(Self.ann, command, "-U", ann),
            ] {
                expect(run)
                #expect(run.lines.count == 2 && run.output.contains(title), "\(run)")
            }
            // The answer does not show whether the user exists or has jobs.
            for name in [ann, "nobody-of-that-name", "root"] {
                let refused = try await printq(Self.ben, command, "-U", name)
                expect(refused, code: EX_NOPERM, says: "printq: only administrators can list the jobs of \(name)")
                #expect(refused.output.isEmpty, "\(refused)")
            }
        }
        expect(try await printq(Self.ben, "queue", "-U", "uid-\(Self.ben)"))
    }

    @Test
    func `if only printd can read the spool, the pages of a job are shown only to the job's owner and administrators`()
        async throws
    {
        let document = spooler.folder.path("letter.pdf")
        try PDFBuilder.numbered(pages: 2).write(to: document)
        chmod(document, 0o644)
        chmod(spooler.folder.path, 0o1777)
        // The user can connect to printd, but cannot enter any folder of the spool.
        for name in try FileManager.default.contentsOfDirectory(atPath: spooler.spool) {
            let path = "\(spooler.spool)/\(name)"
            var isFolder = ObjCBool(false)
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
                chmod(path, 0o700)
            }
        }
        let printed = try await printq(Self.ann, "submit", "--wait", document)
        expect(printed)
        #expect(printed.complaints.hasSuffix("All pages printed\n"), "\(printed)")
        #expect(printed.output.contains("  page-0001.png  page-0002.png  job.json"), "\(printed)")
        #expect(printed.output.contains("'printq preview 1' shows the pages"), "\(printed)")
        let shown = try await printq(Self.ann, "show", "1", "--json")
        #expect(shown.output.contains("\"page-0002.png\""), "\(shown)")

        let listed = try await printq(Self.ann, "preview", "1")
        expect(listed)
        try #require(listed.lines.count == 3 && listed.lines[2].contains("210 × 297 mm"), "\(listed)")
        let folder = spooler.folder.path("ann")
        let written = try await printq(Self.ann, "preview", "1", "--output", folder)
        expect(written)
        #expect(written.lines == ["\(folder)/page-0001.png", "\(folder)/page-0002.png"])
        #expect(try Bitmap(readingPNG: written.lines[1]).width == 794, "A4 at 96 dpi")
        let again = try await printq(Self.ann, "preview", "1", "--output", folder)
        #expect(again.code == EX_IOERR && again.complaints.contains("use --force"), "\(again)")
        expect(try await printq(Self.ann, "preview", "1", "--output", folder, "--force"))

        let refusal =
            "printq: cannot show the pages of job 1: only the owner of job 1 and administrators may see the pages of "
            + "the job"
        for arguments in [["preview", "1"], ["preview", "1", "--json"], ["preview", "1", "--output", folder]] {
            expect(
                try await run(Self.ben, spooler.folder.path("printq"), arguments), code: EX_NOPERM, says: refusal)
        }
        // Root is an administrator, and can read the spool.
        let byRoot = try await spooler.printq("preview", "1")
        expect(byRoot)
        #expect(byRoot.lines.last?.hasSuffix("/page-0002.png") == true)
        let left = try FileManager.default.contentsOfDirectory(atPath: spooler.folder.path)
        #expect(!left.contains { $0.hasPrefix("printq-preview-") }, "\(left)")
    }

    @Test func `'printq preview' lists the sides of a waiting job, and fails if the job's documents were deleted`()
        async throws
    {
        let document = spooler.folder.path("letter.pdf")
        try PDFBuilder.numbered(pages: 3).write(to: document)
        chmod(document, 0o644)
        chmod(spooler.folder.path, 0o1777)
        expect(try await spooler.printq("printers", "pause", "mono-laser"))
        expect(try await printq(Self.ann, "submit", "-d", "mono-laser", "--number-up", "2", document))
        let waiting = try await printq(Self.ann, "preview", "1")
        expect(waiting)
        try #require(waiting.lines.count == 3 && waiting.lines[1].contains("waiting"), "\(waiting)")
        #expect(waiting.lines[1].hasSuffix("1, 2") && waiting.lines[2].hasSuffix("3"), "\(waiting)")
        expect(try await printq(Self.ann, "submit", "-d", "mono-laser", "--no-keep", document))
        expect(try await printq(Self.ann, "cancel", "2"))
        let gone = try await printq(Self.ann, "preview", "2")
        #expect(gone.code == 1 && gone.complaints.contains("job 2 has no pages: "), "\(gone)")
    }

    @Test func `printd refuses to listen on an address that is not a loopback address`() async throws {
        for address in ["0.0.0.0:0", "192.0.2.1:8631", "[::]:0", "example.org:8631"] {
            let run = try await spooler.run(
                spooler.program("printd"), ["--spool", spooler.folder.path("other"), "--listen", address])
            #expect(run.code == EX_USAGE, "\(run)")
            #expect(run.complaints.contains("this setting is for clients of this machine"), "\(run)")
        }
    }

    @Test func `if printq starts printd for a new spool, printd opens no TCP port`() async throws {
        let other = try TestSpooler()
        #expect(try await other.printq("queue").code == 0)
        let doctor = try await other.printq("doctor")
        #expect(doctor.output.contains("printd has no TCP port"), "\(doctor)")
        let pid = try #require(other.processes(of: "printd").first)
        #expect(try Self.portsListenedOn(by: pid).isEmpty)
    }

    /// Returns the listening TCP ports of a process (proc(5): `0A` is `TCP_LISTEN`).
    private static func portsListenedOn(by pid: Int32) throws -> [String] {
        let folder = "/proc/\(pid)/fd"
        let links = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
        var ports: [String] = []
        for table in ["tcp", "tcp6"] {
            let text = try String(contentsOfFile: "/proc/\(pid)/net/\(table)", encoding: .utf8)
            for line in text.split(separator: "\n").dropFirst() {
                let fields = line.split(separator: " ").map(String.init)
                guard fields.count > 9, fields[3] == "0A", links.contains("socket:[\(fields[9])]") else { continue }
                ports.append(fields[1])
            }
        }
        return ports
    }
}
