import Foundation
import PrintTestSupport
import Testing

/// Tests of the contents of the spool after jobs have ended, with the real programs.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct KeepingTests {
    /// Returns the files in the spool, except the output of simulated printers, that contain a text.
    private func findings(_ text: String, in spooler: TestSpooler) throws -> [String] {
        let names = try #require(FileManager.default.enumerator(atPath: spooler.spool)).compactMap { $0 as? String }
        return names.filter { name in
            guard !name.hasPrefix("output/") else { return false }
            let data = try? Data(contentsOf: URL(fileURLWithPath: "\(spooler.spool)/\(name)"))
            return data?.range(of: Data(text.utf8)) != nil
        }
    }

    /// Returns a PDF with one page, followed by the given number of bytes of repeated secret text.
    private func document(_ secret: String, bytes: Int) -> [UInt8] {
        let line = Array("% \(secret)\n".utf8)
        return PDFBuilder.numbered(pages: 1).bytes + Array(repeatElement(line, count: bytes / line.count).joined())
    }

    @Test(arguments: [20_000, 200_000])
    func `the document of a job with --no-keep is deleted after the job ends, and the job history is kept`(bytes: Int)
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try spooler.file("a.pdf", document("for nobody's eyes", bytes: bytes))
        expect(try await spooler.printq("submit", "--no-keep", "--hold", path))
        #expect(try !findings("for nobody's eyes", in: spooler).isEmpty)
        expect(try await spooler.printq("release", "1"))
        try await spooler.waitForEnd(of: 1)
        #expect(try await spooler.job(1).state == "completed")
        let jobs = "\(spooler.spool)/jobs"
        try await eventually("the files of the job are deleted", in: jobs) {
            try FileManager.default.contentsOfDirectory(atPath: jobs).isEmpty
        }
        expect(
            try await spooler.printq("reprint", "1"), code: 1,
            says: "printq: document 1 of job 1 was not kept when the job ended; submit the document again")
        let shown = try await spooler.printq("show", "1").output
        #expect(shown.contains("job-retain-until  none\n"), "\(shown)")
        #expect(!shown.contains("reprint 1"), "\(shown)")
        // printd overwrites the write-ahead log of the database during the next cleanup or at the next start.
        spooler.stop(SIGKILL)
        try spooler.start()
        try await eventually("no byte of the document is left", in: spooler.spool) {
            try findings("for nobody's eyes", in: spooler).isEmpty
        }
        #expect(try await spooler.jobs("--completed").map(\.id) == [1])
    }

    @Test func `if a text exceeds the size limit, the job is aborted and the document is deleted`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let line = Array("a line of a text that is too long to be printed\n".utf8)
        var text = Data(line)
        while text.count <= 100_000_000 { text.append(text) }
        let path = spooler.folder.path("long.txt")
        try text.write(to: URL(fileURLWithPath: path))
        let run = try await spooler.printq("submit", "--wait", path)
        #expect(run.code != 0)
        let job = try await spooler.job(1)
        #expect(job.state == "aborted" && job.reasons.contains("document-unprintable-error"), "\(job)")
        #expect(job.message?.contains("100 MB") == true, "\(job.message ?? "")")
        let jobs = "\(spooler.spool)/jobs"
        try await eventually("the files of the job are deleted", in: jobs) {
            try FileManager.default.contentsOfDirectory(atPath: jobs).isEmpty
        }
    }

    @Test func `'printq reprint' fails with a reason if 'keepDocuments' is false`() async throws {
        let spooler = try TestSpooler()
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        try "{ keepDocuments: false }".write(
            toFile: "\(spooler.spool)/printd.json5", atomically: true, encoding: .utf8)
        try spooler.start()
        expect(try await spooler.printq("submit", "--wait", try spooler.file("a.pdf", .numbered(pages: 1))))
        let run = try await spooler.printq("reprint", "1")
        expect(run, code: 1)
        #expect(run.complaints.contains("was not kept"), "\(run)")
    }

    @Test(arguments: ["keepDocuments: 'a while'", "keepDocuments: -1", "keepDocuments: null, keepJobs: 'x'"])
    func `printd rejects settings with an unknown name or an invalid value`(setting: String) async throws {
        let spooler = try TestSpooler()
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        try "{ \(setting) }".write(toFile: "\(spooler.spool)/printd.json5", atomically: true, encoding: .utf8)
        let run = try await spooler.run(spooler.program("printd"), ["--spool", spooler.spool, "--no-tcp"])
        #expect(run.code == 78, "\(run)")
        #expect(run.output.contains(setting.contains("x") ? "keepJobs" : "for keepDocuments: must be true"), "\(run)")
    }

    @Test
    func `printd removes the orphaned files of a killed printd, and 'printq doctor' shows the number of removed files`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try spooler.file("a.pdf", document("large", bytes: 100_000))
        let held = try await spooler.submit(path, "--hold")
        let done = try await spooler.submit(path)
        try await spooler.waitForEnd(of: done)
        spooler.stop(SIGKILL)
        let leftovers = [
            "incoming/6fd0", "jobs/99/document-1.pdf", "jobs/\(done)/prepared.pdf",
            "jobs/\(done)/prepared.pdf.6fd0.partial", "jobs/\(held)/document-1.pdf.6fd0",
        ]
        for leftover in leftovers {
            let url = URL(fileURLWithPath: "\(spooler.spool)/\(leftover)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("left".utf8).write(to: url)
        }
        try spooler.start()
        // The orphaned files are in four folders. One of the folders is removed too.
        try await eventually("all orphaned files are deleted") {
            leftovers.allSatisfy { !FileManager.default.fileExists(atPath: "\(spooler.spool)/\($0)") }
        }
        let line = try #require(
            try await spooler.printq("doctor").lines.first { $0.contains("the spool contains") })
        #expect(line.hasPrefix("ok: the spool contains 2 jobs (1 unfinished), "), "\(line)")
        #expect(line.hasSuffix(" of documents; 5 orphaned files removed since printd started"), "\(line)")
        // Both jobs still have their documents.
        expect(try await spooler.printq("release", "\(held)"))
        try await spooler.waitForEnd(of: held)
        expect(try await spooler.printq("reprint", "\(done)", "--wait"))
    }
}
