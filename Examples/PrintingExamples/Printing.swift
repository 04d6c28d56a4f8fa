// Listings 6-5 to 6-7: jobs with options, and their results.

import FoundationEssentials
import Glibc
import PrintKit

/// Logs the domain and code of every error (listing 6-5).
@MainActor func logErrors(_ controller: PrintInteractionController) async throws {
    // The first bytes of a program.
    controller.printingItem = .data(Data([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]))
    let printer = try await controller.printer(named: controller.printInfo.printerID)
    await controller.print(to: printer) { _, isCompleted, error in
        if !isCompleted, let error {
            print("FAILED! due to error in domain \(error.domain) with code \(error.code.rawValue)")
        }
    }.value
}

/// Presents the options as a popover from a button if the terminal is wide enough, otherwise as a sheet (listing 6-6).
@MainActor func present(_ controller: PrintInteractionController) async throws {
    let button = Rect(x: 40, y: 0, width: 8, height: 1)
    controller.printInfo.jobName = "Presented"
    controller.printFormatter = SimpleTextPrintFormatter(text: "Presented, then printed.")
    let isCompleted = try await controller.present(as: isWide() ? .popover(from: button) : .sheet)
    print(isCompleted ? "printed" : "canceled")
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

/// Checks a PDF and prints pages of it that the user can choose (listing 6-7).
@MainActor func pageRange(_ controller: PrintInteractionController) async throws {
    let data = try PDFContext.data { pdf in
        for number in 1...5 {
            pdf.beginPage()
            "Sheet \(number)".draw(at: Point(x: 72, y: 72), with: .boldSystem(ofSize: 48))
        }
    }
    guard PrintInteractionController.canPrint(data: data) else {
        throw PrintError(.unknownImageFormat, "this PDF cannot be printed")
    }
    controller.printInfo.jobName = "Five sheets"
    controller.showsPageRange = true
    controller.printingItem = .data(data)
    let isCompleted = try await controller.present()
    print(isCompleted ? "printed" : "canceled")
}

/// Prints several images, each as a separate job (listing 6-7).
@MainActor func severalImages(_ controller: PrintInteractionController) async throws {
    controller.printInfo.outputType = .photo
    controller.printInfo.jobName = "Holiday"
    controller.printingItems = [
        .image(try gradient(width: 600, height: 400, from: .red)),
        .image(try gradient(width: 400, height: 600, from: .green)),
    ]
    try await controller.print(to: controller.printer(named: controller.printInfo.printerID))
}
