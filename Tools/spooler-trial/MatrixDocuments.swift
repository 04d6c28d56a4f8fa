// Provides the documents of the crash matrix.

import PrintTestSupport

/// A document of three pages, and a document of one page with many megabytes.
struct MatrixDocuments: Sendable {
    let pages: [UInt8]
    let heavy: [UInt8]

    init() {
        pages = PDFBuilder.numbered(pages: 3).bytes
        var random = SeededBytes()
        var heavy = PDFBuilder()
        heavy.addPage(width: 200, height: 100) { page in
            page.text("heavy", x: 20, y: 40, size: 24)
            // The rectangles are outside the page and random, so that they cannot be compressed.
            for _ in 0..<60_000 {
                page.fill(
                    .black, x: 1000 + random.next(), y: 1000 + random.next(), width: random.next(),
                    height: random.next())
            }
        }
        self.heavy = heavy.bytes
    }

    /// A generator of pseudorandom numbers (xorshift).
    private struct SeededBytes {
        private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

        mutating func next() -> Double {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Double(state >> 11) / Double(1 << 40)
        }
    }
}
