// Prints invoices as a server program does, with several tasks at once.

import FoundationEssentials
import Glibc
import PrintKit
import PrintSubmission

/// Invoices of one page, of which each is a job.
struct Invoices {
    /// Whether the invoices are HTML; otherwise, they are text with a header and a footer.
    var isHTML: Bool
    var count: Int

    /// Submits all invoices; prints the seconds, and the longest delay of another task in milliseconds.
    func submit(tasks: Int, printer name: String, spool: SpoolerDestination) async throws {
        guard let printer = try await spool.printer(withID: name) else { return print("no printer") }
        if isHTML { await MarkupTextPrintFormatter.warmUp() }
        let ticking = Task.detached {
            let step = Duration.milliseconds(1)
            var longest = Duration.zero
            while !Task.isCancelled {
                let start = ContinuousClock.now
                try? await Task.sleep(for: step)
                longest = max(longest, ContinuousClock.now - start - step)
            }
            return longest
        }
        let seconds = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<tasks {
                    group.addTask {
                        let controller = PrintInteractionController()
                        controller.destination = spool
                        for number in stride(from: task + 1, through: count, by: tasks) {
                            controller.printInfo.jobName = "Invoice \(number)"
                            if isHTML {
                                controller.printFormatter = MarkupTextPrintFormatter(markupText: Self.html(number))
                            } else {
                                controller.printPageRenderer = Self.renderer(number)
                            }
                            _ = try await controller.submit(to: printer, submissionID: "\(getpid())-\(number)")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        ticking.cancel()
        print(seconds / .seconds(1), await ticking.value / .milliseconds(1))
    }

    private static let items = (1...12).map { (name: "Paper, \($0 * 20) sheets", price: "\($0 * 3).50") }

    static func html(_ number: Int) -> String {
        """
        <style>body { font-family: sans-serif; margin: 54pt } td { padding: 4pt; border-bottom: 1px solid }</style>
        <h1>Invoice \(number)</h1><p>Anna Example<br>1 High Street<table>
        \(items.map { "<tr><td>\($0.name)<td>\($0.price)" }.joined())</table><p>Please pay within 30 days.
        """
    }

    private static func renderer(_ number: Int) -> PrintPageRenderer {
        let renderer = AppLoad.Numbered()
        let lines = items.map { "\($0.name)\t\($0.price)" }.joined(separator: "\n")
        renderer.addPrintFormatter(
            SimpleTextPrintFormatter(text: "Invoice \(number)\n\nAnna Example\n\n\(lines)\n\nPlease pay."),
            startingAtPageAt: 0)
        return renderer
    }
}
