// A PDF file's objects and the table that finds them (ISO 32000-1 §7.5).

import FoundationEssentials

/// A PDF file under construction, its objects numbered from 1 and added in any order.
///
/// What is done may be taken away as it comes (`takeBytes`), so that a long file needs little memory. The file holds no
/// dates and no identifiers: the same objects make the same bytes.
struct PDFWriter {
    /// What was added and not yet taken away.
    ///
    /// The comment's bytes above 127 tell transfer programs that the file is binary (§7.5.2).
    private(set) var bytes: [UInt8]
    private var bytesTaken = 0
    /// Where each object begins; the object of number n is at n - 1.
    private var offsets: [Int] = []

    /// A file of a version of PDF; images of 16 bits need 1.5.
    init(version: String = "1.4") {
        bytes = Array("%PDF-\(version)\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
    }

    /// The number of objects so far; the next one has the number after it.
    var objectCount: Int { offsets.count }

    /// Adds an object and gives it the next number.
    ///
    /// - Parameter stream: What follows its dictionary, which says how long that is.
    mutating func add(_ object: String, stream: [UInt8]? = nil) {
        offsets.append(0)
        write(object: offsets.count, object, stream: stream)
    }

    /// Keeps the next numbers for objects that are written later.
    mutating func reserve(_ count: Int) {
        offsets += Array(repeating: 0, count: count)
    }

    /// Writes an object whose number was reserved.
    mutating func write(object number: Int, _ object: String, stream: [UInt8]? = nil) {
        offsets[number - 1] = bytesTaken + bytes.count
        bytes += Array("\(number) 0 obj\n\(object)".utf8)
        if let stream {
            bytes += Array("\nstream\n".utf8)
            bytes += stream
            bytes += Array("\nendstream".utf8)
        }
        bytes += Array("\nendobj\n".utf8)
    }

    /// Begins an object whose number was reserved and whose stream goes to the file without coming here.
    ///
    /// Its dictionary names another reserved object as its length.
    mutating func beginStream(object number: Int, _ dictionary: String) {
        offsets[number - 1] = bytesTaken + bytes.count
        bytes += Array("\(number) 0 obj\n\(dictionary)\nstream\n".utf8)
    }

    /// Ends a stream of which so many bytes have gone to the file, and writes the object that is its length.
    mutating func endStream(lengthObject number: Int, length: Int) {
        bytesTaken += length
        bytes += Array("\nendstream\nendobj\n".utf8)
        write(object: number, "\(length)")
    }

    /// Takes away the bytes so far.
    mutating func takeBytes() -> [UInt8] {
        bytesTaken += bytes.count
        defer { bytes = [] }
        return bytes
    }

    /// Writes the table of all objects and what follows it; the catalogue is object `root`.
    mutating func finish(root: Int) {
        let start = bytesTaken + bytes.count
        bytes += Array("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n".utf8)
        for offset in offsets {
            let digits = String(offset)
            bytes += Array((String(repeating: "0", count: max(10 - digits.count, 0)) + digits + " 00000 n \n").utf8)
        }
        bytes += Array(
            "trailer\n<< /Size \(offsets.count + 1) /Root \(root) 0 R >>\nstartxref\n\(start)\n%%EOF\n".utf8)
    }

    /// A number with six decimals: PDF knows no exponents.
    static func decimal(_ value: Double) -> String {
        let millionths = Int((value * 1_000_000).rounded())
        let fraction = String(abs(millionths) % 1_000_000)
        return (millionths < 0 ? "-" : "") + "\(abs(millionths) / 1_000_000)."
            + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}
