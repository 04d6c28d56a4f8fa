// Text as the framesetter reads it: bytes, runs of equal attributes, paragraphs.

import CCairo
import FoundationEssentials

/// What a stretch of text is drawn by.
struct TextStyle: Hashable, Sendable {
    var font = Font.system(ofSize: 12)
    var color: Color?
    var background: Color?
    var underline: TextAttribute.Underline?
    var isStruckThrough = false
    var kern = 0.0
    var baselineOffset = 0.0
    var language: String?
    var paragraph = ParagraphStyle()

    init() {}

    init(_ attributes: AttributeContainer) {
        let own = attributes.printGraphics
        if let font = own.font { self.font = font }
        (color, background, underline, language) = (own.textColor, own.textBackground, own.underline, own.textLanguage)
        isStruckThrough = own.strikethrough ?? false
        kern = own.kern ?? 0
        baselineOffset = own.baselineOffset ?? 0
        if let style = own.paragraphStyle { paragraph = style }
    }
}

/// A text taken apart; offsets count UTF-8 bytes.
struct TextSource: Sendable {
    /// A stretch of equal attributes.
    struct Run: Sendable {
        var range: Range<Int>
        var style: TextStyle
    }

    /// A paragraph without what ends it, and where the next begins.
    struct Paragraph: Sendable {
        var range: Range<Int>
        var next: Int
    }

    let bytes: ContiguousArray<UInt8>
    private(set) var runs: [Run] = []
    private(set) var paragraphs: [Paragraph] = []

    init(_ text: AttributedString) {
        var bytes = ContiguousArray<UInt8>()
        for run in text.runs {
            let start = bytes.count
            bytes.append(contentsOf: String(text[run.range].characters).utf8)
            runs.append(Run(range: start..<bytes.count, style: TextStyle(run.attributes)))
        }
        self.bytes = bytes
        splitParagraphs()
    }

    init(bytes: ContiguousArray<UInt8>, runs: [Run]) {
        (self.bytes, self.runs) = (bytes, runs)
        splitParagraphs()
    }

    init(_ text: String, style: TextStyle) {
        bytes = ContiguousArray(text.utf8)
        runs = [Run(range: 0..<bytes.count, style: style)]
        splitParagraphs()
    }

    /// The style at an offset; that of the end for the end.
    func style(at offset: Int) -> TextStyle { runs.isEmpty ? TextStyle() : runs[runIndex(at: offset)].style }

    /// The runs that meet a range.
    func runs(in range: Range<Int>) -> ArraySlice<Run> {
        guard !runs.isEmpty else { return [] }
        let first = runIndex(at: range.lowerBound)
        var end = first + 1
        while end < runs.count, runs[end].range.lowerBound < range.upperBound { end += 1 }
        return runs[first..<end]
    }

    /// The index of the paragraph that an offset lies in.
    func paragraphIndex(at offset: Int) -> Int {
        var (low, high) = (0, paragraphs.count)
        while low < high {
            let middle = (low + high) / 2
            if paragraphs[middle].next <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The nearest offset at or before which a character begins.
    func characterStart(_ offset: Int) -> Int {
        var offset = max(0, min(offset, bytes.count))
        while offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset
    }

    /// The offsets in a range at which soft hyphens (U+00AD, two bytes) begin.
    func softHyphens(in range: Range<Int>) -> [Int] {
        var found: [Int] = []
        var rest = bytes[range]
        while let lead = rest.firstIndex(of: 0xC2), lead + 1 < range.upperBound {
            if bytes[lead + 1] == 0xAD { found.append(lead) }
            rest = bytes[(lead + 1)..<range.upperBound]
        }
        return found
    }

    /// Lends a stretch's bytes as C characters; Pango ends text at a NUL, so that these become spaces.
    func withCharacters(in range: Range<Int>, _ body: (UnsafePointer<CChar>) -> Void) {
        bytes[range].withUnsafeBytes { stretch in
            guard let start = stretch.baseAddress else { return body([0]) }
            guard stretch.contains(0) else { return body(start.assumingMemoryBound(to: CChar.self)) }
            body(stretch.map { $0 == 0 ? 0x20 : CChar(bitPattern: $0) })
        }
    }

    private func runIndex(at offset: Int) -> Int {
        var (low, high) = (0, runs.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Paragraphs end at a line feed, a carriage return (with its line feed), and U+2029.
    private mutating func splitParagraphs() {
        var start = 0
        var offset = 0
        let count = bytes.count
        while offset < count {
            let byte = bytes[offset]
            var length = 0
            if byte == 0x0A {
                length = 1
            } else if byte == 0x0D {
                length = offset + 1 < count && bytes[offset + 1] == 0x0A ? 2 : 1
            } else if byte == 0xE2, offset + 2 < count, bytes[offset + 1] == 0x80, bytes[offset + 2] == 0xA9 {
                length = 3
            }
            if length > 0 {
                paragraphs.append(Paragraph(range: start..<offset, next: offset + length))
                start = offset + length
            }
            offset += max(length, 1)
        }
        if start < count { paragraphs.append(Paragraph(range: start..<count, next: count)) }
    }
}
