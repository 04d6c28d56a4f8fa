// Measures and tests the use of PrintKit and PrintSubmission in a separate process.

import FoundationEssentials
import Glibc
import PrintKit
import PrintSubmission

@main
struct AppLoad {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "first-page" where arguments.count == 3:
            try firstPage(runs: Int(arguments[1]) ?? 1, folder: arguments[2])
        case "html" where arguments.count == 3: try html(rows: Int(arguments[1]) ?? 1, to: arguments[2])
        case "submit" where arguments.count == 4:
            try await submit(pages: Int(arguments[1]) ?? 1, printer: arguments[2], spool: arguments[3])
        case "draw" where arguments.count == 3:
            try await letter(pages: Int(arguments[1]) ?? 1).write(to: arguments[2], on: paper)
        case "file" where arguments.count == 4:
            try await file(arguments[1], times: Int(arguments[2]) ?? 1, in: arguments[3])
        case "order" where arguments.count > 5:
            let spool = SpoolerDestination(spool: arguments[4])
            try await order(
                arguments[1], times: Int(arguments[2]) ?? 1, on: arguments[3], of: spool,
                documents: Array(arguments[5...]))
        case "invoice" where arguments.count == 2:
            try Invoices.html(1).write(toFile: arguments[1], atomically: true, encoding: .utf8)
        case "invoices" where arguments.count == 6:
            let invoices = Invoices(isHTML: arguments[1] == "html", count: Int(arguments[2]) ?? 1)
            try await invoices.submit(
                tasks: Int(arguments[3]) ?? 1, printer: arguments[4], spool: SpoolerDestination(spool: arguments[5]))
        case "default": print(describeDefault())
        default:
            print(
                """
                usage: app-load first-page RUNS FOLDER | html ROWS PDF | draw PAGES PDF | submit PAGES PRINTER SPOOL \
                | file PDF TIMES FOLDER | order ID TIMES PRINTER SPOOL PDF... | default \
                | invoice HTML | invoices html|drawn COUNT TASKS PRINTER SPOOL
                """)
        }
    }

    /// Prints a document several times at once into a folder.
    static func file(_ path: String, times: Int, in folder: String) async throws {
        let destination = PDFFileDestination(folder: folder)
        guard let printer = try await destination.printers().first else { return }
        try await withThrowingTaskGroup(of: PrintEnd.self) { group in
            for _ in 0..<times {
                group.addTask {
                    let request = PrintRequest(documentPath: path, title: "Invoice", pageCount: 1)
                    return try await destination.submit(request, to: printer) { _ in }
                }
            }
            for try await _ in group {}
        }
    }

    /// Submits the documents several times at once with the same identifier, and prints the numbers of the jobs.
    static func order(
        _ id: String, times: Int, on name: String, of spool: SpoolerDestination, documents: [String]
    ) async throws {
        guard let printer = try await spool.printer(withID: name) else { return print("no printer") }
        let numbers = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<times {
                group.addTask {
                    var request = PrintRequest(documentPath: documents[0], title: id, pageCount: 1)
                    request.furtherDocuments = documents.dropFirst().map { .init(path: $0, pageCount: 1) }
                    request.submissionID = id
                    return try await spool.submit(request, to: printer).number
                }
            }
            return try await group.reduce(into: Set<Int>()) { if let number = $1 { $0.insert(number) } }
        }
        print(numbers.sorted().map(String.init).joined(separator: " "))
    }

    /// Returns the default destination, and whether it prints text.
    static func describeDefault() -> String {
        let destination = PrintInteractionController.defaultDestination
        return "\(type(of: destination)) \(PrintInteractionController.canPrint(data: Data("text".utf8)))"
    }

    static let paper = PrintPaper(media: .a4, margins: .all(.millimeters(5)))
    static let sentence = "The quick brown fox jumps over the lazy dog, and looks back at it."

    /// Formats one page of forty lines as text and as HTML, alternately, after a warm-up; prints the times in seconds.
    static func firstPage(runs: Int, folder: String) throws {
        let lines = (1...40).map { "\($0). \(sentence)" }
        for run in -3..<runs {
            let text = try seconds {
                try write(SimpleTextPrintFormatter(text: lines.joined(separator: "\n")), to: "\(folder)/text.pdf")
            }
            let html = try seconds {
                try write(
                    MarkupTextPrintFormatter(markupText: lines.map { "<div>\($0)</div>" }.joined()),
                    to: "\(folder)/html.pdf")
            }
            // The first rounds load the fonts and start the HTML engine.
            if run >= 0 { print(text, html) }
        }
    }

    /// Prints a table that spans several pages, with pictures, a header and a footer.
    static func html(rows: Int, to path: String) throws {
        let picture = "<svg width=20 height=12><rect width=20 height=12 fill=orange /><circle cx=10 cy=6 r=5 /></svg>"
        let body = (1...max(1, rows)).map { "<tr><td>\($0)<td>\(picture)<td>\(sentence)<td>\($0 * 7 % 100).50" }
            .joined()
        let report = Numbered()
        report.addPrintFormatter(
            MarkupTextPrintFormatter(
                markupText: "<h1>Stock</h1><table><thead><tr><th>No.<th><th>What<th>Price</thead>\(body)</table>"),
            startingAtPageAt: 0)
        try report.write(to: path, on: paper)
        print(report.numberOfPages)
    }

    /// Draws pages and submits them; ends when the spooler has stored the job.
    static func submit(pages: Int, printer name: String, spool: String) async throws {
        let controller = PrintInteractionController()
        let taken = Taken()
        controller.delegate = taken
        controller.destination = SpoolerDestination(spool: spool)
        controller.printInfo.jobName = "Letter"
        controller.printPageRenderer = letter(pages: pages)
        try await controller.print(to: controller.printer(named: name))
    }

    /// A delegate that ends the program when the job has been accepted.
    final class Taken: PrintInteractionControllerDelegate {
        func printInteractionController(_ controller: PrintInteractionController, didReceive report: PrintReport) {
            if case .accepted = report { exit(0) }
        }
    }

    /// A renderer that draws the page number in the footer.
    final class Numbered: PrintPageRenderer {
        override init() {
            super.init()
            footerHeight = 24
        }

        override func drawFooterForPage(at index: Int, in footerRect: Rect) throws {
            "\(index + 1).".draw(at: footerRect.origin, with: .system(ofSize: 10))
        }
    }

    static func letter(pages: Int) -> PrintPageRenderer {
        let report = Numbered()
        let page = (1...40).map { "\($0). \(sentence)" }.joined(separator: "\n")
        for index in 0..<pages {
            report.addPrintFormatter(SimpleTextPrintFormatter(text: page), startingAtPageAt: index)
        }
        return report
    }

    private static func write(_ formatter: PrintFormatter, to path: String) throws {
        let renderer = PrintPageRenderer()
        renderer.printFormatters = [formatter]
        try renderer.write(to: path, on: paper)
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let time = try ContinuousClock().measure(body).components
        return Double(time.seconds) + Double(time.attoseconds) / 1e18
    }
}
