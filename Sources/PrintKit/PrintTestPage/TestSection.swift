// The sections of the test page between its rulers.

import PrintGraphics
import PrintModel

struct TestSection {
    /// The rank of the section.
    ///
    /// The page adds the sections in ascending order of their ranks, and omits each section that does not fit.
    let rank: Int
    /// The height of the section, in points.
    let height: Double
    /// The minimum height of the shortened section, in points.
    ///
    /// The value is `nil` if the section cannot be shortened.
    var leastHeight: Double?
    let draw: (Rect) -> Void

    /// Returns the section, shortened to the available height if necessary.
    ///
    /// Returns `nil` if there is not enough room.
    func fitted(to room: Double) -> TestSection? {
        if height <= room { return self }
        guard let leastHeight, leastHeight <= room else { return nil }
        return TestSection(rank: rank, height: room, draw: draw)
    }

    static func title(_ order: TestPageOrder, _ scale: TestScale, width: Double) -> TestSection {
        let heading = Font.boldSystem(ofSize: scale.text * 1.8)
        let body = Font.system(ofSize: scale.text)
        let resolutions = order.resolutions.map { "\($0) dpi" }.joined(separator: ", ")
        let margins = [
            order.paper.margins.top, order.paper.margins.right, order.paper.margins.bottom, order.paper.margins.left,
        ]
        let lines = [
            order.makeAndModel, order.deviceURI,
            "Paper: \(order.paper.media.localizedName) (\(order.paper.media.name))",
            "Margins: \(margins.map(\.millimetersText).joined(separator: ", ")) mm, clockwise from the top"
                + (resolutions.isEmpty ? "" : "; \(resolutions)"),
            "\(order.date), \(order.user)",
        ].filter { !$0.isEmpty }
        let lineHeight = body.lineHeight
        let height = heading.lineHeight + lineHeight * Double(lines.count)
        return TestSection(rank: 0, height: height, leastHeight: heading.lineHeight) { rect in
            Color.black.set()
            fit(order.printer, heading, into: width).draw(order.printer, at: rect.origin)
            var y = rect.minY + heading.lineHeight
            for line in lines where y + lineHeight <= rect.maxY + 0.5 {
                fit(line, body, into: width).draw(line, at: Point(x: rect.minX, y: y))
                y += lineHeight
            }
        }
    }

    /// Returns the section with eleven steps from white to black, each labeled with its percentage of black.
    static func grays(_ scale: TestScale) -> TestSection {
        TestSection(rank: 1, height: 34 * scale.factor) { rect in
            let font = Font.system(ofSize: max(3.2, 7 * scale.factor))
            let width = rect.width / 11
            let high = rect.height - font.lineHeight
            for step in 0...10 {
                let cell = Rect(x: rect.minX + Double(step) * width, y: rect.minY, width: width, height: high)
                Color(white: 1 - Double(step) / 10).setFill()
                BezierPath(rect: cell).fill()
                Color.black.set()
                let label = "\(step * 10) %"
                let size = label.size(with: font)
                label.draw(at: Point(x: cell.midX - size.width / 2, y: cell.maxY), with: font)
            }
            frame(Rect(x: rect.minX, y: rect.minY, width: rect.width, height: high))
        }
    }

    /// Returns the section with bars in the primary colors of printers and screens, each in eleven steps from full
    /// color to white.
    static func colors(_ scale: TestScale) -> TestSection {
        let bars: [(String, Color)] = [
            ("C", .cyan), ("M", .magenta), ("Y", .yellow), ("K", .black), ("R", .red), ("G", .green), ("B", .blue),
        ]
        return TestSection(rank: 2, height: 112 * scale.factor, leastHeight: 40 * scale.factor) { rect in
            let high = rect.height / Double(bars.count)
            let font = Font.system(ofSize: min(max(3.2, 8 * scale.factor), high * 0.8))
            let names = font.size * 1.6
            for (index, bar) in bars.enumerated() {
                let y = rect.minY + Double(index) * high
                Color.black.set()
                bar.0.draw(at: Point(x: rect.minX, y: y + (high - font.lineHeight) / 2), with: font)
                let width = (rect.width - names) / 11
                for step in 0...10 {
                    let share = 1 - Double(step) / 10
                    Color(
                        red: 1 - share * (1 - bar.1.red), green: 1 - share * (1 - bar.1.green),
                        blue: 1 - share * (1 - bar.1.blue)
                    ).setFill()
                    BezierPath(
                        rect: Rect(
                            x: rect.minX + names + Double(step) * width, y: y, width: width + 0.1, height: high * 0.94)
                    ).fill()
                }
            }
        }
    }

