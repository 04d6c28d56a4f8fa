import PrintKitUIKitNames
import PrintTestSupport
import Testing

/// Tests of the print controller, the delegate and the page renderer with UIKit's methods.
@MainActor @Suite(.serialized)
final class PrintingNameTests {
    private let folder: TemporaryFolder
    private let controller = UIPrintInteractionController.shared

    init() throws {
        folder = try TemporaryFolder()
        controller.controller.destination = PDFFileDestination(folder: folder.path)
        controller.controller.optionsPresenter = Acceptance()
        (controller.printInfo, controller.delegate, controller.showsPageRange) = (nil, nil, false)
    }

    private struct Acceptance: PrinterOptionsPresenting {
        func presentOptions(_ options: PrinterOptions) async throws -> PrinterOptions? { options }

        func presentPrinters(_ printers: [Printer], selected: Int) async throws -> Int? { selected }
    }

    private final class Recorder: NSObject, UIPrintInteractionControllerDelegate {
        var calls: [String] = []

        func printInteractionControllerWillPresentPrinterOptions(_ controller: UIPrintInteractionController) {
            calls.append("will present")
        }

        func printInteractionControllerDidDismissPrinterOptions(_ controller: UIPrintInteractionController) {
            calls.append("did dismiss")
        }

        func printInteractionControllerWillStartJob(_ controller: UIPrintInteractionController) {
            calls.append("start")
        }

        func printInteractionControllerDidFinishJob(_ controller: UIPrintInteractionController) {
            calls.append("finish")
        }

        func printInteractionController(
            _ controller: UIPrintInteractionController, choosePaper paperList: [UIPrintPaper]
        ) -> UIPrintPaper {
            calls.append("paper")
            return UIPrintPaper.bestPaper(forPageSize: CGSize(width: 420, height: 595), withPapersFrom: paperList)
        }

        func printInteractionController(
            _ controller: UIPrintInteractionController, cutLengthFor paper: UIPrintPaper
        ) -> CGFloat { 300 }
    }

    private func present() async -> (completed: Bool, error: (any Error)?) {
        await withCheckedContinuation { continuation in
            let isShown = controller.present(animated: true) { _, completed, error in
                continuation.resume(returning: (completed, error))
            }
            #expect(isShown)
        }
    }

    @Test func `the controller presents, calls UIKit's delegate in order, and calls the closure at the end`()
        async throws
    {
        let recorder = Recorder()
        controller.delegate = recorder
        let info = UIPrintInfo(dictionary: nil)
        info.jobName = "From iOS"
        controller.printInfo = info
        controller.printFormatter = UISimpleTextPrintFormatter(text: "Hello")
        let (completed, error) = await present()
        #expect(completed && error == nil)
        #expect(recorder.calls == ["will present", "did dismiss", "start", "paper", "finish"])
        let file = try #require(CGPDFDocument(URL(fileURLWithPath: folder.path("From iOS.pdf"))))
        #expect(file.page(at: 1)?.getBoxRect(.mediaBox).size.isNearly(Media.a5.size) == true)
        #expect(info.printerID != nil, "the chosen printer is preselected the next time")
        #expect(!controller.present(animated: true), "the content was released")
    }

    @Test func `items of UIKit's types are printed, and the completion has the error of the platform's type`()
        async throws
    {
        let pdf = UIGraphicsPDFRenderer(bounds: .zero).pdfData { $0.beginPage() }
        #expect(UIPrintInteractionController.canPrint(pdf))
        controller.printInfo = UIPrintInfo.printInfo()
        controller.printInfo?.jobName = "Data"
        controller.printingItem = pdf
        #expect(await present().completed && controller.printingItem == nil)
        controller.printingItems = [
            try Image(width: 1, height: 1, rgb: [0, 0, 0]), URL(fileURLWithPath: folder.path("Data.pdf")),
        ]
        #expect(controller.printingItem == nil && controller.printingItems?.count == 2)
        controller.printingItem = Data([0x7F, 0x45, 0x4C, 0x46])
        let failed = await present()
        let error = try #require(failed.error) as NSError
        #expect(!failed.completed && error.domain == UIPrintErrorDomain)
        #expect(error.code == UIPrintError.Code.unknownImageFormat.rawValue)
        #expect(error.localizedDescription.contains("unsupported document type"))
    }

