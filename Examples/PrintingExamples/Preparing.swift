// Listings 6-1 to 6-4: preparing a job.

import FoundationEssentials
import PrintKit

/// Removes the print button from its tool bar if printing is not available (listing 6-1).
@MainActor func printButton(_ controller: PrintInteractionController) {
    let (toolbar, printButton) = (View("toolbar"), View("Print"))
    for button in [View("Open"), printButton, View("Share")] { toolbar.addSubview(button) }
    if !PrintInteractionController.isPrintingAvailable {
        printButton.removeFromSuperview()
    }
    print(toolbar.subviews.map(\.title).joined(separator: " "))
}

/// A view with a title in a hierarchy of views.
private final class View {
    let title: String
    private(set) var subviews: [View] = []
    private weak var superview: View?

    init(_ title: String) { self.title = title }

    func addSubview(_ view: View) {
        subviews.append(view)
        view.superview = self
    }

    func removeFromSuperview() { superview?.subviews.removeAll { $0 === self } }
}

/// Prints a document in duplex, with the file name as the job name (listing 6-2).
@MainActor func printInfo(_ controller: PrintInteractionController) async throws {
    let path = "/home/me/Minutes of May.txt"
    var info = PrintInfo()
    info.outputType = .general
    info.jobName = URL(filePath: path).lastPathComponent
    info.duplex = .longEdge
    info.printerID = controller.printInfo.printerID
    controller.printInfo = info
    controller.printFormatter = SimpleTextPrintFormatter(text: "The minutes of May.")
    try await controller.print(to: controller.printer(named: controller.printInfo.printerID))
}

/// Prints an image in landscape orientation if it is wider than high (listing 6-3).
@MainActor func wideImage(_ controller: PrintInteractionController) async throws {
    let image = try gradient(width: 600, height: 300, from: .blue)
    controller.printInfo.outputType = .photo
    controller.printInfo.jobName = "Wide image"
    if image.size.width > image.size.height { controller.printInfo.orientation = .landscape }
    controller.printPageRenderer = ImageRenderer(image)
    try await controller.print(to: controller.printer(named: controller.printInfo.printerID))
}

/// A renderer that draws one image as large as the printable area allows.
private final class ImageRenderer: PrintPageRenderer {
    private let image: Image

    init(_ image: Image) { self.image = image }

    override var numberOfPages: Int { 1 }

    override func drawContentForPage(at index: Int, in rect: Rect) {
        let scale = min(rect.width / image.size.width, rect.height / image.size.height)
        let size = Size(width: image.size.width * scale, height: image.size.height * scale)
        image.draw(
            in: Rect(
                x: rect.midX - size.width / 2, y: rect.midY - size.height / 2, width: size.width, height: size.height))
    }
}

/// Chooses the paper that matches the page size of the document best (listing 6-4).
@MainActor func paperOfDocument(_ controller: PrintInteractionController) async throws {
    let chooser = PaperChooser(pageSize: Size(width: 420, height: 595))
    controller.delegate = chooser
    controller.printInfo.jobName = "On A5"
    controller.printFormatter = SimpleTextPrintFormatter(text: "A page of A5.")
    try await controller.print(to: controller.printer(named: controller.printInfo.printerID))
}

private final class PaperChooser: PrintInteractionControllerDelegate {
    let pageSize: Size

    init(pageSize: Size) { self.pageSize = pageSize }

    func printInteractionController(
        _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
    ) -> PrintPaper {
        PrintPaper.bestPaper(forPageSize: pageSize, withPapersFrom: papers)
    }
}

/// Returns an image to print.
func gradient(width: Double, height: Double, from color: Color) throws -> Image {
    let bitmap = try BitmapContext(size: Size(width: width, height: height), isOpaque: true)
    let gradient = Gradient(colors: [color, .white])
    bitmap.drawLinearGradient(gradient, from: .zero, to: Point(x: width, y: height))
    return try bitmap.makeImage()
}
