// Builds messages byte by byte, as in the tables of RFC 8010.

/// A piece of a message: a byte, ASCII characters, or a number of two or four bytes.
struct Wire: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    var bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }
    init(integerLiteral byte: UInt8) { bytes = [byte] }
    init(stringLiteral string: String) { bytes = Array(string.utf8) }

    static func u2(_ number: UInt16) -> Wire { Wire(bytes: [UInt8(number >> 8), UInt8(number & 0xFF)]) }

    static func u4(_ number: UInt32) -> Wire {
        Wire(bytes: u2(UInt16(number >> 16)).bytes + u2(UInt16(number & 0xFFFF)).bytes)
    }

    /// A header: version 2.0, Print-Job, request 1.
    static let header = Wire(bytes: [2, 0, 0, 2, 0, 0, 0, 1])
    /// The two attributes at the start of every operation group in the examples of RFC 8010.
    static let charsetAndLanguage = Wire(
        bytes: octets(
            0x47, .u2(0x0012), "attributes-charset", .u2(0x0005), "utf-8",
            0x48, .u2(0x001B), "attributes-natural-language", .u2(0x0005), "en-us"))
    static let printerURI = Wire(
        bytes: octets(
            0x45, .u2(0x000B), "printer-uri", .u2(0x002C), "ipp://printer.example.com/ipp/print/pinetree"))
}

func octets(_ pieces: Wire...) -> [UInt8] { pieces.flatMap(\.bytes) }