    @Test func `code that chooses between a popover and a sheet presents both`() async throws {
        #expect(UIDevice.current.userInterfaceIdiom != .pad)
        let button = UIBarButtonItem(systemItem: .action)
        controller.printFormatter = UISimpleTextPrintFormatter(attributedText: NSAttributedString(string: "Popover"))
        let completed = await withCheckedContinuation { continuation in
            controller.present(from: button, animated: true) { _, completed, _ in
                continuation.resume(returning: completed)
            }
            let isShownTwice = controller.present(animated: true)
            #expect(!isShownTwice)
        }
        #expect(completed)
    }

    private final class Failing: UIPrintFormatter {
        override func layOut(on pages: FormatterPages) throws -> Int { 1 }

        override func draw(in rect: CGRect, forPageAt index: Int) throws {
            throw PrintError(.jobFailed, "no ink for this page")
        }
    }

    @Test func `a renderer with UIKit's methods fails the job when a formatter fails`() async throws {
        let renderer = UIPrintPageRenderer()
        renderer.addPrintFormatter(Failing(), startingAtPageAt: 0)
        controller.printPageRenderer = renderer
        let result = await present()
        #expect(!result.completed && result.error?.localizedDescription.contains("no ink for this page") == true)
    }

    private final class Counting: UIPrintPageRenderer {
        var prepared: NSRange?
        override var numberOfPages: Int { 3 }
        override func prepare(forDrawingPages range: NSRange) { prepared = range }
        override func drawFooterForPage(at pageIndex: Int, in footerRect: CGRect) {
            "\(pageIndex + 1)".draw(at: footerRect.origin, withAttributes: nil)
        }
    }

    @Test func `a renderer takes the sizes that programs set by key, and prepares for an NSRange`() throws {
        let renderer = Counting()
        renderer.footerHeight = 20
        let page = CGRect(x: 0, y: 0, width: 300, height: 200)
        renderer.setValue(page, forKey: "paperRect")
        renderer.setValue(NSValue(cgRect: page.insetBy(dx: 10, dy: 10)), forKey: "printableRect")
        #expect(renderer.pageLayout.footerRect == CGRect(x: 10, y: 170, width: 280, height: 20))
        let path = folder.path("keys.pdf")
        try renderer.write(to: path, on: PrintPaper(media: .a4))
        #expect(renderer.prepared == NSRange(location: 0, length: 3))
        let document = try #require(CGPDFDocument(URL(fileURLWithPath: path)))
        #expect(document.numberOfPages == 3 && document.page(at: 3)?.getBoxRect(.mediaBox) == page)
        renderer.setValue(nil, forKey: "printableRect")
        #expect(renderer.printableRect == page)
    }

    private final class Square: UIView {
        override func draw(_ rect: CGRect) {
            UIColor.red.setFill()
            UIRectFill(rect.insetBy(dx: 10, dy: 10))
        }
    }

    @Test func `a view draws itself with its subviews, and its formatter shrinks it to the paper`() throws {
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 1000, height: 3000))
        view.backgroundColor = .yellow
        view.addSubview(Square(frame: CGRect(x: 100, y: 0, width: 40, height: 40)))
        let image = UIGraphicsImageRenderer(size: CGSize(width: 1000, height: 50)).image { _ in
            view.drawHierarchy(in: view.bounds, afterScreenUpdates: true)
        }
        #expect(try image.pixel(x: 240, y: 40) == .init(red: 255, green: 0, blue: 0))
        #expect(try image.pixel(x: 204, y: 4) == .init(red: 255, green: 255, blue: 0))
        let formatter = view.viewPrintFormatter()
        let renderer = UIPrintPageRenderer()
        renderer.addPrintFormatter(formatter, startingAtPageAt: 0)
        renderer.use(PrintPaper(media: .of(width: .points(500), height: .points(1000))))
        #expect(formatter.pageCount == 2, "3000 points of height become 1500 at half the width")
    }
}
