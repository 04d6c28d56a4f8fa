// Text as bytes, runs of equal attributes, and paragraphs.

import CCairo
import FoundationEssentials

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

/// A text split into runs and paragraphs.
///
/// Offsets count UTF-8 bytes.
struct TextSource: Sendable {
    struct Run: Sendable {
        var range: Range<Int>
        var style: TextStyle
    }

    /// A paragraph without its line end, and the offset of the next paragraph.
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

    /// At the end of the text, the result is the style of the last run.
    func style(at offset: Int) -> TextStyle { runs.isEmpty ? TextStyle() : runs[runIndex(at: offset)].style }

    func runs(in range: Range<Int>) -> ArraySlice<Run> {
        guard !runs.isEmpty else { return [] }
        let first = runIndex(at: range.lowerBound)
        var end = first + 1
        while end < runs.count, runs[end].range.lowerBound < range.upperBound { end += 1 }
        return runs[first..<end]
    }

    func paragraphIndex(at offset: Int) -> Int {
        var (low, high) = (0, paragraphs.count)
        while low < high {
            let middle = (low + high) / 2
            if paragraphs[middle].next <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the offset at which the character that contains the given offset begins.
    func characterStart(_ offset: Int) -> Int {
        var offset = max(0, min(offset, bytes.count))
        while offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset
    }

    /// Returns the offsets of the soft hyphens (U+00AD, two bytes) in a range.
    func softHyphens(in range: Range<Int>) -> [Int] {
        var found: [Int] = []
        var rest = bytes[range]
        while let lead = rest.firstIndex(of: 0xC2), lead + 1 < range.upperBound {
            if bytes[lead + 1] == 0xAD { found.append(lead) }
            rest = bytes[(lead + 1)..<range.upperBound]
        }
        return found
    }

    /// NUL bytes become spaces, because Pango stops at NUL.
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

    /// Splits the text at line feeds, carriage returns (each with an optional line feed), and U+2029.
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
