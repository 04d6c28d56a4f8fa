import Foundation
import PrintTestSupport
import Testing

/// What stays in the spool when jobs have ended, through the real programs.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct KeepingTests {
    /// The files of the spool in which a text stands, but for what the simulated printers made of it.
    private func findings(_ text: String, in spooler: TestSpooler) throws -> [String] {
        let names = try #require(FileManager.default.enumerator(atPath: spooler.spool)).compactMap { $0 as? String }
        return names.filter { name in
            guard !name.hasPrefix("output/") else { return false }
            let data = try? Data(contentsOf: URL(fileURLWithPath: "\(spooler.spool)/\(name)"))
            return data?.range(of: Data(text.utf8)) != nil
        }
    }

    /// A page, and behind its end as many lines of a secret as make so many bytes.
    private func document(_ secret: String, bytes: Int) -> [UInt8] {
        let line = Array("% \(secret)\n".utf8)
        return PDFBuilder.numbered(pages: 1).bytes + Array(repeatElement(line, count: bytes / line.count).joined())
    }

    @Test(arguments: [20_000, 200_000])
    func `--no-keep leaves the history of a job and none of its bytes`(bytes: Int) async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try spooler.file("a.pdf", document("for nobody's eyes", bytes: bytes))
        expect(try await spooler.printq("submit", "--no-keep", "--hold", path))
        #expect(try !findings("for nobody's eyes", in: spooler).isEmpty)
        expect(try await spooler.printq("release", "1"))
        try await spooler.waitForEnd(of: 1)
        #expect(try await spooler.job(1).state == "completed")
        let jobs = "\(spooler.spool)/jobs"
        try await eventually("the files are gone", in: jobs) {
            try FileManager.default.contentsOfDirectory(atPath: jobs).isEmpty
        }
        expect(
            try await spooler.printq("reprint", "1"), code: 1,
            says: "printq: document 1 of job 1 was not kept when the job ended; submit it again")
        let shown = try await spooler.printq("show", "1").output
        #expect(shown.contains("job-retain-until  none\n"), "\(shown)")
        #expect(!shown.contains("reprint 1"), "\(shown)")
        // The database's log is overwritten by the next tidying, at the latest at the next start.
        spooler.stop(SIGKILL)
        try spooler.start()
        try await eventually("no byte of it is left", in: spooler.spool) {
            try findings("for nobody's eyes", in: spooler).isEmpty
        }
        #expect(try await spooler.jobs("--completed").map(\.id) == [1])
    }

    @Test func `a queue that keeps no documents says so when one is to be reprinted`() async throws {
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
    func `a setting that makes no sense is refused`(setting: String) async throws {
        let spooler = try TestSpooler()
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        try "{ \(setting) }".write(toFile: "\(spooler.spool)/printd.json5", atomically: true, encoding: .utf8)
        let run = try await spooler.run(spooler.program("printd"), ["--spool", spooler.spool, "--no-tcp"])
        #expect(run.code == 78, "\(run)")
        #expect(run.output.contains(setting.contains("x") ? "keepJobs" : "keepDocuments takes"), "\(run)")
    }

    @Test func `what a killed printd left is swept at the next start, and doctor says how much`() async throws {
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
        // In four folders, of which one goes too.
        try await eventually("all are gone") {
            leftovers.allSatisfy { !FileManager.default.fileExists(atPath: "\(spooler.spool)/\($0)") }
        }
        let line = try #require(
            try await spooler.printq("doctor").lines.first { $0.contains("the spool holds") })
        #expect(line.hasPrefix("ok: the spool holds 2 jobs, 1 of them not ended, in "), "\(line)")
        #expect(line.hasSuffix(" of documents; 5 orphans removed since it was opened"), "\(line)")
        // Both jobs have their documents still.
        expect(try await spooler.printq("release", "\(held)"))
        try await spooler.waitForEnd(of: held)
        expect(try await spooler.printq("reprint", "\(done)", "--wait"))
    }
}
