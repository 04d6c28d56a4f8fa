// Small printing programs, one function each. They cover the listings of a printing guide.
//
//     swift run PrintingExamples header-and-footer /tmp
//     swift run PrintingExamples header-and-footer --printer color-laser
//
// Programs that show printer options need a terminal. The output is a PDF file in the folder, or goes to a printer.

import ExampleRun
import PrintKit

@main
struct PrintingExamples {
    /// The examples with their names.
    ///
    /// Each example prints to the destination of the controller.
    @MainActor static let all: [(name: String, run: @MainActor (PrintInteractionController) async throws -> Void)] = [
        ("print-button", printButton), ("print-info", printInfo), ("wide-image", wideImage),
        ("paper-of-document", paperOfDocument), ("log-errors", logErrors), ("present", present),
        ("page-range", pageRange), ("several-images", severalImages), ("html", html), ("web-view", webView),
        ("header-and-footer", headerAndFooter),
    ]

    @MainActor static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        let usage =
            "PrintingExamples NAME (FOLDER | --printer PRINTER), where NAME is one of "
            + all.map(\.name).joined(separator: ", ")
        guard let name = arguments.first, let example = all.first(where: { $0.name == name }) else {
            return await runExample(usage, []) { _, _ in }
        }
        await runExample(usage, arguments.dropFirst()) { controller, _ in try await example.run(controller) }
    }
}
