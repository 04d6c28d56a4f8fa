// Writes PDF files: objects and the cross-reference table (ISO 32000-1 §7.5).

import FoundationEssentials

/// A PDF file that is being written.
///
/// Object numbers start at 1. The caller can add objects in any order.
///
/// The caller can remove completed bytes (`takeBytes`), so a long file requires little memory. The file contains no
/// dates and no identifiers, so equal objects produce equal files.
package struct PDFWriter {
    /// The added bytes that the caller has not removed yet.
    ///
    /// The initial comment contains bytes above 127, so that file transfer programs recognize a binary file (ISO
    /// 32000-1 §7.5.2).
    package private(set) var bytes: [UInt8]
    private var bytesTaken = 0
    /// The file offset of each object; the offset of object n is at index n - 1.
    private var offsets: [Int] = []

    /// Creates a PDF file with the given PDF version; images with 16 bits per component require version 1.5.
    package init(version: String = "1.4") {
        bytes = Array("%PDF-\(version)\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
    }

    /// The number of objects added or reserved so far, which is also the highest object number.
    package var objectCount: Int { offsets.count }

    /// Adds an object and assigns the next object number to the object.
    ///
    /// - Parameter stream: The stream of the object. The dictionary in `object` must contain the length of the stream.
    package mutating func add(_ object: String, stream: [UInt8]? = nil) {
        offsets.append(0)
        write(object: offsets.count, object, stream: stream)
    }

    /// Reserves the next object numbers for objects that are written later.
    package mutating func reserve(_ count: Int) {
        offsets += Array(repeating: 0, count: count)
    }

    /// Writes an object whose number was reserved.
    package mutating func write(object number: Int, _ object: String, stream: [UInt8]? = nil) {
        offsets[number - 1] = bytesTaken + bytes.count
        bytes += Array("\(number) 0 obj\n\(object)".utf8)
        if let stream {
            bytes += Array("\nstream\n".utf8)
            bytes += stream
            bytes += Array("\nendstream".utf8)
        }
        bytes += Array("\nendobj\n".utf8)
    }

    /// Begins an object with a reserved number.
    ///
    /// The caller then writes the stream of the object directly to the file.
    ///
    /// The dictionary must refer to another reserved object that contains the length.
    package mutating func beginStream(object number: Int, _ dictionary: String) {
        offsets[number - 1] = bytesTaken + bytes.count
        bytes += Array("\(number) 0 obj\n\(dictionary)\nstream\n".utf8)
    }

    /// Ends a stream of `length` bytes, and writes the object that contains the length.
    package mutating func endStream(lengthObject number: Int, length: Int) {
        bytesTaken += length
        bytes += Array("\nendstream\nendobj\n".utf8)
        write(object: number, "\(length)")
    }

    /// Removes and returns the completed bytes of the file.
    package mutating func takeBytes() -> [UInt8] {
        bytesTaken += bytes.count
        defer { bytes = [] }
        return bytes
    }

    /// Writes the cross-reference table and the trailer; object `root` is the catalog.
    package mutating func finish(root: Int) {
        let start = bytesTaken + bytes.count
        bytes += Array("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n".utf8)
        for offset in offsets {
            let digits = String(offset)
            bytes += Array((String(repeating: "0", count: max(10 - digits.count, 0)) + digits + " 00000 n \n").utf8)
        }
        bytes += Array(
            "trailer\n<< /Size \(offsets.count + 1) /Root \(root) 0 R >>\nstartxref\n\(start)\n%%EOF\n".utf8)
    }

    /// Formats a number with six decimal places, because PDF does not support exponents.
    package static func decimal(_ value: Double) -> String {
        let millionths = Int((value * 1_000_000).rounded())
        let fraction = String(abs(millionths) % 1_000_000)
        return (millionths < 0 ? "-" : "") + "\(abs(millionths) / 1_000_000)."
            + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}
