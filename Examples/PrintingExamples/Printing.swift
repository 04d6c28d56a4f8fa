// Listings 6-5 to 6-7: jobs with options, and their results.

import FoundationEssentials
import Glibc
import PrintKit

/// Logs the domain and code of every error (listing 6-5).
@MainActor func logErrors(_ controller: PrintInteractionController) async throws {
    // The first bytes of a program.
    controller.printingItem = .data(Data([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]))
    let printer = try await controller.printer(named: controller.printInfo.printerID)
    await controller.print(to: printer) { _, isCompleted, error in log(isCompleted, error) }.value
}

/// Logs the end of a job (the completion handler of the listings 6-5, 6-7 and 6-9).
func log(_ isCompleted: Bool, _ error: PrintError?) {
    if !isCompleted, let error {
        print("FAILED! due to error in domain \(error.domain) with code \(error.code.rawValue)")
    } else {
        print(isCompleted ? "printed" : "canceled")
    }
}

/// Presents the options as a popover from the print button if the terminal is wide enough, otherwise as a sheet
/// (listing 6-6).
@MainActor func presentOptions(
    _ controller: PrintInteractionController,
    completionHandler: @escaping @MainActor (PrintInteractionController, Bool, PrintError?) -> Void
) async {
    if isWide() {
        let printButton = Rect(x: 40, y: 0, width: 8, height: 1)
        await controller.present(as: .popover(from: printButton), completion: completionHandler).value
    } else {
        await controller.present(as: .sheet, completion: completionHandler).value
    }
}

/// Presents the options for a text (listing 6-6).
@MainActor func present(_ controller: PrintInteractionController) async throws {
    controller.printInfo.jobName = "Presented"
    controller.printFormatter = SimpleTextPrintFormatter(text: "Presented, then printed.")
    await presentOptions(controller) { _, isCompleted, error in log(isCompleted, error) }
}

/// Returns whether the terminal is wide enough for a popover.
///
/// The width comes from the terminal or from `COLUMNS`.
private func isWide() -> Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    defer { if terminal >= 0 { close(terminal) } }
    var size = winsize()
    if ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return size.ws_col >= 64 }
    return (ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init) ?? 80) >= 64
}

/// A document of an app, whose data is released when it is printed.
@MainActor private final class Document: PrintInteractionControllerDelegate {
    let path: String
    var data: Data?

    init(path: String, data: Data) { (self.path, self.data) = (path, data) }

    nonisolated func printInteractionControllerWillStartJob(_ controller: PrintInteractionController) {
        print("The job starts.")
    }
}

/// Checks a PDF, and prints pages of it that the user can choose (listing 6-7).
@MainActor func pageRange(_ controller: PrintInteractionController) async throws {
    let pages = try PDFContext.data { pdf in
        for number in 1...5 {
            pdf.beginPage()
            "Sheet \(number)".draw(at: Point(x: 72, y: 72), with: .boldSystem(ofSize: 48))
        }
    }
    let document = Document(path: "/home/me/Five sheets.pdf", data: pages)
    guard let data = document.data, PrintInteractionController.canPrint(data: data) else {
        throw PrintError(.unknownImageFormat, "this PDF cannot be printed")
    }
    controller.delegate = document
    var printInfo = PrintInfo()
    printInfo.outputType = .general
    printInfo.jobName = URL(filePath: document.path).lastPathComponent
    printInfo.duplex = .longEdge
    printInfo.printerID = controller.printInfo.printerID
    controller.printInfo = printInfo
    controller.showsPageRange = true
    controller.printingItem = .data(data)
    await presentOptions(controller) { _, isCompleted, error in
        document.data = nil
        log(isCompleted, error)
    }
}

/// Prints three images as one job, or as several jobs where the destination takes one document (listing 6-7).
@MainActor func severalImages(_ controller: PrintInteractionController) async throws {
    controller.printInfo.outputType = .photo
    controller.printInfo.jobName = "Holiday"
    controller.printInfo.duplex = .none
    controller.printingItems = [
        .image(try gradient(width: 600, height: 400, from: .red)),
        .image(try gradient(width: 400, height: 600, from: .green)),
        .image(try gradient(width: 600, height: 400, from: .blue)),
    ]
    let printer = try await controller.printer(named: controller.printInfo.printerID)
    await controller.print(to: printer) { _, isCompleted, error in log(isCompleted, error) }.value
}
