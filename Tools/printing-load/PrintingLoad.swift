// Measures PrintKit in a separate process.

import FoundationEssentials
import PrintKit

@main
struct PrintingLoad {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["default"] {
            let destination = PrintInteractionController.defaultDestination
            return print(type(of: destination), PrintInteractionController.canPrint(data: Data("text".utf8)))
        }
        guard arguments.count == 3, let draw = ["renderer": rendered, "direct": direct][arguments[0]] else {
            return print("usage: printing-load renderer|direct TEXT PDF | default")
        }
        try draw(try String(contentsOfFile: arguments[1], encoding: .utf8), arguments[2])
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        print(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? "")
    }

    static let paper = PrintPaper(media: .a4, margins: .all(.millimeters(10)))
    static let font = Font(family: "DejaVu Sans Mono", size: 10)
    static let small = Font(family: "DejaVu Sans Mono", size: 8)

    /// Prints text with a formatter, between the header and footer of a renderer.
    static func rendered(_ text: String, to path: String) throws {
        let renderer = Numbered()
        let formatter = SimpleTextPrintFormatter(text: text)
        formatter.font = font
        (renderer.headerHeight, renderer.footerHeight) = (30, 30)
        renderer.addPrintFormatter(formatter, startingAtPageAt: 0)
        try renderer.write(to: path, on: paper)
    }

    /// Draws the same pages without a renderer.
    static func direct(_ text: String, to path: String) throws {
        var layout = PageLayout(paper)
        (layout.headerHeight, layout.footerHeight) = (30, 30)
        try PDFContext.write(to: path, bounds: layout.paperRect) { pdf in
            let framesetter = Framesetter(text, font: font)
            var (position, page) = (0, 0)
            repeat {
                pdf.beginPage()
                header(in: layout.headerRect)
                let frame = framesetter.frame(in: layout.contentRect, startingAt: position)
                frame.draw()
                position = frame.visibleRange.upperBound
                footer(page, in: layout.footerRect)
                page += 1
            } while position < framesetter.length
        }
    }

    static func header(in rect: Rect) { "A text of many pages".draw(at: rect.origin, with: small) }

    static func footer(_ index: Int, in rect: Rect) {
        let number = "\(index + 1)."
        let size = number.size(with: small)
        number.draw(at: Point(x: rect.maxX - size.width - 1, y: rect.maxY - size.height), with: small)
    }
}

private final class Numbered: PrintPageRenderer {
    override func drawHeaderForPage(at index: Int, in rect: Rect) { PrintingLoad.header(in: rect) }

    override func drawFooterForPage(at index: Int, in rect: Rect) { PrintingLoad.footer(index, in: rect) }
}
