import FoundationEssentials
import Glibc
import PrintTestSupport
import ProcessLaunch
import Testing

/// `printsim run` and `printsim compare`: the real programs, and the real lp.
@Suite(.serialized) struct RunTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func printsim(_ arguments: String...) async throws -> ProgramRun {
        let environment = [
            "PRINTSIM_SIMULATORS": "\(packageFolder)/Simulators", "PATH": "/usr/bin:/bin", "HOME": folder.path("."),
            "TMPDIR": folder.path("."),
        ]
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

    @Test func `plain lp reaches the printer, and its pages are compared with golden ones to the line`() async throws {
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
                && other.complaints.contains("pixels differ, from ("),
            "\(other.complaints)")
        #expect(
            FileManager.default.fileExists(atPath: folder.path("out/color-laser/differences/job-000001/page-0002.png")))
        #expect(try String(contentsOfFile: folder.path("other.xml"), encoding: .utf8).contains("failures=\"1\""))

        let compared = try await printsim("compare", "golden", "out/color-laser/job-000001")
        #expect(compared.code == 1 && compared.output.hasPrefix("page-0002.png: "))
        #expect(try await printsim("compare", "golden", "golden").output == "2 pages alike\n")
        #expect(try await printsim("compare", "golden", "nowhere").code == 66)
    }

    @Test func `a program that prints nothing, fails, or is not there is told`() async throws {
        let nothing = try await printsim("run", "--", "true")
        #expect(
            nothing.code == 1 && nothing.complaints.contains("FAILED: a job came: nothing was printed"), "\(nothing)")
        #expect(try await printsim("run", "--", "sh", "-c", "exit 7").code == 7)
        #expect(try await printsim("run", "--", "/nonexistent/program").code == 127)
        #expect(try await printsim("run").code == 64)
    }

    @Test func `a document that cannot be printed, and one that is cut, fail the run`() async throws {
        let broken = folder.path("broken.pdf")
        try "%PDF-1.4 nonsense".write(toFile: broken, atomically: true, encoding: .utf8)
        let aborted = try await printsim("run", "--", "lp", broken)
        #expect(aborted.code == 1 && aborted.complaints.contains("is completed: it is aborted"), "\(aborted)")
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.fill(.black, x: 0, y: 100, width: 100, height: 100) }
        try pdf.write(to: folder.path("cut.pdf"))
        let cut = try await printsim("run", "--", "lp", folder.path("cut.pdf"))
        #expect(cut.code == 1 && cut.complaints.contains("content clipped at the left margin on page 1"), "\(cut)")
    }

    // MARK: - How the program is started, and ended

    /// The folders that runs have left among the temporary ones.
    private var leftFolders: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path("."))) ?? []).filter {
            $0.hasPrefix("printsim-")
        }
    }

    @Test func `the program has nothing blocked or ignored, and finds no default printer but this one`() async throws {
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

    @Test func `a signal ends the program, the run, and leaves nothing behind`() async throws {
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
        #expect(try String(contentsOfFile: folder.path("v.xml"), encoding: .utf8).contains("signal 15 ended it"))
    }

    @Test func `a program that is not there leaves no folder, and is told from one that may not run`() async throws {
        let missing = try await printsim("run", "--junit", "v.xml", "--", "nosuchprogram")
        #expect(missing.code == 127 && missing.complaints.contains("'nosuchprogram' does not start"), "\(missing)")
        #expect(
            try String(contentsOfFile: folder.path("v.xml"), encoding: .utf8).contains("the program succeeds"))
        #expect(try await printsim("run", "--", "/etc/passwd").code == 126)
        #expect(leftFolders.isEmpty)
    }

    // MARK: - Which jobs are judged, and when

    @Test func `jobs of an earlier run in the same folder are not judged`() async throws {
        let path = try document("letter.pdf")
        #expect(try await printsim("run", "--output", "out", "--golden", "g", "--record", "--", "lp", path).code == 0)
        let idle = try await printsim("run", "--output", "out", "--golden", "g", "--", "true")
        #expect(idle.code == 1 && idle.complaints.contains("nothing was printed"), "\(idle)")
        let again = try await printsim("run", "--output", "out", "--golden", "g", "--", "lp", path)
        #expect(again.code == 0 && again.complaints.contains("job 2 (letter.pdf)"), "\(again)")
        #expect(!again.complaints.contains("job 1 "))
    }

    @Test func `jobs that come when the program has ended are waited for when their number is said`() async throws {
        let path = try document("letter.pdf")
        // The one that prints begins when the program's end has closed the pipe.
        let script = "mkfifo p; (read line < p; lp \(path)) > late 2>&1 & exec 3> p"
        let late = try await printsim("run", "--jobs", "1", "--", "sh", "-c", script)
        #expect(late.code == 0 && late.complaints.contains("job 1 (letter.pdf): completed"), "\(late)")
        let none = try await printsim("run", "--jobs", "1", "--timeout", "0", "--junit", "none.xml", "--", "true")
        #expect(none.code == 75, "\(none)")
        #expect(
            none.complaints.contains(
                "waited 0 seconds for a job to end, in vain: color-laser is idle; 0 jobs have ended"), "\(none)")
        #expect(
            try String(contentsOfFile: folder.path("none.xml"), encoding: .utf8).contains("the jobs end in time"))
        #expect(try await printsim("run", "--jobs", "0", "--", "true").code == 0)
        #expect(try await printsim("run", "--jobs", "1", "--", "sh", "-c", "lp \(path); lp \(path)").code == 1)
    }

    @Test func `a run whose job is stuck says what the printer and the job are doing`() async throws {
        let stuck = try await printsim(
            "run", "--timeout", "0", "--fault", "media-jam at page 2", "--", "sh", "-c",
            "lp \(try document("letter.pdf")); until ipptool -tv $PRINTSIM_URI get-printer-attributes.test | grep -q media-jam; do :; done"
        )
        #expect(stuck.code == 75, "\(stuck)")
        #expect(stuck.complaints.contains("color-laser is stopped (media-jam-error)"), "\(stuck)")
        #expect(stuck.complaints.contains("job 1 (letter.pdf) is processing-stopped, 1 of 2 sides printed"), "\(stuck)")
    }

    @Test func `a warning of the printer fails the run, unless it is allowed`() async throws {
        let path = try document("letter.pdf")
        for fault in ["media-low", "toner-low at page 2"] {
            let low = try await printsim("run", "--fault", fault, "--", "lp", path)
            #expect(low.code == 1 && low.complaints.contains("FAILED: the printer has no warning: it said"), "\(low)")
        }
        let allowed = try await printsim("run", "--fault", "media-low", "--allow-printer-warnings", "--", "lp", path)
        #expect(allowed.code == 0, "\(allowed)")
    }

    @Test(arguments: [
        ["--idle-exit", "1e30"], ["wait", "--timeout", "nan"], ["run", "--timeout", "1e30", "--", "true"],
    ])
    func `seconds that no clock knows are refused in words`(arguments: [String]) async throws {
        let run = try await ProgramRun(
            Programs.besideTests("printsim"), arguments, environment: ["PRINTSIM_URI": "ipp://localhost:9/"],
            in: folder.path("."))
        #expect(run.code == EX_USAGE && run.complaints.contains("it takes seconds from 0 to 1000000"), "\(run)")
    }

    // MARK: - Golden pages

    @Test func `a bad run is not recorded, and a good one replaces all pages of an earlier one`() async throws {
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
        #expect(bad.code == 3 && bad.complaints.contains("nothing is recorded"), "\(bad)")
        #expect(pages("g") == ["notes.txt", "page-0001.png", "page-0002.png"])
        let two = try await printsim("run", "--golden", "g", "--record", "--", "sh", "-c", "lp short.pdf; lp \(path)")
        #expect(two.code == 0, "\(two)")
        #expect(pages("g") == ["job-000001", "job-000002", "notes.txt"])
        #expect(pages("g/job-000002") == ["page-0001.png", "page-0002.png"])
        let fewer = try await printsim("run", "--golden", "g", "--", "lp", folder.path("short.pdf"))
        #expect(fewer.code == 1 && fewer.complaints.contains("a job came for job-000002"), "\(fewer)")
        #expect(try await printsim("run", "--golden", "g", "--record", "--", "lp", "short.pdf").code == 0)
        #expect(pages("g") == ["notes.txt", "page-0001.png"])
        let more = try await printsim("run", "--golden", "g", "--", "sh", "-c", "lp short.pdf; lp short.pdf")
        #expect(more.code == 1 && more.complaints.contains("lie in a folder for each, job-000001"), "\(more)")
    }

    @Test func `a golden folder that is not there, or cannot be made, is told in a sentence`() async throws {
        let path = try document("letter.pdf")
        let missing = try await printsim("run", "--golden", "none", "--junit", "v.xml", "--", "lp", path)
        #expect(missing.code == 66 && missing.complaints.contains("make it with --record"), "\(missing)")
        #expect(try String(contentsOfFile: folder.path("v.xml"), encoding: .utf8).contains("make it with --record"))
        let unusable = try await printsim("run", "--golden", "/dev/null/x", "--record", "--", "lp", path)
        #expect(
            unusable.code == EX_CANTCREAT
                && unusable.complaints
                    == "printsim: the golden pages cannot go to '/dev/null/x', for '/dev/null' is no folder; name another\n",
            "\(unusable)")
    }
}
