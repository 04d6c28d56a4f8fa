// What is printed in trials.

import PrintTestSupport

/// A document that lies in the database, and one that is a file.
struct TrialDocuments {
    /// One page, under 1 KiB.
    let small: [UInt8]
    /// One page, 40 KiB or so.
    let middle: [UInt8]
    /// Two pages, over 100 KiB.
    let large: [UInt8]
    /// Five pages, so that some have come out when the printer dies.
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

    /// A page of many little rectangles.
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
