// Prints HTML with insets, and lets the user choose pages.
// iOS code: only `import UIKit` was replaced.

import PrintKitUIKitNames

final class WebPagePrinting {
    private let html: String
    @MainActor private lazy var printButton = UIBarButtonItem(systemItem: .action)

    init(title: String, articles: [(name: String, text: String)]) {
        let body = articles.map { "<h2>\($0.name)</h2><p>\($0.text)</p>" }.joined()
        html = """
            <html><head><style>body { font-family: sans-serif; font-size: 14pt } h2 { color: #036 }</style></head>
            <body><h1>\(title)</h1>\(body)</body></html>
            """
    }

    @MainActor
    func printPage(completion: @escaping (Bool) -> Void) {
        let controller = UIPrintInteractionController.shared
        let printInfo = UIPrintInfo.printInfo()
        printInfo.outputType = .general
        printInfo.jobName = "Web page"
        printInfo.duplex = .longEdge
        controller.printInfo = printInfo
        controller.showsPageRange = true

        let formatter = UIMarkupTextPrintFormatter(markupText: html)
        formatter.startPage = 0
        formatter.perPageContentInsets = UIEdgeInsets(top: 72, left: 72, bottom: 72, right: 72)
        formatter.maximumContentWidth = 6 * 72
        controller.printFormatter = formatter

        let completionHandler: UIPrintInteractionController.CompletionHandler = { _, completed, error in
            if !completed, let error = error {
                print("FAILED! \(error.localizedDescription)")
            }
            completion(completed)
        }
        if UIDevice.current.userInterfaceIdiom == .pad {
            controller.present(from: printButton, animated: true, completionHandler: completionHandler)
        } else {
            controller.present(animated: true, completionHandler: completionHandler)
        }
    }
}
