// What is printed in a crash matrix.

import PrintTestSupport

/// Three pages, and a page of many megabytes.
struct MatrixDocuments: Sendable {
    let pages: [UInt8]
    let heavy: [UInt8]

    init() {
        pages = PDFBuilder.numbered(pages: 3).bytes
        var random = SeededBytes()
        var heavy = PDFBuilder()
        heavy.addPage(width: 200, height: 100) { page in
            page.text("heavy", x: 20, y: 40, size: 24)
            // Outside the page, and of no order that a compressor would find.
            for _ in 0..<60_000 {
                page.fill(
                    .black, x: 1000 + random.next(), y: 1000 + random.next(), width: random.next(),
                    height: random.next())
            }
        }
        self.heavy = heavy.bytes
    }

    /// Numbers that look like chance (xorshift).
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
