import FoundationEssentials
import PageComparison
import PrintRaster
import PrintTestSupport
import Testing

/// Tests that run the programs from iOS in Examples/Ported and compare their pages with golden images.
struct PortedProgramTests {
    static let golden =
        String(#filePath.prefix(through: #filePath.lastIndex(of: "/") ?? #filePath.startIndex)) + "Golden/"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        ("photo", 1), ("recipes", 2), ("labels", 2), ("invoice", 2), ("receipt", 1), ("calendar", 1),
        ("contact-sheet", 2), ("report", 1), ("certificate", 1), ("music-paper", 1), ("badges", 1), ("web-page", 4),
    ])
    func `a program from iOS prints the pages of its golden images`(name: String, count: Int) async throws {
        let path = folder.path("\(name).pdf")
        var environment = ["SWIFT_BACKTRACE": "enable=no", "LANG": "de_DE.UTF-8", "PATH": "/usr/bin:/bin"]
        // The HTML engine may be installed in the home folder.
        for name in ["HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "PRINTQ_HTML_ENGINE"] {
            environment[name] = ProcessInfo.processInfo.environment[name]
        }
        let run = try await ProgramRun(
            BuiltPrograms.folder + "Ported", [name, path], environment: environment, in: folder.path)
        #expect(run.code == 0 && run.complaints.isEmpty, "\(run.output)\(run.complaints)")
        let document = try PDFDocument(path: path)
        #expect(document.pageCount == count)
        // A document continues on its last page, so the first and the last page show every layout.
        for page in Set([0, document.pageCount - 1]) {
            var image = try document.render(page: page, dpi: 36)
            image.convertToRGB()
            let pixels = PagePixels(width: image.width, height: image.height, bytes: image.bytes)
            let golden = "\(Self.golden)\(name)-\(page + 1).png"
            if ProcessInfo.processInfo.environment["PRINTQ_WRITE_GOLDEN"] != nil {
                try Data(pixels.png).write(to: URL(filePath: golden))
            }
            let difference = PageDifference(pixels, try PagePixels(png: golden), tolerance: 40)
            // Versions of the text libraries differ in the antialiasing of few pixels.
            #expect(
                difference.pixelCount * 500 <= image.width * image.height,
                "page \(page + 1): \(difference.summary); update with PRINTQ_WRITE_GOLDEN=1 after a look at the page")
        }
    }

    @Test func `the programs import nothing but the module that stands for UIKit`() throws {
        let folder = Self.golden + "../../../../Examples/Ported/"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "Ported.swift" }
        #expect(files.count == 12)
        for file in files {
            let text = try String(contentsOfFile: folder + file, encoding: .utf8)
            let imports = text.split(separator: "\n").filter { $0.hasPrefix("import ") }
            #expect(imports == ["import PrintKitUIKitNames"], "\(file)")
        }
    }

    @Test func `a missing output folder is reported, and no page is lost silently`() async throws {
        for name in ["invoice", "photo"] {
            let run = try await ProgramRun(
                BuiltPrograms.folder + "Ported", [name, "/nonexistent/a.pdf"],
                environment: ["SWIFT_BACKTRACE": "enable=no"], in: folder.path)
            #expect(run.code == 1 && !run.complaints.isEmpty)
        }
    }
}
