import FoundationEssentials
import PrintKit
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests of the steps of the tutorial in the documentation.
struct TutorialTests {
    @Test func `each step of the tutorial prints the page that its picture shows`() async throws {
        let folder = try TemporaryFolder()
        var environment = ["SWIFT_BACKTRACE": "enable=no", "LANG": "de_DE.UTF-8", "PATH": "/usr/bin:/bin"]
        for name in ["HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "PRINTQ_HTML_ENGINE"] {
            environment[name] = ProcessInfo.processInfo.environment[name]
        }
        let run = try await ProgramRun(
            Programs.beside("Tutorial"), [folder.path], environment: environment, in: folder.path)
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
        for (name, file, words) in [
            ("first-page-1", "letter", ["Dear reader,", "this is paper."]),
            ("first-page-2", "letter", ["this is paper."]),
            ("header-and-footer-1", "report", ["The Report", "Line 1 of the report."]),
            ("header-and-footer-2", "report", ["Page 1 of 2"]), ("header-and-footer-3", "report", ["Page 1 of 2"]),
            ("invoice-1", "invoice", ["Invoice 2024-17", "4 × Paper, 500 sheets"]),
            ("invoice-2", "invoice", ["27.80", "9.00", "21.90", "58.70"]),
            ("invoice-3", "invoice", ["continued on page 2"]),
            ("label-run-1", "labels", ["Screws 4 × 30"]), ("label-run-2", "labels", ["Shelf 3"]),
            ("html-report-1", "stock", ["Stock", "below its minimum"]), ("html-report-2", "stock", ["Article 1"]),
            ("html-report-3", "stock", ["1/2"]), ("print-endpoint-1", "slip", ["Order 4711", "Hinges"]),
        ] {
            let pages = try PrintedPages(folder.path("\(name)/\(file).pdf"))
            let text = try pages.text(0)
            for word in words { #expect(text.contains(word), "\(name): \(text)") }
            let picture = try Image(contentsOfFile: folder.path("\(name).png"))
            #expect(picture.pixelWidth > 300 && picture.pixelHeight > 150, "\(name)")
        }
        let invoice = try PrintedPages(folder.path("invoice-3/invoice.pdf"))
        #expect(try invoice.text(invoice.count - 1).contains("1174.00"))
        #expect(try PrintedPages(folder.path("label-run-2/labels.pdf")).count == 3)
    }
}
