// Encodes and decodes the headers of tar archives (POSIX.1-2017 pax, ustar Interchange Format).

import Glibc

/// A regular file in a tar archive.
struct TarEntry: Hashable, Sendable {
    /// The size of a block in bytes.
    static let block = 512

    /// The path of the file in the archive.
    var path: String
    /// The size of the file in bytes.
    var size: Int

    /// The number of padding bytes that follow the content and fill the last block.
    var padding: Int { (Self.block - size % Self.block) % Self.block }

    // MARK: - Encoding

    /// Returns the header blocks of the file, with permissions only for the owner.
    ///
    /// Paths over 100 bytes and sizes from 8 GiB are in a preceding pax header.
    ///
    /// - Parameter time: The modification time, in seconds since 1970.
    func header(time: Int) -> [UInt8] {
        var records: [UInt8] = []
        if path.utf8.count > Self.nameLength { records += Self.record("path", path) }
        if size > Self.largestOctal { records += Self.record("size", "\(size)") }
        guard !records.isEmpty else { return Self.ustar(path, size: size, type: "0", time: time) }
        let extended = TarEntry(path: "pax-header", size: records.count)
        return Self.ustar(extended.path, size: extended.size, type: "x", time: time) + records
            + [UInt8](repeating: 0, count: extended.padding)
            + Self.ustar(
                String(decoding: path.utf8.suffix(Self.nameLength), as: UTF8.self), size: min(size, Self.largestOctal),
                type: "0", time: time)
    }

    /// The end of an archive: two blocks of zeros.
    static let end = [UInt8](repeating: 0, count: 2 * block)

    private static let nameLength = 100
    /// The largest file size that 11 octal digits can represent.
    private static let largestOctal = 0o77_777_777_777

    private static func ustar(_ path: String, size: Int, type: Character, time: Int) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: block)
        func put(_ text: String, at position: Int) {
            header.replaceSubrange(position..<(position + text.utf8.count), with: text.utf8)
        }
        func octal(_ value: Int, digits: Int) -> String {
            let text = String(max(0, value), radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        put(String(decoding: path.utf8.prefix(nameLength), as: UTF8.self), at: 0)
        put(octal(0o600, digits: 7), at: 100)
        put(octal(0, digits: 7), at: 108)
        put(octal(0, digits: 7), at: 116)
        put(octal(size, digits: 11), at: 124)
        put(octal(time, digits: 11), at: 136)
        put("        ", at: 148)
        put(String(type), at: 156)
        put("ustar\0" + "00", at: 257)
        put("root", at: 265)
        put("root", at: 297)
        put(octal(header.reduce(0) { $0 + Int($1) }, digits: 6) + "\0 ", at: 148)
        return header
    }

    /// Returns a pax record: its length in decimal digits, a space, the keyword, `=`, the value and a newline.
    private static func record(_ keyword: String, _ value: String) -> [UInt8] {
        let rest = " \(keyword)=\(value)\n".utf8.count
        var length = rest + 1
        while "\(length)".utf8.count + rest != length { length = "\(length)".utf8.count + rest }
        return Array("\(length) \(keyword)=\(value)\n".utf8)
    }

    // MARK: - Decoding

    /// The decoded content of a header block.
    enum Header: Equatable {
        /// The header of a regular file.
        case file(TarEntry)
        /// The header of pax records for the next file, with the size of the records in bytes.
        case extended(size: Int)
        /// A block of zeros, which marks the end of the archive.
        case end
    }

    /// Decodes a header block.
    ///
    /// - Throws: `BackupError` if the checksum is wrong, or for an entry that is not a regular file.
    static func header(_ block: [UInt8]) throws(BackupError) -> Header {
        if block.allSatisfy({ $0 == 0 }) { return .end }
        let sum = block.enumerated().reduce(0) { $0 + (148..<156 ~= $1.offset ? 0x20 : Int($1.element)) }
        guard octal(block[148..<156]) == sum else { throw .notABackup("a header has an incorrect checksum") }
        guard block[257..<262].elementsEqual("ustar".utf8) else { throw .notABackup("the file is not a pax archive") }
        guard let size = octal(block[124..<136]) else { throw .notABackup("a file has an invalid size") }
        switch block[156] {
        case UInt8(ascii: "x"):
            guard size <= 1 << 16 else { throw .notABackup("a header is too long") }
            return .extended(size: size)
        case UInt8(ascii: "0"), 0:
            let prefix = text(block[345..<500])
            let name = text(block[0..<100])
            return .file(TarEntry(path: prefix.isEmpty ? name : "\(prefix)/\(name)", size: size))
        default:
            throw .notABackup("'\(text(block[0..<100]).prefix(80))' is a link or another special file")
        }
    }

    /// Applies pax records to a file.
    ///
    /// - Throws: `BackupError` for malformed records.
    mutating func apply(_ records: [UInt8]) throws(BackupError) {
        var rest = records[...]
        while !rest.isEmpty {
            guard let space = rest.firstIndex(of: UInt8(ascii: " ")),
                let length = Int(String(decoding: rest[..<space], as: UTF8.self)), length > space - rest.startIndex + 1,
                length <= rest.count, rest[rest.startIndex + length - 1] == UInt8(ascii: "\n"),
                let equals = rest[space..<(rest.startIndex + length)].firstIndex(of: UInt8(ascii: "="))
            else { throw .notABackup("a header is malformed") }
            let keyword = String(decoding: rest[(space + 1)..<equals], as: UTF8.self)
            let value = String(decoding: rest[(equals + 1)..<(rest.startIndex + length - 1)], as: UTF8.self)
            switch keyword {
            case "path": path = value
            case "size":
                guard let number = Int(value), number >= 0 else { throw .notABackup("a file has an invalid size") }
                size = number
            case "linkpath": throw .notABackup("'\(path.prefix(80))' is a link")
            default: break  // times and owners have no meaning for a backup
            }
            rest = rest.dropFirst(length)
        }
    }

    /// Returns the value of an octal number; nil if the bytes contain characters other than octal digits.
    private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
        let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
        return digits.isEmpty
            ? nil : Int(String(decoding: digits, as: UTF8.self), radix: 8).flatMap { $0 < 0 ? nil : $0 }
    }

    /// Returns the text before the first zero byte.
    private static func text(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }
}
