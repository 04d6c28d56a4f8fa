import Foundation
import PrintKit
import PrintTestSupport
import Testing

/// Tests of the content and the information of a job as UIKit defines them.
final class PrintContentTests: ControllerSuite {
    @Test(arguments: OutputType.allCases)
    func `the output type of a job is part of its ticket, and a gray type asks for gray`(type: OutputType) async throws
    {
        controller.printInfo.outputType = type
        controller.printFormatter = text()
        try await controller.print(to: destination.printer())
        let ticket = try #require(destination.jobs.first).request.ticket
        #expect(ticket.outputType == type)
        #expect(type.colorMode == (type == .grayscale || type == .photoGrayscale ? .monochrome : .auto))
    }

    @Test func `each type of image that an image object reads can be printed`() {
        let images = [
            "public.png", "public.tiff", "public.jpeg", "com.compuserve.gif", "com.microsoft.bmp", "com.microsoft.ico",
            "com.microsoft.cur", "public.xbitmap-image", "com.adobe.pdf",
        ]
        #expect(PrintInteractionController.printableUTIs.isSuperset(of: images))
    }

    @Test func `error codes have UIKit's numbers`() {
        #expect(
            [PrintError.Code.printingNotAvailable, .noContent, .unknownImageFormat, .jobFailed].map(\.rawValue)
                == [1, 2, 3, 4])
        #expect(PrintError(.noContent, "").domain == "PrintErrorDomain")
    }

    @Test func `the localized description of an error is its message and its cause`() {
        let error: any Error = PrintError(.jobFailed, "cannot open 'a.pdf'", cause: PrintError(.noContent, "no pages"))
        #expect(error.localizedDescription == "cannot open 'a.pdf' (no pages)")
    }

    @Test func `a renderer that overrides 'drawPage' draws everything itself`() throws {
        final class Whole: NotingRenderer {
            override var numberOfPages: Int { 1 }
            override func drawPage(at index: Int, in printableRect: Rect) {
                notes.append("page \(index) \(printableRect == self.printableRect)")
                Color.red.setFill()
                GraphicsContext.current?.fill(paperRect)
            }
        }
        let renderer = Whole()
        (renderer.headerHeight, renderer.footerHeight) = (20, 20)
        try renderer.write(to: folder.path("a.pdf"), on: smallPaper)
        #expect(renderer.notes == ["prepare 0..<1", "page 0 true"])
        expectPixels(
            try PrintedPages(folder.path("a.pdf")).sheet(0), String(repeating: "RRRRRRRRRR\n", count: 20))
    }
}
