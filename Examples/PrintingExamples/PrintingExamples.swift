// Small printing programs in today's Swift, one a function: the cases of a printing guide that this library has to serve well.
//
//     swift run PrintingExamples header-and-footer /tmp
//
// Those that show printer options want a terminal. Pages come as PDF files in the folder.

import PrintKit

@main
struct PrintingExamples {
    /// Each example by its name; it prints into a folder.
    @MainActor static let all: [(name: String, run: @MainActor (PrintInteractionController) async throws -> Void)] = [
        ("print-button", printButton), ("print-info", printInfo), ("wide-image", wideImage),
        ("paper-of-document", paperOfDocument), ("log-errors", logErrors), ("present", present),
        ("page-range", pageRange), ("several-images", severalImages), ("html", html), ("web-view", webView),
        ("header-and-footer", headerAndFooter),
    ]

    @MainActor static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let name = arguments.first, let folder = arguments.last,
            let example = all.first(where: { $0.name == name })
        else {
            print("usage: PrintingExamples NAME FOLDER, NAME being one of \(all.map(\.name).joined(separator: ", "))")
            return
        }
        let controller = PrintInteractionController.shared
        controller.destination = PDFFileDestination(folder: folder)
        try await example.run(controller)
    }
}
