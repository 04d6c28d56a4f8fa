// Reads the directory of compound files, in memory-safe code, because PrintKit reads documents without a sandbox.

import PrintModel

/// The entries of the root storage of a compound file, the container of Office documents before 2007 ([MS-CFB]).
///
/// Embedded documents are in other storages, and their streams have the same names. Therefore only the entries of the
/// root storage determine the type of the document.
struct CompoundDirectory {
    /// The names of the streams and storages in the root storage, in lower case, because the names ignore the case.
    private(set) var names: Set<String> = []

    private let file: DocumentReader
    /// The binary logarithm of the sector size.
    private let shift: Int
    /// The sectors of the file allocation table, in order.
    private var tableSectors: [Int] = []

    /// The largest number of a sector; larger numbers are marks, such as the end of a chain.
    private static let lastSector = 0xFFFF_FFFA
    /// The maximum size of the directory in bytes; further entries are ignored.
    private static let mostBytes = 4 << 20

    /// Returns nil if the directory is damaged.
    init?(_ file: DocumentReader) throws(WorkError) {
        let header = try file.bytes(count: 512)
        guard header.count == 512 else { return nil }
        (self.file, shift) = (file, header.number(at: 30, size: 2))
        guard (7...16).contains(shift) else { return nil }
        try readTableSectors(header)
        let entries = try directory(from: header.number(at: 48, size: 4))
        guard entries.count >= 128 else { return nil }
        // The entries of a storage are a binary tree.
        var (visited, rest): (Set<Int>, [Int]) = ([], [entries.number(at: 76, size: 4)])
        while let index = rest.popLast() {
            let start = index * 128
            guard index > 0, start + 128 <= entries.count, visited.insert(index).inserted else { continue }
            names.insert(Self.name(of: entries, at: start))
            rest += [entries.number(at: start + 68, size: 4), entries.number(at: start + 72, size: 4)]
        }
        guard !names.isEmpty else { return nil }
    }

    private static func name(of entries: [UInt8], at start: Int) -> String {
        let length = min(max(entries.number(at: start + 64, size: 2) - 2, 0), 62)
        let units = stride(from: start, to: start + length, by: 2).map {
            UInt16(truncatingIfNeeded: entries.number(at: $0, size: 2))
        }
        return String(decoding: units, as: UTF16.self).lowercased()
    }

    /// Reads the list of the table's sectors: 109 are in the header, and the others in a chain of sectors.
    private mutating func readTableSectors(_ header: [UInt8]) throws(WorkError) {
        // A sector of the table describes all sectors of this many bytes.
        let most = file.size >> (2 * shift - 2) + 1
        func take(_ list: [UInt8], from start: Int, to end: Int) -> [Int] {
            stride(from: start, to: end, by: 4).map { list.number(at: $0, size: 4) }.filter { $0 <= Self.lastSector }
        }
        tableSectors = take(header, from: 76, to: 512)
        var next = header.number(at: 68, size: 4)
        while next <= Self.lastSector, tableSectors.count < most {
            let list = try sector(next)
            guard list.count == 1 << shift else { break }
            tableSectors += take(list, from: 0, to: list.count - 4)
            next = list.number(at: list.count - 4, size: 4)
        }
    }

    /// Returns the sectors of the directory, which follow each other in the table but not always in the file.
    private func directory(from first: Int) throws(WorkError) -> [UInt8] {
        var (bytes, next): ([UInt8], Int) = ([], first)
        while next <= Self.lastSector, bytes.count < min(Self.mostBytes, file.size) {
            let part = try sector(next)
            guard !part.isEmpty else { break }
            bytes += part
            let (table, entry) = (next >> (shift - 2), next & (1 << (shift - 2) - 1))
            guard tableSectors.indices.contains(table) else { break }
            next = try file.bytes(at: (tableSectors[table] + 1) << shift + entry * 4, count: 4).number(at: 0, size: 4)
        }
        return bytes
    }

    private func sector(_ number: Int) throws(WorkError) -> [UInt8] {
        try file.bytes(at: (number + 1) << shift, count: 1 << shift)
    }
}
