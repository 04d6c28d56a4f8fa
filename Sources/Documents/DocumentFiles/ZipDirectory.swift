// Reads the central directory of ZIP archives, in memory-safe code, because PrintKit reads documents without a sandbox.

import CZlib
import PrintModel

/// The files in a ZIP archive, as listed by its central directory (APPNOTE.TXT §4.3).
struct ZipDirectory {
    /// A file in the archive.
    struct Entry {
        /// The path in lower case; part names in Office Open XML ignore the case (ECMA-376 part 2).
        let name: String
        fileprivate let header: [UInt8]
    }

    let entries: [Entry]
    private let file: DocumentReader

    /// The maximum size of the directory in bytes; further entries are ignored.
    private static let mostBytes = 4 << 20

    /// Returns nil if the archive has no central directory, for example because the end of the file is missing.
    init?(_ file: DocumentReader) throws(WorkError) {
        let tailStart = max(0, file.size - 65_557)
        let tail = try file.bytes(at: tailStart, count: 65_557)
        guard tail.count >= 22,
            let end = (0...(tail.count - 22)).last(where: { tail.has([0x50, 0x4B, 5, 6], at: $0) })
        else { return nil }
        let (length, offset) = (tail.number(at: end + 12, size: 4), tail.number(at: end + 16, size: 4))
        entries = Self.entries(try file.bytes(at: offset, count: min(length, Self.mostBytes)))
        self.file = file
        guard !entries.isEmpty else { return nil }
    }

    private static func entries(_ bytes: [UInt8]) -> [Entry] {
        var (entries, offset): ([Entry], Int) = ([], 0)
        while bytes.has([0x50, 0x4B, 1, 2], at: offset), offset + 46 <= bytes.count {
            let name = offset + 46 + bytes.number(at: offset + 28, size: 2)
            entries.append(
                Entry(
                    name: String(decoding: bytes[(offset + 46)..<min(name, bytes.count)], as: UTF8.self).lowercased(),
                    header: Array(bytes[offset..<(offset + 46)])))
            offset = name + bytes.number(at: offset + 30, size: 2) + bytes.number(at: offset + 32, size: 2)
        }
        return entries
    }

    /// Returns the content of a small file in the archive; nil if the file is damaged, encrypted or larger than `limit`
    /// bytes.
    func content(of entry: Entry, limit: Int) throws(WorkError) -> [UInt8]? {
        let (flags, method) = (entry.header.number(at: 8, size: 2), entry.header.number(at: 10, size: 2))
        let (stored, size) = (entry.header.number(at: 20, size: 4), entry.header.number(at: 24, size: 4))
        guard flags & 1 == 0, size <= limit, stored <= 2 * limit else { return nil }
        let offset = entry.header.number(at: 42, size: 4)
        let local = try file.bytes(at: offset, count: 30)
        guard local.count == 30, local.has([0x50, 0x4B, 3, 4], at: 0) else { return nil }
        let data = try file.bytes(
            at: offset + 30 + local.number(at: 26, size: 2) + local.number(at: 28, size: 2), count: stored)
        switch method {
        case 0: return data
        case 8: return Self.inflated(data, size: size)
        default: return nil
        }
    }

    private static func inflated(_ data: [UInt8], size: Int) -> [UInt8]? {
        var (data, stream) = (data, z_stream())
        guard inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var status = Z_OK
        let result = data.withUnsafeMutableBufferPointer { data in
            [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                (stream.next_in, stream.avail_in) = (data.baseAddress, uInt(data.count))
                (stream.next_out, stream.avail_out) = (buffer.baseAddress, uInt(buffer.count))
                status = inflate(&stream, Z_FINISH)
                count = buffer.count - Int(stream.avail_out)
            }
        }
        return status == Z_STREAM_END ? result : nil
    }
}

extension [UInt8] {
    /// Returns the little-endian number at an offset; 0 if the bytes end before.
    func number(at offset: Int, size: Int) -> Int {
        guard offset >= 0, offset + size <= count else { return 0 }
        return (0..<size).reduce(0) { $0 | Int(self[offset + $1]) << ($1 * 8) }
    }

    func has(_ mark: [UInt8], at offset: Int) -> Bool {
        offset + mark.count <= count && self[offset..<(offset + mark.count)].elementsEqual(mark)
    }
}
