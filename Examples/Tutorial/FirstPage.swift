// The steps of the tutorial "Print a first page".

import PrintKit

@MainActor func firstPage1() async throws {
    let controller = PrintInteractionController.shared
    controller.printInfo.jobName = "Letter"
    controller.printFormatter = SimpleTextPrintFormatter(text: "Dear reader,\nthis is paper.")
    try await controller.print(to: .file("letter.pdf"))
}

@MainActor func firstPage2() async throws {
    let controller = PrintInteractionController.shared
    controller.printInfo.jobName = "Letter"
    let text = SimpleTextPrintFormatter(text: "Dear reader,\nthis is paper.")
    text.font = Font(name: "Times", size: 18)
    text.color = Color(red: 0.1, green: 0.2, blue: 0.5)
    // One inch is 72 points.
    text.perPageContentInsets = EdgeInsets(top: 72, left: 72, bottom: 72, right: 72)
    controller.printFormatter = text
    try await controller.print(to: .file("letter.pdf"))
}