    /// Returns the section with vertical, horizontal and diagonal lines of increasing width.
    ///
    /// Lines that merge are too fine for the printer.
    static func lines(_ scale: TestScale) -> TestSection {
        let widths = [0.1, 0.15, 0.2, 0.25, 0.35, 0.5, 0.7, 1, 1.4]
        return TestSection(rank: 3, height: 66 * scale.factor) { rect in
            let font = Font.system(ofSize: max(3.2, 6 * scale.factor))
            let (cell, high) = (rect.width / Double(widths.count), rect.height - font.lineHeight)
            Color.black.set()
            for (index, width) in widths.enumerated() {
                let x = rect.minX + Double(index) * cell
                let half = min(cell * 0.42, high)
                for pitch in stride(from: 0, to: half, by: width * 2) {
                    line(Point(x: x + pitch, y: rect.minY), Point(x: x + pitch, y: rect.minY + high * 0.47), width)
                }
                for pitch in stride(from: 0, to: high * 0.47, by: width * 2) {
                    let y = rect.minY + high * 0.53 + pitch
                    line(Point(x: x, y: y), Point(x: x + half, y: y), width)
                }
                line(
                    Point(x: x + half * 1.1, y: rect.minY + high),
                    Point(x: x + min(half * 1.9, cell * 0.95), y: rect.minY),
                    width)
                "\(width) pt".draw(at: Point(x: x, y: rect.minY + high), with: font)
            }
        }
    }

    /// The section omits the lines that do not fit.
    static func fonts(_ scale: TestScale) -> TestSection {
        let sizes = scale.factor < 0.7 ? [4.0, 5, 6, 7, 8, 10, 12] : [4, 5, 6, 7, 8, 9, 10, 12, 14, 18, 24, 36]
        let fonts = sizes.flatMap { size -> [Font] in
            size == 10
                ? [
                    .system(ofSize: 10), .italicSystem(ofSize: 10), .boldSystem(ofSize: 10),
                    .monospacedSystem(ofSize: 10),
                ]
                : [.system(ofSize: size)]
        }
        let height = fonts.map(\.lineHeight).reduce(0, +)
        return TestSection(rank: 4, height: height, leastHeight: fonts[0].lineHeight) { rect in
            Color.black.set()
            var y = rect.minY
            for font in fonts {
                guard y + font.lineHeight <= rect.maxY + 0.5 else { return }
                let text = "\(Int(font.size)) pt: sphinx of black quartz, judge my vow; 0123456789 ÄÖÜ ß é ñ €"
                // Cuts the text after the last word that fits.
                var words = text.split(separator: " ")
                while words.count > 2, words.joined(separator: " ").size(with: font).width > rect.width {
                    words.removeLast()
                }
                words.joined(separator: " ").draw(at: Point(x: rect.minX, y: y), with: font)
                y += font.lineHeight
            }
        }
    }

    // MARK: - Strokes

    private static func line(_ start: Point, _ end: Point, _ width: Double) {
        var path = BezierPath()
        path.move(to: start)
        path.addLine(to: end)
        path.lineWidth = width
        path.stroke()
    }

    private static func frame(_ rect: Rect) {
        var path = BezierPath(rect: rect)
        path.lineWidth = 0.3
        path.stroke()
    }

    /// Returns the font, reduced in size if the text would not fit.
    private static func fit(_ text: String, _ font: Font, into width: Double) -> Font {
        let wide = text.size(with: font).width
        return wide <= width ? font : font.withSize(max(3, font.size * width / wide))
    }
}

extension Font {
    fileprivate func draw(_ text: String, at point: Point) { text.draw(at: point, with: self) }
}

extension Length {
    /// The length in millimeters, with at most one decimal place: `4.2`.
    fileprivate var millimetersText: String {
        let (whole, rest) = ((hundredths + 5) / 10).quotientAndRemainder(dividingBy: 10)
        return rest == 0 ? "\(whole)" : "\(whole).\(rest)"
    }
}
