import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .sharesSpooler, .timeLimit(.minutes(6)))
struct BadDocumentTests {
    /// Prints a bad document, and checks that a good document is printed after the bad document.
    private func refusal(
        _ name: String, _ bytes: [UInt8], _ options: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> (run: ProgramRun, job: QueuedJob?) {
        let spooler = try TestSpooler()
        try spooler.start()
        let bad = try spooler.file(name, bytes)
        let run = try await spooler.run(spooler.program("printq"), ["submit", "--wait"] + options + [bad])
        let job = try? await spooler.job(1)
        let next = try await spooler.printq("submit", "--wait", try spooler.file("good.pdf", .numbered(pages: 1)))
        expect(next, sourceLocation: sourceLocation)
        return (run, job)
    }

    @Test func `a job with a damaged document is aborted with a reason, and the next job is printed`() async throws {
        let (run, job) = try await refusal("cut.pdf", Array(PDFBuilder.numbered(pages: 3).bytes.prefix(20)))
        expect(
            run, code: 65,
            says: "printq: job 1 was aborted: cut.pdf is damaged beyond repair; "
                + "open the document in a viewer and save a new copy; see 'printq show 1'")
        #expect(job?.reasons == ["document-format-error", "aborted-by-system"])
    }

    @Test func `a job with an encrypted document is aborted with a reason`() async throws {
        let (run, job) = try await refusal("secret.pdf", EncryptedPDF.userPassword)
        expect(
            run, code: 65,
            says: "printq: job 1 was aborted: secret.pdf is encrypted and requires a password; "
                + "enter the password with 'printq submit --password', or print a copy without a password; "
                + "see 'printq show 1'")
        #expect(job?.reasons == ["document-password-error", "aborted-by-system"])
    }

    @Test func `a document is printed if it has only an owner password`() async throws {
        let spooler = try TestSpooler.shared()
        expect(try await spooler.printq("submit", "--wait", try spooler.file("o.pdf", EncryptedPDF.ownerPasswordOnly)))
    }

    @Test func `'printq submit' refuses an empty file, and no job is queued`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try spooler.file("empty.pdf", [])
        expect(
            try await spooler.printq("submit", path), code: 65,
            says: "printq: '\(path)' is empty; there is nothing to print")
        #expect(try await spooler.jobs("--all").isEmpty)
    }

    @Test func `if a document has no pages, the job is aborted with a reason`() async throws {
        let (run, job) = try await refusal("none.pdf", PDFBuilder().bytes)
        expect(
            run, code: 65,
            says: "printq: job 1 was aborted: none.pdf has no pages; check that the correct document was submitted; "
                + "see 'printq show 1'")
        #expect(job?.reasons == ["document-format-error", "aborted-by-system"])
    }

    @Test func `a text file with the extension .pdf is printed as text`() async throws {
        let spooler = try TestSpooler.shared()
        let path = try spooler.file("letter.pdf", Array("Dear Sir or Madam,\n".utf8))
        let run = try await spooler.printq("submit", "--wait", "--json", path)
        expect(run)
        let job = try JSONDecoder().decode(QueuedJob.self, from: Data(run.output.utf8))
        let sheets = try #require(job.folder) + "/original.pdf"
        #expect(try await spooler.run("pdftotext", [sheets, "-"]).output.contains("Dear Sir or Madam,"))
    }

    @Test func `if a text document is declared as PDF, the job is aborted with a reason`() async throws {
        let spooler = try TestSpooler.shared()
        let path = try spooler.file("letter.txt", Array("Dear Sir or Madam,\n".utf8))
        let run = try await spooler.run(
            "lp", ["-h", spooler.socket, "-d", "color-laser", "-o", "document-format=application/pdf", path])
        let job = try await spooler.ended(try #require(run.jobID, "\(run.complaints)"))
        #expect(job.message?.contains("was submitted as PDF, but is not a PDF") == true, "\(job)")
        #expect(job.reasons == ["unsupported-document-format", "aborted-by-system"])
    }

    @Test func `if the page range is outside the document, the job is aborted with a reason`() async throws {
        let (run, _) = try await refusal("three.pdf", PDFBuilder.numbered(pages: 3).bytes, "--pages", "7-9")
        expect(
            run, code: 65,
            says: "printq: job 1 was aborted: pages 7-9 of three.pdf are out of range (1-3); "
                + "see 'printq show 1'")
    }

    @Test func `a page of 7 by 7 meters is scaled down to the paper size`() async throws {
        let spooler = try TestSpooler.shared()
        var pdf = PDFBuilder()
        pdf.addPage(width: 20_000, height: 20_000) { $0.fill(.green) }
        let job = try await spooler.printed(pdf, "--scaling", "fit")
        expectPixels(try job.pages[0], "_\nG\nG\nG\n_")
    }

    @Test(.enabled(if: TestRun.isLong))
    func `if a page takes hours to draw, the job is aborted, and the next job is printed`() async throws {
        // Each of the 8 levels draws the next level 30 times, in total 30⁸ squares.
        let (run, job) = try await refusal("bomb.pdf", drawingBomb(levels: 8, times: 30))
        #expect(run.code == 1)
        #expect(job?.state == "aborted")
    }

    /// Returns a PDF with nested forms, each of which draws the next form several times.
    private func drawingBomb(levels: Int, times: Int) -> [UInt8] {
        var file = "%PDF-1.7\n"
        var offsets: [Int] = []
        func add(_ object: String) {
            offsets.append(file.utf8.count)
            file += "\(offsets.count) 0 obj\n\(object)\nendobj\n"
        }
        func stream(_ entries: String, _ content: String) -> String {
            "<< \(entries) /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream"
        }
        add("<< /Type /Catalog /Pages 2 0 R >>")
        add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
        add(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
                + "/Resources << /XObject << /F 5 0 R >> >> >>")
        add(stream("", "/F Do"))
        for level in 1...levels {
            let resources = level < levels ? "/Resources << /XObject << /F \(5 + level) 0 R >> >>" : ""
            let content = level < levels ? String(repeating: "/F Do ", count: times) : "0 0 500 500 re f"
            add(stream("/Type /XObject /Subtype /Form /BBox [0 0 595 842] \(resources)", content))
        }
        let start = file.utf8.count
        file += "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n"
        for offset in offsets { file += String("0000000000\(offset)".suffix(10)) + " 00000 n \n" }
        file += "trailer\n<< /Size \(offsets.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        return Array(file.utf8)
    }
}
