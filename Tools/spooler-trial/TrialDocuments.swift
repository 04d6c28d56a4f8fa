// Provides the documents of the trials.

import PrintTestSupport

/// Documents of several sizes; a small document is stored in the database, a large document in a file.
struct TrialDocuments {
    /// A document of one page with less than 1 KiB.
    let small: [UInt8]
    /// A document of one page with about 40 KiB.
    let middle: [UInt8]
    /// A document of two pages with more than 100 KiB.
    let large: [UInt8]
    /// A document of five pages, so that some pages are printed before the printer is killed.
    let long: [UInt8]

    init() {
        var small = PDFBuilder()
        small.addPage(width: 200, height: 100) { $0.text("once", x: 20, y: 40, size: 24) }
        self.small = small.bytes
        middle = Self.dotted(1200).bytes
        var large = Self.dotted(3600)
        large.addPage(width: 200, height: 100) { $0.text("two", x: 20, y: 40, size: 24) }
        self.large = large.bytes
        var long = PDFBuilder()
        for page in 1...5 { long.addPage(width: 200, height: 100) { $0.text("\(page)", x: 20, y: 40, size: 24) } }
        self.long = long.bytes
    }

    /// Returns a page with many small rectangles.
    private static func dotted(_ count: Int) -> PDFBuilder {
        var pdf = PDFBuilder()
        pdf.addPage(width: 200, height: 100) { page in
            for index in 0..<count {
                page.fill(.black, x: Double(index % 190), y: Double(index / 40), width: 1, height: 1)
            }
        }
        return pdf
    }
}
