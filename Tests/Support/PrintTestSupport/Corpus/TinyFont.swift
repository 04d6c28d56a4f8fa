// Makes a TrueType font with three shapes, so that documents can embed a font that is installed nowhere.

/// A TrueType font file (ISO/IEC 14496-22): code 65 is a square, 66 a triangle, 67 an angle.
///
/// The font has 1000 units per em. Each glyph is 1000 units wide and 800 units high. Glyphs 1 to 3 are the shapes;
/// glyph 0 is empty.
enum TinyFont {
    private static let outlines: [[(Int, Int)]] = [
        [],
        [(100, 0), (100, 800), (900, 800), (900, 0)],
        [(100, 0), (500, 800), (900, 0)],
        [(100, 0), (100, 800), (400, 800), (400, 300), (900, 300), (900, 0)],
    ]

    /// The bytes of the file.
    static var bytes: [UInt8] {
        let glyphs = outlines.map(glyph)
        var location = [0]
        for glyph in glyphs { location.append(location[location.count - 1] + glyph.count) }
        let tables: [(String, [UInt8])] = [
            ("cmap", words(0, 1, 1, 0) + long(12) + words(0, 262, 0) + codes),
            ("glyf", glyphs.flatMap { $0 }),
            ("head", head),
            ("hhea", words(1, 0, 800, -200, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, glyphs.count)),
            ("hmtx", glyphs.flatMap { _ in words(1000, 100) }),
            ("loca", location.flatMap(long)),
            ("maxp", words(1, 0, glyphs.count, 6, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)),
            ("post", words(3, 0, 0, 0, -100, 50) + [UInt8](repeating: 0, count: 20)),
        ]
        return file(of: tables)
    }

    private static var head: [UInt8] {
        // The values are: version, revision, checksum, magic number, flags, units per em, two dates, box, style,
        // smallest size, direction, long offsets, format of the outlines.
        words(1, 0, 1, 0) + long(0) + long(0x5F0F_3CF5) + words(0, 1000) + [UInt8](repeating: 0, count: 16)
            + words(0, 0, 1000, 800, 0, 8, 2, 1, 0)
    }

    /// The table of glyph numbers for 256 codes.
    private static var codes: [UInt8] { (0..<256).map { (65...67).contains($0) ? UInt8($0 - 64) : 0 } }

    private static func glyph(_ points: [(Int, Int)]) -> [UInt8] {
        guard !points.isEmpty else { return [] }
        var data = words(1, 100, 0, 900, 800, points.count - 1, 0)
        data += points.map { _ in 1 }  // each point is on the outline, with coordinates of 16 bits
        for axis in [0, 1] {
            var last = 0
            for point in points {
                let value = axis == 0 ? point.0 : point.1
                data += words(value - last)
                last = value
            }
        }
        return data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
    }

    private static func file(of tables: [(String, [UInt8])]) -> [UInt8] {
        var directory = words(1, 0, tables.count, 128, 3, tables.count * 16 - 128)
        var body: [UInt8] = []
        for (tag, data) in tables {
            let padded = data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
            directory +=
                Array(tag.utf8) + long(sum(padded)) + long(12 + tables.count * 16 + body.count) + long(data.count)
            body += padded
        }
        return directory + body
    }

    private static func sum(_ data: [UInt8]) -> Int {
        stride(from: 0, to: data.count, by: 4).reduce(0) { total, start in
            (total + data[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }) & 0xFFFF_FFFF
        }
    }

    private static func words(_ values: Int...) -> [UInt8] {
        values.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }

    private static func long(_ value: Int) -> [UInt8] { words(value >> 16, value) }
}
