// Draws the test page: rulers, a gray ramp, colors, fine lines and fonts.

import PrintGraphics
public import PrintModel

/// The test page for one printer and its paper.
///
///     try TestPage(order).write(to: "test.pdf")
///
/// On small paper, all parts are smaller, and parts that do not fit are shortened or omitted. The available height is
/// given to the parts in this order: title, gray steps, colors, lines, fonts. The rulers are always drawn.
public struct TestPage: Sendable {
    private let order: TestPageOrder

    /// Creates the test page that `order` describes.
    public init(_ order: TestPageOrder) { self.order = order }

    /// Writes a PDF with the test page as its only page, on the paper of the order.
    ///
    /// - Throws: `GraphicsError` if the file cannot be written.
    public func write(to path: String) throws {
        let info = DocumentInfo(title: "Test page of \(order.printer)", author: order.user)
        let bounds = Rect(origin: .zero, size: order.paper.paperSize)
        try PDFContext.write(to: path, bounds: bounds, info: info) { context in
            context.beginPage()
            draw()
        }
    }

    private func draw() {
        let printable = order.paper.printableRect
        let rulers = TestRulers(paper: Rect(origin: .zero, size: order.paper.paperSize), printable: printable)
        rulers.draw()
        let scale = TestScale(paper: order.paper.paperSize)
        let room = printable.inset(x: rulers.depth + scale.gap, y: rulers.depth + scale.gap)
        guard room.width > 10, room.height > 10 else { return }
        var y = room.minY
        for section in sections(scale, in: room) {
            section.draw(Rect(x: room.minX, y: y, width: room.width, height: section.height))
            y += section.height + scale.gap
        }
    }

    private func sections(_ scale: TestScale, in room: Rect) -> [TestSection] {
        let all = [
            [TestSection.title(order, scale, width: room.width), .grays(scale)],
            order.isColor ? [.colors(scale)] : [], [.lines(scale), .fonts(scale)],
        ].flatMap(\.self)
        var fitting: [TestSection] = []
        var left = room.height
        for section in all.sorted(by: { $0.rank < $1.rank }) {
            let needed = section.fitted(to: left)
            guard let needed else { continue }
            fitting.append(needed)
            left -= needed.height + scale.gap
        }
        return fitting.sorted { $0.rank < $1.rank }
    }
}

/// The sizes of text and gaps on the test page, which depend on the size of the paper.
struct TestScale {
    /// The scale of the page: 1 on A4 and Letter, less on smaller paper.
    let factor: Double
    /// The normal text size in points.
    var text: Double { max(4, 9 * factor) }
    /// The space between sections, in points.
    var gap: Double { 7 * factor }

    init(paper: Size) { factor = min(1, max(0.35, min(paper.width / 590, paper.height / 700))) }
}
