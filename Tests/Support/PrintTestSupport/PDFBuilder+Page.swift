// Draws one page of a test PDF.

extension PDFBuilder {
    /// A page under construction.
    ///
    /// Coordinates are in user space units (points, unless `userUnit` is set); `y` counts upward.
    public struct Page: Sendable {
        /// The box of the paper.
        public var mediaBox: Box
        /// The visible part; the whole media box if `nil`.
        public var cropBox: Box?
        /// The clockwise rotation for display: 0, 90, 180 or 270 degrees.
        public var rotate = 0
        /// The size of a user space unit in points; 1 by default (ISO 32000-1 §7.7.3.3).
        public var userUnit = 1.0

        /// The content stream.
        ///
        /// Append operators here for features without a method.
        public var content = ""
        /// The annotation dictionaries (ISO 32000-1 §12.5.2) for annotations without a method.
        public var annotations: [String] = []
        private var links: [Link] = []

        init(mediaBox: Box) {
            self.mediaBox = mediaBox
        }

        /// Fills a rectangle.
        public mutating func fill(_ ink: Ink, x: Double, y: Double, width: Double, height: Double) {
            content += "\(ink.operands) rg \(number(x)) \(number(y)) \(number(width)) \(number(height)) re f\n"
        }

        /// Fills the whole media box.
        public mutating func fill(_ ink: Ink) {
            fill(ink, x: mediaBox.x, y: mediaBox.y, width: mediaBox.width, height: mediaBox.height)
        }

        /// Draws a line of ASCII text in Helvetica; its baseline starts at `x`, `y`.
        public mutating func text(_ text: String, x: Double, y: Double, size: Double = 12, ink: Ink = .black) {
            content += "BT \(ink.operands) rg /F1 \(number(size)) Tf \(number(x)) \(number(y)) Td "
            content += "(\(escaped(text))) Tj ET\n"
        }

        /// Adds a link from a rectangle to an address.
        public mutating func link(to address: String, x: Double, y: Double, width: Double, height: Double) {
            links.append(Link(box: Box(x: x, y: y, width: width, height: height), target: .address(address)))
        }

        /// Adds a link from a rectangle to a page of the same document, counted from 0.
        public mutating func link(toPage index: Int, x: Double, y: Double, width: Double, height: Double) {
            links.append(Link(box: Box(x: x, y: y, width: width, height: height), target: .page(index)))
        }

        func dictionary(parent: Int, font: Int, content: Int, pageNumber: (Int) -> Int) -> String {
            var entries = ["/Type /Page", "/Parent \(parent) 0 R", "/MediaBox \(mediaBox.array)"]
            if let cropBox { entries.append("/CropBox \(cropBox.array)") }
            if rotate != 0 { entries.append("/Rotate \(rotate)") }
            if userUnit != 1 { entries.append("/UserUnit \(number(userUnit))") }
            entries.append("/Resources << /Font << /F1 \(font) 0 R >> >>")
            entries.append("/Contents \(content) 0 R")
            let all = links.map { $0.dictionary(pageNumber: pageNumber) } + annotations
            if !all.isEmpty { entries.append("/Annots [\(all.joined(separator: " "))]") }
            return "<< \(entries.joined(separator: " ")) >>"
        }
    }

    /// A color for drawing.
    public struct Ink: Hashable, Sendable {
        var red, green, blue: Double

        /// Creates a color in device RGB; each component is from 0 to 1.
        public init(red: Double, green: Double, blue: Double) {
            (self.red, self.green, self.blue) = (red, green, blue)
        }

        var operands: String { "\(number(red)) \(number(green)) \(number(blue))" }

        /// Red; `R` in pixel letters.
        public static let red = Ink(red: 1, green: 0, blue: 0)
        /// Green; `G` in pixel letters.
        public static let green = Ink(red: 0, green: 1, blue: 0)
        /// Blue; `B` in pixel letters.
        public static let blue = Ink(red: 0, green: 0, blue: 1)
        /// Cyan; `C` in pixel letters.
        public static let cyan = Ink(red: 0, green: 1, blue: 1)
        /// Magenta; `M` in pixel letters.
        public static let magenta = Ink(red: 1, green: 0, blue: 1)
        /// Yellow; `Y` in pixel letters.
        public static let yellow = Ink(red: 1, green: 1, blue: 0)
        /// Black; `K` in pixel letters.
        public static let black = Ink(red: 0, green: 0, blue: 0)
        /// Gray; `A` in pixel letters.
        public static let gray = Ink(red: 0.5, green: 0.5, blue: 0.5)
        /// White; `_` in pixel letters.
        public static let white = Ink(red: 1, green: 1, blue: 1)
    }
}

/// A link annotation (ISO 32000-1 §12.5.6.5).
private struct Link {
    enum Target {
        case address(String)
        case page(Int)
    }

    var box: PDFBuilder.Box
    var target: Target

    func dictionary(pageNumber: (Int) -> Int) -> String {
        let action =
            switch target {
            case .address(let address): "/A << /S /URI /URI (\(escaped(address))) >>"
            case .page(let index): "/Dest [\(pageNumber(index)) 0 R /Fit]"
            }
        return "<< /Type /Annot /Subtype /Link /F 4 /Border [0 0 0] /Rect \(box.array) \(action) >>"
    }
}
