// Reads the header of a JPEG file (ITU-T T.81 annex B, Exif 2.3).

struct JPEGImageHeader: Hashable {
    private(set) var width = 0
    private(set) var height = 0
    /// The number of color components: 1 for grayscale, 3 for color, 4 for CMYK.
    private(set) var components = 0
    /// The Exif orientation, from 1 to 8.
    private(set) var orientation = 1
    /// Whether the data contains the end marker, so that a PDF can embed the data unchanged.
    private(set) var isComplete = false

    /// Reads the segments before the image data.
    ///
    /// Returns `nil` if the data is not a JPEG, or if PDF does not support the coding of the JPEG. PDF does not support
    /// arithmetic coding, lossless coding, or component sizes other than 8 bits.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        var position = 2
        var hasData = false
        while position + 4 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            if marker == 0xFF {  // fill byte
                position += 1
                continue
            }
            if marker == 0x01 || (0xD0...0xD8).contains(marker) {  // no content
                position += 2
                continue
            }
            if marker == 0xD9 { break }
            if marker == 0xDA {
                hasData = true
                break
            }
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            guard length >= 2, position + 2 + length <= bytes.count else { return nil }
            guard take(marker, UnsafeRawBufferPointer(rebasing: bytes[position + 4..<position + 2 + length])) else {
                return nil
            }
            position += 2 + length
        }
        guard hasData, width > 0, height > 0, [1, 3, 4].contains(components) else { return nil }
        // Some cameras append a few bytes after the end marker.
        let tail = UnsafeRawBufferPointer(rebasing: bytes[max(position, bytes.count - 64)...])
        isComplete = tail.indices.dropLast().contains { tail[$0] == 0xFF && tail[$0 + 1] == 0xD9 }
    }

    private mutating func take(_ marker: UInt8, _ content: UnsafeRawBufferPointer) -> Bool {
        switch marker {
        case 0xC0, 0xC1, 0xC2:  // baseline, extended, progressive
            guard content.count >= 6, content[0] == 8 else { return false }
            height = Int(content[1]) << 8 | Int(content[2])
            width = Int(content[3]) << 8 | Int(content[4])
            components = Int(content[5])
        case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            return false
        case 0xE1 where content.count > 14 && content.starts(with: Array("Exif\0\0".utf8)):
            orientation = Self.orientation(UnsafeRawBufferPointer(rebasing: content[6...])) ?? 1
        default: break
        }
        return true
    }

    /// Returns the `Orientation` entry (tag 0x0112) in the first TIFF directory of Exif data.
    ///
    /// Returns `nil` if the data has no such entry.
    private static func orientation(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let isLittleEndian = bytes[0] == UInt8(ascii: "I")
        func number(at position: Int, count: Int) -> Int? {
            guard position >= 0, position + count <= bytes.count else { return nil }
            return (0..<count).reduce(0) { sum, index in
                sum << 8 | Int(bytes[position + (isLittleEndian ? count - 1 - index : index)])
            }
        }
        guard let directory = number(at: 4, count: 4), let entries = number(at: directory, count: 2) else { return nil }
        for entry in 0..<entries {
            let position = directory + 2 + entry * 12
            guard let tag = number(at: position, count: 2) else { return nil }
            if tag == 0x0112, let value = number(at: position + 8, count: 2) {
                return (1...8).contains(value) ? value : 1
            }
        }
        return nil
    }
}
