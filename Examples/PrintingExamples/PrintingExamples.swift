// Small printing programs in today's Swift, one a function: the cases of a printing guide that this library has to serve well.
//
//     swift run PrintingExamples header-and-footer /tmp
//     swift run PrintingExamples header-and-footer --printer color-laser
//
// Those that show printer options want a terminal. Pages come as PDF files in the folder, or from the spooler's printer.

import ExampleRun
import PrintKit

@main
struct PrintingExamples {
    /// Each example by its name; it prints where the controller was told to.
    @MainActor static let all: [(name: String, run: @MainActor (PrintInteractionController) async throws -> Void)] = [
        ("print-button", printButton), ("print-info", printInfo), ("wide-image", wideImage),
        ("paper-of-document", paperOfDocument), ("log-errors", logErrors), ("present", present),
        ("page-range", pageRange), ("several-images", severalImages), ("html", html), ("web-view", webView),
        ("header-and-footer", headerAndFooter),
    ]

    @MainActor static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        let usage =
            "PrintingExamples NAME (FOLDER | --printer PRINTER), NAME being one of \(all.map(\.name).joined(separator: ", "))"
        guard let name = arguments.first, let example = all.first(where: { $0.name == name }) else {
            return await runExample(usage, []) { _, _ in }
        }
        await runExample(usage, arguments.dropFirst()) { controller, _ in try await example.run(controller) }
    }
}
