// Reads the number of pages and the names of fonts from the PDF that LibreOffice has written.

import COfficeKit

/// A PDF that LibreOffice wrote.
///
/// LibreOffice writes page and font dictionaries without compression.
struct ProducedPDF {
    let bytes: UnsafeRawBufferPointer

    /// Whether the bytes begin with the header of a PDF.
    var isPDF: Bool { bytes.starts(with: "%PDF-".utf8) }

    /// The number of pages; 0 if the page dictionaries are compressed.
    var pageCount: Int {
        var count = 0
        for offset in offsets(of: "/Type/Page") where offset < bytes.count && bytes[offset] != UInt8(ascii: "s") {
            count += 1
        }
        return count
    }

    /// The PostScript names of the fonts, without subset prefixes; empty if the font dictionaries are compressed.
    var fontNames: Set<String> {
        let ends = Set(" \r\n\t/<>[]()".utf8)
        var names: Set<String> = []
        for offset in offsets(of: "/BaseFont/") {
            let name = bytes[offset...].prefix(256).prefix { !ends.contains($0) }
            let text = String(decoding: name, as: UTF8.self)
            names.insert(text.split(separator: "+", maxSplits: 1).last.map(String.init) ?? text)
        }
        return names
    }

    /// Returns the offset of the first byte after each occurrence of a text in the PDF.
    private func offsets(of text: String) -> [Int] {
        let pattern = Array(text.utf8)
        var offsets: [Int] = []
        var start = 0
        while let found = bytes.offset(of: pattern, from: start) {
            start = found + pattern.count
            offsets.append(start)
        }
        return offsets
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the first offset of a byte pattern at or after a given offset; nil if the bytes do not contain the
    /// pattern.
    func offset(of pattern: [UInt8], from start: Int = 0) -> Int? {
        guard let base = baseAddress else { return nil }
        let found = pattern.withUnsafeBytes { pattern in
            office_find(
                base.assumingMemoryBound(to: UInt8.self), Int64(count), Int64(start),
                pattern.baseAddress?.assumingMemoryBound(to: CChar.self), Int64(pattern.count))
        }
        return found < 0 ? nil : Int(found)
    }
}
