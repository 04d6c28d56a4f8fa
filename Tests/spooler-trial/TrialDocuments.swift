// What is printed in trials.

import PrintTestSupport

/// A document that lies in the database, and one that is a file.
struct TrialDocuments {
    /// One page, under 1 KiB.
    let small: [UInt8]
    /// Two pages, over 100 KiB.
    let large: [UInt8]

    init() {
        var small = PDFBuilder()
        small.addPage(width: 200, height: 100) { $0.text("once", x: 20, y: 40, size: 24) }
        self.small = small.bytes
        var large = PDFBuilder()
        large.addPage(width: 200, height: 100) { page in
            for index in 0..<3000 {
                page.fill(.black, x: Double(index % 190), y: Double(index / 40), width: 1, height: 1)
            }
        }
        large.addPage(width: 200, height: 100) { $0.text("two", x: 20, y: 40, size: 24) }
        self.large = large.bytes
    }
}
