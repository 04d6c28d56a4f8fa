// Reads the header of JPEG files (ITU-T T.81 annex B, Exif 2.3).

/// The size, colors and orientation of a JPEG image.
///
/// libturbojpeg does not return the resolution, the orientation and the position of the data.
package struct JPEGHeader: Hashable {
    /// The stored width in pixels.
    package private(set) var width = 0
    /// The stored height in pixels.
    package private(set) var height = 0
    /// The number of color components: 1 for gray, 3 for color, 4 for CMYK.
    package private(set) var components = 0
    /// Whether the file has an APP14 segment, which Adobe's programs write.
    package private(set) var isAdobe = false
    /// The horizontal and vertical pixels per inch of the stored image; nil if the file does not declare a resolution
    /// (ITU-T T.871 §10.1).
    package private(set) var density: Density?
    /// The Exif orientation from 1 to 8; 1 means upright.
    package private(set) var orientation = 1
    /// The marker of the frame header, which determines the coding (ITU-T T.81 table B.1).
    private var frame: UInt8 = 0
    /// The number of components in the first scan; 0 if the file has no scan.
    private var componentsOfScan = 0
    /// The offset of the first scan's data in the file, in bytes.
    private var dataOffset = 0

    package struct Density: Hashable {
        package let across: Double
        package let along: Double
    }

    /// Whether PDF supports the coding: baseline, extended or progressive with Huffman codes.
    package var isSupportedByPDF: Bool { (0xC0...0xC2).contains(frame) && componentsOfScan > 0 }
    /// Whether one scan contains the whole image (ITU-T T.81 §4.5, sequential and interleaved).
    package var isSingleScan: Bool { (frame == 0xC0 || frame == 0xC1) && componentsOfScan == components }

    /// Whether a viewer must mirror the image from left to right, before the viewer rotates the image by `turn`.
    package var isMirrored: Bool { [2, 4, 5, 7].contains(orientation) }
    /// The angle by which a viewer must rotate the image clockwise, in degrees: 0, 90, 180 or 270.
    package var turn: Int { [3: 180, 4: 180, 5: 270, 6: 90, 7: 90, 8: 270][orientation] ?? 0 }
    /// Whether a viewer must rotate the image by 90° or 270°.
    package var isOnItsSide: Bool { turn % 180 != 0 }

    /// Reads the segments before the image data.
    ///
    /// Returns nil if the segments are invalid, or if the image does not have 1, 3 or 4 components of 8 bits.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        var position = 2
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
            if marker == 0xD9 { break }  // end
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            guard length >= 2, position + 2 + length <= bytes.count else { return nil }
            read(marker, bytes[position + 4..<position + 2 + length])
            position += 2 + length
            if marker == 0xDA {  // the image's data follow
                dataOffset = position
                break
            }
        }
        guard width > 0, height > 0, [1, 3, 4].contains(components) else { return nil }
    }

    /// Returns whether the first scan contains data.
    ///
    /// - Parameter bytes: The file from which the header was read.
    package func hasData(in bytes: [UInt8]) -> Bool {
        guard componentsOfScan > 0, dataOffset < bytes.count else { return false }
        return !bytes[dataOffset...].starts(with: [0xFF, 0xD9])
    }

    /// Returns whether the data ends with an end marker.
    ///
    /// Some cameras append a few bytes after the marker.
    ///
    /// - Parameter bytes: The file from which the header was read.
    func isComplete(in bytes: UnsafeRawBufferPointer) -> Bool {
        let tail = Array(bytes[max(dataOffset, bytes.count - 64)...])
        return zip(tail, tail.dropFirst()).contains { $0 == 0xFF && $1 == 0xD9 }
    }

    private mutating func read(_ marker: UInt8, _ content: Slice<UnsafeRawBufferPointer>) {
        let content = UnsafeRawBufferPointer(rebasing: content)
        switch marker {
        case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):  // frame header
            guard content.count >= 6, content[0] == 8 else { return }
            height = Int(content[1]) << 8 | Int(content[2])
            width = Int(content[3]) << 8 | Int(content[4])
            components = Int(content[5])
            frame = marker
        case 0xDA where !content.isEmpty:
            componentsOfScan = Int(content[0])
        case 0xE0 where content.starts(with: Array("JFIF\0".utf8)):
            density = Self.density(inJFIF: content)
        case 0xE1 where content.count > 14 && content.starts(with: Array("Exif\0\0".utf8)):
            orientation = Self.orientation(inTIFF: UnsafeRawBufferPointer(rebasing: content[6...])) ?? 1
        case 0xEE where content.starts(with: Array("Adobe".utf8)):
            isAdobe = true
        default: break
        }
    }

    private static func density(inJFIF bytes: UnsafeRawBufferPointer) -> Density? {
        guard bytes.count >= 12, bytes[7] == 1 || bytes[7] == 2 else { return nil }
        let (across, along) = (Double(Int(bytes[8]) << 8 | Int(bytes[9])), Double(Int(bytes[10]) << 8 | Int(bytes[11])))
        guard across > 0, along > 0 else { return nil }
        let unit = bytes[7] == 2 ? 2.54 : 1  // dots per centimeter, or per inch
        return Density(across: across * unit, along: along * unit)
    }

    /// Returns the `Orientation` entry (tag 0x0112) of the first Exif directory; nil if there is no valid entry.
    private static func orientation(inTIFF bytes: UnsafeRawBufferPointer) -> Int? {
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
            if tag == 0x0112 { return number(at: position + 8, count: 2).flatMap { (1...8).contains($0) ? $0 : nil } }
        }
        return nil
    }
}
