import FoundationEssentials
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
            try String(contentsOfFile: folder.path("same.xml"), encoding: .utf8).contains("tests=\"4\" failures=\"0\""))

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
}
