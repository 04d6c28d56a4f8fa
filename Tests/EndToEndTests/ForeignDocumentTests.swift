import Foundation
import PrintTestSupport
import ProcessLaunch
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(90)),
    .enabled(if: TestRun.isLong))
struct ForeignDocumentTests {
    /// The number of pages to print at the beginning and at the end of a document.
    private static let pagesAtEachEnd = 6
    /// The names of the printers.
    ///
    /// Consecutive documents are printed on alternating printers.
    private static let printers = ["color-laser", "inkjet"]

    @Test
    func `printd, PDFium and MuPDF accept the same documents from Debian and PyPI, except for files in exceptions.txt`()
        async throws
    {
        let documents = try await ForeignDocuments().judged()
        var exceptions = try ForeignDocuments.exceptions()
        let spooler = try TestSpooler()
        try spooler.start()
        var outcomes: [String: Int] = [:]
        var warnings: [String] = []
        var pages = 0
        for batch in stride(from: 0, to: documents.count, by: 32) {
            let jobs = try await printed(documents[batch..<min(batch + 32, documents.count)], on: spooler)
            for (var document, job) in jobs {
                if let exception = exceptions.removeValue(forKey: document.file) {
                    #expect(
                        (document.outcome, document.pages) != (exception.outcome, exception.pages),
                        "\(document.file): exceptions.txt agrees with other programs; remove the line")
                    (document.outcome, document.pages) = (exception.outcome, exception.pages)
                }
                expect(job, toEndAs: document)
                outcomes["\(job.state) (\(job.reasons.joined(separator: ", ")))", default: 0] += 1
                pages += job.impressions ?? 0
                if job.reasons.contains("job-completed-with-warnings") { warnings.append(job.message ?? document.file) }
                // The page images of all documents together would need gigabytes.
                if let folder = job.folder { try? FileManager.default.removeItem(atPath: folder) }
            }
        }
        // A job's message contains only the first warnings; the printer's log contains all warnings.
        for line in try Self.printers.flatMap(spooler.log(of:)) {
            #expect(!line.warnings.contains { $0.contains("replaced by a notice") }, "\(line.name): \(line.warnings)")
        }
        let unused = exceptions.keys.sorted()
        #expect(unused.isEmpty, "exceptions.txt contains unknown documents: \(unused)")
        print(warnings.joined(separator: "\n"))
        print("\(documents.count) documents, \(pages) pages printed; jobs by outcome: \(outcomes)")
    }

    @Test
    func `if printq draws a page differently from both PDFium and MuPDF, the page is in the list of reviewed pages`()
        async throws
    {
        let documents = try await ForeignDocuments()
        let programs = URL(filePath: Programs.beside("print-worker")).deletingLastPathComponent().path
        // The report is not deleted, because a person must review new pages.
        let report = FileManager.default.temporaryDirectory.appending(path: "printq-foreign-pages-\(UUID())").path
        let run = try await ForeignDocuments.script(
            "compare-pages", "--programs", programs, "--pages", "10", "--output", report, "--reviewed",
            ForeignDocuments.list("reviewed.txt"), documents.folder)
        print(run.output)
        #expect(
            run.code == 0,
            "look at '\(report)/report.html', and fix printq or add the pages to reviewed.txt\n\(run.complaints)")
    }

    @Test
    func `printq prints each Office document that soffice prints, with as many pages, except for files in office.txt`()
        async throws
    {
        let fetched = try await ForeignDocuments.script("foreign-documents", "--office")
        let folder = try #require(fetched.lines.last, "cannot download the documents:\n\(fetched.complaints)")
        let programs = URL(filePath: Programs.beside("print-office")).deletingLastPathComponent().path
        let run = try await ForeignDocuments.script(
            "compare-office", "--programs", programs, "--most", "60", "--exceptions",
            ForeignDocuments.list("office.txt"), folder)
        print(run.output)
        #expect(run.code == 0, "fix printq or add the documents to office.txt\n\(run.complaints)")
    }

    @Test
    func `the first page of each PDF that other programs are tested with is drawn as in PDFium and MuPDF, or reviewed`()
        async throws
    {
        let fetched = try await ForeignDocuments.script("foreign-documents", "--hard")
        let folder = try #require(fetched.lines.last, "cannot download the documents:\n\(fetched.complaints)")
        let programs = URL(filePath: Programs.beside("print-worker")).deletingLastPathComponent().path
        let report = FileManager.default.temporaryDirectory.appending(path: "printq-hard-pages-\(UUID())").path
        let run = try await ForeignDocuments.script(
            "compare-pages",
            ["--programs", programs, "--pages", "1", "--output", report, "--reviewed"]
                + [ForeignDocuments.list("hard.txt"), folder] + ForeignDocuments.table("pages.md"))
        print(run.output)
        #expect(
            run.code == 0,
            "look at '\(report)/report.html', and fix printq or add the pages to hard.txt\n\(run.complaints)")
    }

    @Test
    func `printq prints the text of each HTML document that Chromium prints, except for files in html.txt`()
        async throws
    {
        let fetched = try await ForeignDocuments.script("foreign-documents", "--html")
        let folder = try #require(fetched.lines.last, "cannot download the documents:\n\(fetched.complaints)")
        let programs = URL(filePath: Programs.beside("print-worker")).deletingLastPathComponent().path
        let run = try await ForeignDocuments.script(
            "compare-html",
            ["--programs", programs, "--most", "10", "--exceptions"]
                + [ForeignDocuments.list("html.txt"), folder] + ForeignDocuments.table("html.md"))
        print(run.output)
        #expect(run.code == 0, "fix printq or add the documents to html.txt\n\(run.complaints)")
    }

    /// Prints documents, and returns each document with its job after all jobs have ended.
    private func printed(
        _ documents: some Sequence<ForeignDocuments.Document>, on spooler: TestSpooler
    ) async throws -> [(ForeignDocuments.Document, QueuedJob)] {
        var submitted: [(ForeignDocuments.Document, Int)] = []
        for (index, document) in documents.enumerated() {
            let printer = Self.printers[index % Self.printers.count]
            // Print one-sided, because a blank back is not counted.
            let options = ["--printer", printer, "--duplex", "none", "--no-keep"] + pages(of: document)
            let run = try await spooler.run(spooler.program("printq"), ["submit"] + options + [document.path])
            let id = try #require(run.jobID, "\(document.file) was not accepted: \(run)")
            submitted.append((document, id))
        }
        try await spooler.eventually("all jobs have ended", within: .seconds(1200)) {
            try await spooler.jobs().isEmpty
        }
        var ended: [(ForeignDocuments.Document, QueuedJob)] = []
        for (document, id) in submitted { ended.append((document, try await spooler.job(id))) }
        return ended
    }

    /// Returns the option that limits a long document to its first and last pages.
    ///
    /// The range has no upper end, so that a wrong page count is detected.
    private func pages(of document: ForeignDocuments.Document) -> [String] {
        guard document.pages > 2 * Self.pagesAtEachEnd else { return [] }
        return ["--pages", "1-\(Self.pagesAtEachEnd),\(document.pages - Self.pagesAtEachEnd + 1)-"]
    }

    private func expect(_ job: QueuedJob, toEndAs document: ForeignDocuments.Document) {
        let words = Comment(
            """
            \(document.file): \(document.outcome) \(document.pages) is right (\(document.opinions)), but job \(job.id) \
            is \(job.state) with \(job.impressions ?? 0) pages: \(job.reasons), \(job.message ?? "")
            """)
        switch document.outcome {
        case .printed:
            let count = min(document.pages, 2 * Self.pagesAtEachEnd)
            #expect(job.state == "completed" && job.impressions == count, words)
            #expect(job.folder.flatMap { try? PrintedJob(folder: $0).pageNames.count } == count, words)
        case .password:
            #expect(job.state == "aborted" && job.reasons.contains("document-password-error"), words)
        case .damaged:
            #expect(job.state == "aborted" && job.reasons.contains("document-format-error"), words)
        case .unsure:
            Issue.record(
                "other programs disagree; add the document with its correct outcome to exceptions.txt: \(words)")
        }
    }
}
