// Splits text into lines and pages.

/// A sequence of the lines in a text.
///
/// Lines end at LF, CR, CR LF, VT, NEL (U+0085), U+2028 and U+2029. A form feed ends both the line and the page.
struct TextLines: Sequence, IteratorProtocol {
    /// A line of the text, without its line terminator.
    struct Line: Hashable {
        /// The range of the line in the bytes of the text.
        var range: Range<Int>
        /// Whether the next line starts on a new page.
        var endsPage: Bool
        /// Whether the line is printed.
        ///
        /// If a form feed is at the start of a line, the empty line before the form feed is not printed. This form feed
        /// only ends the page.
        var isVisible: Bool
    }

    private let bytes: [UInt8]
    private var position = 0

    /// Creates the lines of a UTF-8 text.
    ///
    /// If the text ends with Ctrl-Z, as in old DOS files, the lines do not include this character.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes.last == 0x1A ? bytes.dropLast() : bytes
    }

    /// The text in UTF-8.
    var text: [UInt8] { bytes }

    /// Returns the next line; nil at the end of the text.
    mutating func next() -> Line? {
        guard position < bytes.count else { return nil }
        let start = position
        let (end, next) = bytes.withUnsafeBufferPointer { Self.end(of: $0, from: start) }
        position = next
        let endsPage = end < next && bytes[end] == 0x0C
        return Line(range: start..<end, endsPage: endsPage, isVisible: !(endsPage && start == end))
    }

    /// Returns the end of the line that starts at an index, and the start of the next line.
    private static func end(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (end: Int, next: Int) {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x0A, 0x0B, 0x0C: return (index, index + 1)
            case 0x0D: return (index, index + 1 < bytes.count && bytes[index + 1] == 0x0A ? index + 2 : index + 1)
            case 0xC2 where index + 1 < bytes.count && bytes[index + 1] == 0x85: return (index, index + 2)
            case 0xE2
            where index + 2 < bytes.count && bytes[index + 1] == 0x80 && (0xA8...0xA9).contains(bytes[index + 2]):
                return (index, index + 3)
            default: index += 1
            }
        }
        return (index, index)
    }

    /// Returns the number of lines, and the approximate length of the longest line in cells.
    func extent(tabWidth: Int) -> (lines: Int, longest: Int) {
        var (lines, longest) = (0, 0)
        for line in self where line.isVisible {
            lines += 1
            guard line.range.count > longest || longest == 0 else { continue }
            var cells = 0
            for byte in bytes[line.range] {
                switch byte {
                case 0x09: cells += tabWidth - cells % tabWidth
                case 0x08: cells -= 1
                case 0x80...0xBF: break
                case 0xE3...0xEC: cells += 2
                default: cells += 1
                }
            }
            longest = Swift.max(longest, cells)
        }
        return (lines, longest)
    }
}
