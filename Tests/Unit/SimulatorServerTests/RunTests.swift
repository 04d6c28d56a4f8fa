import FoundationEssentials
import Glibc
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests of `printsim run` and `printsim compare` with the real programs and the real lp.
@Suite(.serialized) struct RunTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func printsim(_ arguments: String..., variables: [String: String] = [:]) async throws -> ProgramRun {
        let environment = [
            "PRINTSIM_SIMULATORS": "\(packageFolder)/Simulators", "PATH": "/usr/bin:/bin", "HOME": folder.path("."),
            "TMPDIR": folder.path("."),
        ].merging(variables) { $1 }
        return try await ProgramRun(
            Programs.besideTests("printsim"), arguments, environment: environment, in: folder.path("."))
    }

    private func document(_ name: String, lineAt y: Double? = nil) throws -> String {
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.fill(.blue, x: 100, y: 100, width: 100, height: 100) }
        pdf.addPage(.a4) { page in
            page.fill(.red, x: 100, y: 300, width: 100, height: 100)
            if let y { page.fill(.black, x: 100, y: y, width: 200, height: 0.72) }
        }
        let path = folder.path(name)
        try pdf.write(to: path)
        return path
    }

    @Test func `'printsim run' compares the printed pages with stored golden pages, and reports differences`()
        async throws
    {
        let path = try document("letter.pdf")
        let recorded = try await printsim("run", "--golden", "golden", "--record", "--", "lp", path)
        #expect(recorded.code == 0, "\(recorded)")
        #expect(recorded.output.hasPrefix("request id is color-laser-1"), "\(recorded)")
        #expect(recorded.complaints == "printsim: job 1 (letter.pdf): completed, 2 sides\n")
        let same = try await printsim("run", "--golden", "golden", "--junit", "same.xml", "--", "lp", path)
        #expect(same.code == 0, "\(same)")
        #expect(
            try String(contentsOfFile: folder.path("same.xml"), encoding: .utf8).contains("tests=\"5\" failures=\"0\""))

        let other = try await printsim(
            "run", "--golden", "golden", "--output", "out", "--junit", "other.xml", "--", "lp",
            try document("letter.pdf", lineAt: 500))
        #expect(other.code == 1)
        #expect(
            other.complaints.contains("FAILED: job 1 (letter.pdf), page-0002.png: ")
                && other.complaints.contains("pixels differ by up to 210, from ("),
            "\(other.complaints)")
        #expect(
            FileManager.default.fileExists(atPath: folder.path("out/color-laser/differences/job-000001/page-0002.png")))
        let report = try String(contentsOfFile: folder.path("other.xml"), encoding: .utf8)
        #expect(report.contains("failures=\"1\""))
        #expect(report.contains(/<testsuite .* time="[0-9]+\.[0-9]{3}">/), "\(report)")
        #expect(report.contains(/name="job 1 \(letter.pdf\) is completed" time="[0-9]+\.[0-9]{3}"/), "\(report)")
        #expect(
            report.contains("[[ATTACHMENT|\(folder.path("out/color-laser/differences/job-000001/page-0002.png"))]]"))

        let compared = try await printsim("compare", "golden", "out/color-laser/job-000001")
        #expect(compared.code == 1 && compared.output.hasPrefix("page-0002.png: "))
        #expect(try await printsim("compare", "golden", "golden").output == "2 pages match\n")
        #expect(try await printsim("compare", "golden", "nowhere").code == 66)
    }

    @Test func `'printsim run' checks the jobs of several printers in the order of their arrival`() async throws {
        let script = """
            lp -d mono-laser -t first \(try document("letter.pdf")) && lp -t second letter.pdf &&
            echo $PRINTSIM_URI_MONO_LASER $LPDEST
            """
        func run(_ arguments: String) async throws -> ProgramRun {
            try await printsim(
                "run", "--printer", "color-laser", "--printer", "mono-laser", "--output", "out", "--golden", "golden",
                arguments, "--", "sh", "-c", script)
        }
        let recorded = try await run("--record")
        #expect(recorded.code == 0, "\(recorded)")
        #expect(recorded.output.contains("/ipp/print/mono-laser color-laser\n"), "\(recorded)")
        let lines = [("mono-laser", "first", 1), ("color-laser", "second", 2)].map { printer, name, job in
            "printsim: job \(job) (\(name)): completed, 2 sides in \(folder.path("out/\(printer)/job-00000\(job)"))\n"
        }
        #expect(recorded.complaints == lines.joined())
        #expect(try await run("--allow-printer-warnings").code == 0)
    }

    @Test func `with '--expect', 'printsim run' succeeds only if a printer reports the fault`() async throws {
        let path = try document("letter.pdf")
        let low = try await printsim("run", "--fault", "media-low", "--expect", "media-low", "--", "lp", path)
        #expect(low.code == 0, "\(low)")
        let good = try await printsim("run", "--expect", "media-jam", "--", "lp", path)
        #expect(
            good.code == 1
                && good.complaints.contains("FAILED: the printer reports media-jam: printer-state-reasons had none"),
            "\(good)")
    }

    @Test func `variables of the environment set options of 'printsim serve', and the command line overrides them`()
        async throws
    {
        let wrong = try await printsim("mono-laser", "--temporary", variables: ["PRINTSIM_KEEP": "none"])
        #expect(wrong.code == 64 && wrong.complaints.contains("PRINTSIM_KEEP is set"), "\(wrong)")
        let port = try LoopbackPort(isShared: true)
        defer { close(port.socket) }
        let served = try await printsim(
            "mono-laser", "--temporary", "--no-dns-sd", "--idle-exit=0.1",
            variables: ["PRINTSIM_PORT": "\(port.number)", "PRINTSIM_IDLE_EXIT": "100"])
        #expect(served.code == 0 && served.output.contains("localhost:\(port.number)/"), "\(served)")
        let compared = try await printsim("compare", ".", ".", variables: ["PRINTSIM_PORT": "x"])
        #expect(compared.output == "neither folder contains pages\n", "\(compared)")
    }

    @Test func `'printsim run' fails if the program prints nothing, fails or does not exist`() async throws {
        let nothing = try await printsim("run", "--", "true")
        #expect(
            nothing.code == 1 && nothing.complaints.contains("FAILED: a job arrived: no job arrived"), "\(nothing)")
        #expect(try await printsim("run", "--", "sh", "-c", "exit 7").code == 7)
        #expect(try await printsim("run", "--", "/nonexistent/program").code == 127)
        #expect(try await printsim("run").code == 64)
    }

    @Test func `'printsim run' fails if a document cannot be printed or its content is clipped`() async throws {
        let broken = folder.path("broken.pdf")
        try "%PDF-1.4 nonsense".write(toFile: broken, atomically: true, encoding: .utf8)
        let aborted = try await printsim("run", "--", "lp", broken)
        #expect(aborted.code == 1 && aborted.complaints.contains("is completed: the state is aborted"), "\(aborted)")
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.fill(.black, x: 0, y: 100, width: 100, height: 100) }
        try pdf.write(to: folder.path("cut.pdf"))
        let cut = try await printsim("run", "--", "lp", folder.path("cut.pdf"))
        #expect(cut.code == 1 && cut.complaints.contains("content clipped at the left margin on page 1"), "\(cut)")
    }

    // MARK: - Start and end of the program

    /// The temporary folders that `printsim run` did not delete.
    private var leftFolders: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path("."))) ?? []).filter {
            $0.hasPrefix("printsim-")
        }
    }

    @Test func `'printsim run' starts a program with default signal handling and a simulated default printer`()
        async throws
    {
        let run = try await ProgramRun(
            Programs.besideTests("printsim"),
            [
                "run", "--", "sh", "-c",
                "grep -E '^Sig(Blk|Ign)' /proc/self/status; echo $LPDEST ${PRINTER-none} $CUPS_SERVER $PRINTSIM_OUTPUT",
            ],
            environment: [
                "PRINTSIM_SIMULATORS": "\(packageFolder)/Simulators", "PATH": "/usr/bin:/bin", "LPDEST": "mine",
                "PRINTER": "mine", "TMPDIR": folder.path("."),
            ], in: folder.path("."))
        let lines = run.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 3, "\(run)")
        #expect(lines[0].hasSuffix("\t0000000000000000"), "\(lines)")
        let ignored = try #require(lines[1].split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
        #expect(ignored & (1 << UInt64(SIGPIPE - 1)) == 0)
        #expect(lines[2].hasPrefix("color-laser none localhost:") && lines[2].hasSuffix("/color-laser"), "\(lines)")
    }

    @Test func `SIGTERM ends 'printsim run' and the program, and leaves no temporary files`() async throws {
        let fifo = folder.path("fifo")
        try #require(mkfifo(fifo, 0o600) == 0)
        let run = try CompanionProcess(
            program: Programs.besideTests("printsim"),
            arguments: [
                "run", "--junit", folder.path("v.xml"), "--", "sh", "-c", "exec > \(fifo); echo up; sleep 600; true",
            ],
            environment: ["PRINTSIM_SIMULATORS": "\(packageFolder)/Simulators", "TMPDIR": folder.path(".")],
            log: folder.path("log"))
        let descriptor = open(fifo, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 3)
        #expect(read(descriptor, &bytes, 3) == 3)
        kill(run.pid, SIGTERM)
        #expect(await run.untilEnded() == 128 + SIGTERM)
        #expect(read(descriptor, &bytes, 3) == 0)
        #expect(leftFolders.isEmpty)
        #expect(try String(contentsOfFile: folder.path("v.xml"), encoding: .utf8).contains("signal 15 ended the run"))
    }

    @Test func `'printsim run' has different exit codes for a missing program and a program that is not executable`()
        async throws
    {
        let missing = try await printsim("run", "--junit", "v.xml", "--", "nosuchprogram")
        #expect(missing.code == 127 && missing.complaints.contains("cannot start 'nosuchprogram'"), "\(missing)")
        #expect(
            try String(contentsOfFile: folder.path("v.xml"), encoding: .utf8).contains("the program succeeds"))
        #expect(try await printsim("run", "--", "/etc/passwd").code == 126)
        #expect(leftFolders.isEmpty)
    }

    // MARK: - Checked jobs

    @Test func `'printsim run' does not check jobs of an earlier run in the same folder`() async throws {
        let path = try document("letter.pdf")
        #expect(try await printsim("run", "--output", "out", "--golden", "g", "--record", "--", "lp", path).code == 0)
        let idle = try await printsim("run", "--output", "out", "--golden", "g", "--", "true")
        #expect(idle.code == 1 && idle.complaints.contains("no job arrived"), "\(idle)")
        let again = try await printsim("run", "--output", "out", "--golden", "g", "--", "lp", path)
        #expect(again.code == 0 && again.complaints.contains("job 2 (letter.pdf)"), "\(again)")
        #expect(!again.complaints.contains("job 1 "))
    }

    @Test func `with --jobs, 'printsim run' waits for jobs that arrive after the program exits`() async throws {
        let path = try document("letter.pdf")
        // The end of the program closes the pipe, which starts the printing subshell.
        let script = "mkfifo p; (read line < p; lp \(path)) > late 2>&1 & exec 3> p"
        let late = try await printsim("run", "--jobs", "1", "--", "sh", "-c", script)
        #expect(late.code == 0 && late.complaints.contains("job 1 (letter.pdf): completed"), "\(late)")
        let none = try await printsim("run", "--jobs", "1", "--timeout", "0", "--junit", "none.xml", "--", "true")
        #expect(none.code == 75, "\(none)")
        #expect(
            none.complaints.contains(
                "timed out after 0 seconds waiting for a job to end: color-laser is idle; ended jobs: 0"),
            "\(none)")
        #expect(
            try String(contentsOfFile: folder.path("none.xml"), encoding: .utf8)
                .contains("the jobs end before the timeout"))
        #expect(try await printsim("run", "--jobs", "0", "--", "true").code == 0)
        #expect(try await printsim("run", "--jobs", "1", "--", "sh", "-c", "lp \(path); lp \(path)").code == 1)
    }

    @Test func `the timeout message of 'printsim run' contains the states of the printer and the job`() async throws {
        let stuck = try await printsim(
            "run", "--timeout", "0", "--fault", "media-jam at page 2", "--", "sh", "-c",
            "lp \(try document("letter.pdf")); until ipptool -tv $PRINTSIM_URI get-printer-attributes.test | grep -q media-jam; do :; done"
        )
        #expect(stuck.code == 75, "\(stuck)")
        #expect(stuck.complaints.contains("color-laser is stopped (media-jam-error)"), "\(stuck)")
        #expect(stuck.complaints.contains("job 1 (letter.pdf) is processing-stopped, 1 of 2 sides printed"), "\(stuck)")
    }

    @Test func `a warning of the printer causes 'printsim run' to fail unless warnings are allowed`() async throws {
        let path = try document("letter.pdf")
        for fault in ["media-low", "toner-low at page 2"] {
            let low = try await printsim("run", "--fault", fault, "--", "lp", path)
            #expect(
                low.code == 1
                    && low.complaints.contains("FAILED: the printer has no warning: printer-state-reasons had"),
                "\(low)")
        }
        let allowed = try await printsim("run", "--fault", "media-low", "--allow-printer-warnings", "--", "lp", path)
        #expect(allowed.code == 0, "\(allowed)")
    }

    @Test(arguments: [
        ["--idle-exit", "1e30"], ["wait", "--timeout", "nan"], ["run", "--timeout", "1e30", "--", "true"],
    ])
    func `printsim refuses an invalid number of seconds with a message`(arguments: [String])
        async throws
    {
        let run = try await ProgramRun(
            Programs.besideTests("printsim"), arguments, environment: ["PRINTSIM_URI": "ipp://localhost:9/"],
            in: folder.path("."))
        #expect(
            run.code == EX_USAGE && run.complaints.contains("expected a number of seconds from 0 to 1000000"), "\(run)")
    }

    // MARK: - Golden pages

    @Test func `a failed 'printsim run' records no golden pages, and a successful run replaces all golden pages`()
        async throws
    {
        let path = try document("letter.pdf")
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.fill(.green, x: 100, y: 100, width: 100, height: 100) }
        try pdf.write(to: folder.path("short.pdf"))
        func pages(_ name: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(name))) ?? []).sorted()
        }
        _ = try await printsim("run", "--golden", "g", "--record", "--", "lp", path)
        try "mine".write(toFile: folder.path("g/notes.txt"), atomically: true, encoding: .utf8)
        let bad = try await printsim("run", "--golden", "g", "--record", "--", "sh", "-c", "lp short.pdf; exit 3")
        #expect(bad.code == 3 && bad.complaints.contains("recorded no golden pages"), "\(bad)")
        #expect(pages("g") == ["notes.txt", "page-0001.png", "page-0002.png"])
        let two = try await printsim("run", "--golden", "g", "--record", "--", "sh", "-c", "lp short.pdf; lp \(path)")
        #expect(two.code == 0, "\(two)")
        #expect(pages("g") == ["job-000001", "job-000002", "notes.txt"])
        #expect(pages("g/job-000002") == ["page-0001.png", "page-0002.png"])
        let fewer = try await printsim("run", "--golden", "g", "--", "lp", folder.path("short.pdf"))
        #expect(fewer.code == 1 && fewer.complaints.contains("a job arrived for job-000002"), "\(fewer)")
        #expect(try await printsim("run", "--golden", "g", "--record", "--", "lp", "short.pdf").code == 0)
        #expect(pages("g") == ["notes.txt", "page-0001.png"])
        let more = try await printsim("run", "--golden", "g", "--", "sh", "-c", "lp short.pdf; lp short.pdf")
        #expect(more.code == 1 && more.complaints.contains("must be in the folders job-000001"), "\(more)")
    }

    @Test func `'printsim run' fails with a message if the folder of golden pages is missing or unusable`() async throws
    {
        let path = try document("letter.pdf")
        let missing = try await printsim("run", "--golden", "none", "--junit", "v.xml", "--", "lp", path)
        #expect(missing.code == 66 && missing.complaints.contains("create the folder with --record"), "\(missing)")
        let results = try String(contentsOfFile: folder.path("v.xml"), encoding: .utf8)
        #expect(results.contains("create the folder with --record"))
        let unusable = try await printsim("run", "--golden", "/dev/null/x", "--record", "--", "lp", path)
        #expect(
            unusable.code == EX_CANTCREAT
                && unusable.complaints
                    == "printsim: cannot use '/dev/null/x' for golden pages: '/dev/null' is not a folder\n",
            "\(unusable)")
    }

    @Test func `'--check' fails the run for content that surprises on paper`() async throws {
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.text("Text", x: 100, y: 700) }
        pdf.addPage(.a4) { _ in }
        let path = folder.path("checked.pdf")
        try pdf.write(to: path)
        let all = ["fonts", "printable-area", "blank-pages", "color"].flatMap { ["--check", $0] }
        let arguments = ["run"] + all + ["--junit", "c.xml", "--", "lp", path]
        let failed = try await ProgramRun(
            Programs.besideTests("printsim"), arguments,
            environment: ["PRINTSIM_SIMULATORS": "\(packageFolder)/Simulators", "PATH": "/usr/bin:/bin"],
            in: folder.path("."))
        #expect(failed.code == 1, "\(failed)")
        for sentence in ["fonts are not embedded: Helvetica", "page 2 is blank"] {
            #expect(failed.complaints.contains(sentence), "\(failed)")
        }
        let results = try String(contentsOfFile: folder.path("c.xml"), encoding: .utf8)
        #expect(results.contains("name=\"job 1 (checked.pdf) passes the check color\"/>"), "\(results)")
        let passed = try await printsim("run", "--check", "printable-area", "--", "lp", try document("letter.pdf"))
        #expect(passed.code == 0, "\(passed)")
        let wrong = try await printsim("run", "--check", "ink", "--", "true")
        #expect(wrong.code == 64 && wrong.complaints.contains("blank-pages"), "\(wrong)")
    }

    @Test func `the tested program uses the HTTP API with the token of its run`() async throws {
        let script = """
            lp -t letter "$1" >&2
            curl -sS -H "Authorization: Bearer $PRINTSIM_TOKEN" \
                "${PRINTSIM_CENTER}api/v1/printers/color-laser/jobs/wait?job=1"
            """
        let run = try await printsim("run", "--", "sh", "-c", script, "sh", try document("letter.pdf"))
        #expect(run.code == 0 && run.output.contains(#""job-name":"letter""#), "\(run)")
    }
}
