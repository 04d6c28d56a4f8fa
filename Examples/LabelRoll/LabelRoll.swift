// A program that prints labels on a roll: one label per page, with a cut after each label.
//
//     swift run LabelRoll labels.pdf
//     swift run LabelRoll --printer roll

import ExampleRun
import PrintKit

@main
struct LabelRoll {
    @MainActor static func main() async {
        await runExample("LabelRoll (OUTPUT | --printer PRINTER)", CommandLine.arguments.dropFirst(), printLabels)
    }

    @MainActor static func printLabels(_ controller: PrintInteractionController, _: [String]) async throws {
        let labels = [
            Label(title: "Screws M4 × 20", lines: ["Shelf 3, box 12", "200 pieces"]),
            Label(title: "Washers 4.3", lines: ["Shelf 3, box 13", "500 pieces"]),
            Label(title: "Hinges", lines: ["Shelf 7", "12 pairs", "with screws"]),
        ]
        let renderer = LabelRenderer(labels)
        let printer = try await controller.printer(named: controller.printInfo.printerID)
        let cutter = Cutter(renderer, loaded: printer.capabilities?.readyPapers ?? [])
        controller.delegate = cutter
        controller.printInfo.jobName = "Labels"
        controller.printPageRenderer = renderer
        try await controller.print(to: printer)
    }
}

struct Label {
    var title: String
    var lines: [String]
}

/// A delegate that chooses the roll and the cut length.
final class Cutter: PrintInteractionControllerDelegate {
    private let renderer: LabelRenderer
    private let loaded: [PrintPaper]

    /// Creates a delegate for a printer with the given loaded papers.
    init(_ renderer: LabelRenderer, loaded: [PrintPaper]) { (self.renderer, self.loaded) = (renderer, loaded) }

    /// Returns the loaded roll, borderless if possible; without a loaded roll, such as for a file, a roll of 62 mm.
    func printInteractionController(
        _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
    ) -> PrintPaper {
        guard let roll = loaded.first else {
            return PrintPaper(
                media: .of(width: .millimeters(62), height: .millimeters(100)), type: "continuous")
        }
        return (papers + loaded).filter { $0.media.width == roll.media.width }
            .max { $0.printableRect.width < $1.printableRect.width } ?? roll
    }

    func printInteractionController(
        _ controller: PrintInteractionController, cutLengthFor paper: PrintPaper
    ) -> Double { renderer.height + paper.paperSize.height - paper.printableRect.height }

    func printInteractionController(
        _ controller: PrintInteractionController, chooseCutterBehavior behaviors: [CutterBehavior]
    ) -> CutterBehavior { .cutAfterEachPage }
}

/// A renderer that draws one framed label per page.
final class LabelRenderer: PrintPageRenderer {
    private let labels: [Label]
    private let (margin, lineHeight) = (10.0, 16.0)

    init(_ labels: [Label]) { self.labels = labels }

    /// The height of the label with the most lines, without the printer's margins.
    var height: Double { 4 * margin + 24 + lineHeight * Double(labels.map(\.lines.count).max() ?? 0) }

    override var numberOfPages: Int { labels.count }

    override func drawContentForPage(at index: Int, in rect: Rect) {
        let label = labels[index]
        let frame = Rect(
            x: rect.minX + margin, y: rect.minY + margin, width: rect.width - 2 * margin,
            height: rect.height - 2 * margin)
        BezierPath(roundedRect: frame, cornerRadius: 6).stroke()
        label.title.draw(at: Point(x: frame.minX + margin, y: frame.minY + margin), with: .boldSystem(ofSize: 14))
        for (number, line) in label.lines.enumerated() {
            let y = frame.minY + margin + 24 + lineHeight * Double(number)
            line.draw(at: Point(x: frame.minX + margin, y: y), with: .system(ofSize: 10))
        }
    }
}
