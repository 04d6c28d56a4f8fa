import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .sharesSpooler, .timeLimit(.minutes(2)))
struct BadInputTests {
    @Test func `invalid input causes an error message of one sentence, and no job is queued`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let pdf = try spooler.file("a.pdf", .numbered(pages: 1))
        let missing = spooler.folder.path("missing.pdf")
        expect(
            try await spooler.printq("submit", missing), code: 66,
            says: "printq: cannot open '\(missing)': no such file")
        expect(
            try await spooler.printq("submit", spooler.folder.path), code: 66,
            says: "printq: '\(spooler.folder.path)' is a folder; specify files to print")
        // If one of several files is missing, no file is queued.
        expect(try await spooler.printq("submit", pdf, missing), code: 66)
        let cases: [(arguments: [String], code: Int32, words: String)] = [
            (["-d", "nobody", pdf], 64, "nobody"),
            (["-d", "../x", pdf], 64, "../x"),
            (["--paper", "A99", pdf], 64, "A99"),
            (["--paper", "A3", pdf], 64, "A3"),
            (["--pages", "0", pdf], 64, "0"),
            (["--pages", "5-2", pdf], 64, "5-2"),
            (["--pages", "a-b", pdf], 64, "a-b"),
            (["--duplex", "long", "-d", "inkjet", pdf], 64, "two-sided"),
            (["--number-up", "3", pdf], 64, "invalid value '3' for --number-up"),
            (["-n", "0", pdf], 64, "invalid value '0' for --copies"),
            (["-o", "color=purple", pdf], 64, "invalid value 'purple' for -o color; expected auto"),
            (["-d", "colr-laser", pdf], 64, "did you mean 'color-laser'?"),
            (["--hold=25:99", pdf], 64, "25:99"),
            (["--no-such-option", pdf], 64, "no-such-option"),
            ([], 64, "files"),
        ]
        for (arguments, code, words) in cases {
            let run = try await spooler.run(spooler.program("printq"), ["submit"] + arguments)
            expect(run, code: code)
            #expect(run.complaints.contains(words), "\(arguments): \(run.complaints)")
            #expect(run.complaints.split(separator: "\n").count == 1, "\(arguments): \(run.complaints)")
            #expect(run.complaints.hasPrefix("printq: "), "\(run.complaints)")
            #expect(run.output.isEmpty)
        }
        #expect(try await spooler.jobs("--all").isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(spooler.spool)/incoming").isEmpty)
    }

    @Test func `the error for an unknown job or printer contains the job number or the printer name`() async throws {
        let spooler = try TestSpooler.shared()
        for arguments in [["show", "99"], ["why", "99"], ["cancel", "99"], ["hold", "99"], ["release", "99"]] {
            let run = try await spooler.run(spooler.program("printq"), arguments)
            expect(run, code: 64, says: "printq: job 99 does not exist, or was removed from the history")
        }
        let run = try await spooler.printq("printers", "pause", "nobody")
        expect(run, code: 64)
        #expect(run.complaints.contains("nobody"))
    }

    @Test(.enabled(if: getuid() != 0, "root may read every file"))
    func `if the user has no read permission for a file, the submission fails, and the error contains the path`()
        async throws
    {
        let spooler = try TestSpooler.shared()
        let path = try spooler.file("mine.pdf", .numbered(pages: 1))
        chmod(path, 0)
        expect(
            try await spooler.printq("submit", path), code: 66,
            says: "printq: cannot open '\(path)': permission denied")
    }

    @Test func `if the spool path is the path of a file, the error contains the path`() async throws {
        let spooler = try TestSpooler()
        let pdf = try spooler.file("a.pdf", .numbered(pages: 1))
        _ = try spooler.file("spool", Array("a file".utf8))
        let run = try await spooler.printq("submit", pdf)
        expect(run, code: 69)
        #expect(run.complaints.contains(spooler.spool))
        #expect(run.complaints.split(separator: "\n").count == 1, "\(run.complaints)")
    }

    @Test(.enabled(if: Self.canMount, "only root can mount a small disk"))
    func `if the disk is full, a submission is refused with a temporary error and leaves no files`() async throws {
        let spooler = try TestSpooler()
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        let mount = try await spooler.run("mount", ["-t", "tmpfs", "-o", "size=20m,mode=700", "none", spooler.spool])
        try #require(mount.code == 0, "\(mount)")
        defer {
            spooler.stop()
            for pid in spooler.processes(of: "printsim") { kill(pid, SIGKILL) }
            umount2(spooler.spool, Int32(MNT_DETACH))
        }
        try spooler.start()
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        var large = PDFBuilder()
        large.addPage(.a4) { page in
            page.content = String(repeating: "% \(String(repeating: "x", count: 97))\n", count: 60_000)
        }
        let path = try spooler.file("large.pdf", large)
        let run = try await spooler.printq("submit", path)
        expect(run, code: 75)
        #expect(run.complaints.split(separator: "\n").count == 1, "\(run.complaints)")
        #expect(try await spooler.jobs("--all").isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(spooler.spool)/incoming").isEmpty)
        // A document that fits on the disk is still accepted.
        expect(try await spooler.printq("submit", try spooler.file("small.pdf", .numbered(pages: 1))))
    }

    /// Whether this process can mount file systems.
    static let canMount: Bool = {
        let folder = NSTemporaryDirectory() + "printq-mount-\(UUID().uuidString)"
        mkdir(folder, 0o700)
        defer { rmdir(folder) }
        guard mount("none", folder, "tmpfs", 0, "size=64k") == 0 else { return false }
        return umount2(folder, 0) == 0
    }()
}
