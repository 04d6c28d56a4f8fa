// Reads the header of JPEG files (ITU-T T.81 annex B, Exif 2.3).

import PrintModel

/// The size, colors and orientation of a JPEG image.
///
/// libturbojpeg does not return the resolution, the orientation and the position of the data.
struct JPEGHeader {
    /// The stored width and height in pixels.
    private(set) var size = Size.zero
    /// The number of color components: 1 for gray, 3 for color, 4 for CMYK.
    private(set) var components = 0
    /// Whether the file has an APP14 segment, which Adobe's programs write.
    private(set) var isAdobe = false
    /// The horizontal and vertical pixels per inch of the stored image; nil if the file does not declare a resolution
    /// (ITU-T T.871 §10.1).
    private(set) var density: (across: Double, along: Double)?
    /// The Exif orientation from 1 to 8; 1 means upright.
    private var orientation = 1
    private var isSequential = false
    /// The number of components in the first scan; 0 if the file has no scan.
    private var componentsOfScan = 0
    /// The offset of the first scan's data in the file, in bytes.
    private var dataOffset = 0

    /// Whether one scan contains the whole image (ITU-T T.81 §4.5, sequential and interleaved).
    var isSingleScan: Bool { isSequential && componentsOfScan == components }

    /// Returns whether the first scan contains data.
    ///
    /// - Parameter bytes: The file from which the header was read.
    func hasData(in bytes: [UInt8]) -> Bool {
        guard componentsOfScan > 0, dataOffset < bytes.count else { return false }
        return !bytes[dataOffset...].starts(with: [0xFF, 0xD9])
    }

    /// Whether a viewer must mirror the image from left to right, before the viewer rotates the image by `turn`.
    var isMirrored: Bool { [2, 4, 5, 7].contains(orientation) }
    /// The angle by which a viewer must rotate the image clockwise, in degrees: 0, 90, 180 or 270.
    var turn: Int { [3: 180, 4: 180, 5: 270, 6: 90, 7: 90, 8: 270][orientation] ?? 0 }
    /// Whether a viewer must rotate the image by 90° or 270°.
    var isOnItsSide: Bool { turn % 180 != 0 }

    /// Reads the segments before the image data.
    ///
    /// Returns nil if the segments are invalid, or if the image does not have 1, 3 or 4 components of 8 bits.
    init?(of bytes: [UInt8]) {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
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
            read(marker, Array(bytes[position + 4..<position + 2 + length]))
            position += 2 + length
            if marker == 0xDA {  // the image's data follow
                dataOffset = position
                break
            }
        }
        guard size.width > 0, size.height > 0, [1, 3, 4].contains(components) else { return nil }
    }

    private mutating func read(_ marker: UInt8, _ content: [UInt8]) {
        switch marker {
        case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):  // frame header
            guard content.count >= 6, content[0] == 8 else { return }
            size = Size(
                width: Double(Int(content[3]) << 8 | Int(content[4])),
                height: Double(Int(content[1]) << 8 | Int(content[2])))
            components = Int(content[5])
            isSequential = marker == 0xC0 || marker == 0xC1
        case 0xDA where !content.isEmpty:
            componentsOfScan = Int(content[0])
        case 0xE0 where content.starts(with: Array("JFIF\0".utf8)):
            density = Self.density(inJFIF: content)
        case 0xE1 where content.starts(with: Array("Exif\0\0".utf8)):
            orientation = Self.orientation(inTIFF: Array(content.dropFirst(6))) ?? 1
        case 0xEE where content.starts(with: Array("Adobe".utf8)):
            isAdobe = true
        default: break
        }
    }

    private static func density(inJFIF bytes: [UInt8]) -> (across: Double, along: Double)? {
        guard bytes.count >= 12, bytes[7] == 1 || bytes[7] == 2 else { return nil }
        let (across, along) = (Double(Int(bytes[8]) << 8 | Int(bytes[9])), Double(Int(bytes[10]) << 8 | Int(bytes[11])))
        guard across > 0, along > 0 else { return nil }
        let unit = bytes[7] == 2 ? 2.54 : 1  // dots per centimeter, or per inch
        return (across * unit, along * unit)
    }

    /// Returns the `Orientation` entry (tag 0x0112) of the first Exif directory.
    private static func orientation(inTIFF bytes: [UInt8]) -> Int? {
        guard bytes.count >= 8 else { return nil }
        let isLittleEndian = bytes[0] == UInt8(ascii: "I")
        func number(at position: Int, count: Int) -> Int? {
            guard position >= 0, position + count <= bytes.count else { return nil }
            let digits = bytes[position..<position + count]
            return (isLittleEndian ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(at: 4, count: 4), let entries = number(at: directory, count: 2) else { return nil }
        for entry in 0..<entries {
            let position = directory + 2 + entry * 12
            guard let tag = number(at: position, count: 2) else { return nil }
            if tag == 0x0112 { return number(at: position + 8, count: 2) }
        }
        return nil
    }
}
