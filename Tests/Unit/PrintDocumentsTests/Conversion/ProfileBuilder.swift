// Creates ICC profiles for tests.

/// A builder of ICC profiles (ISO 15076-1, version 2).
enum ProfileBuilder {
    /// A profile of linear light, whose red is the blue of sRGB and whose blue is the red of sRGB.
    static var swappedRedAndBlue: [UInt8] {
        let red = [0.4360, 0.2225, 0.0139], green = [0.3851, 0.7169, 0.0971], blue = [0.1431, 0.0606, 0.7141]
        let curve = Array("curv".utf8) + word(0) + word(1) + [1, 0, 0, 0]
        let tags: [(String, [UInt8])] = [
            ("desc", Array("desc".utf8) + word(0) + word(5) + Array("test\0".utf8) + [UInt8](repeating: 0, count: 79)),
            ("cprt", Array("text".utf8) + word(0) + Array("none\0".utf8) + [0, 0, 0]),
            ("wtpt", point([0.9642, 1, 0.8249])),
            ("rXYZ", point(blue)), ("gXYZ", point(green)), ("bXYZ", point(red)),
            ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
        ]
        var table = word(tags.count)
        var content: [UInt8] = []
        let start = 128 + 4 + tags.count * 12
        for (name, bytes) in tags {
            table += Array(name.utf8) + word(start + content.count) + word(bytes.count)
            content += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        }
        var header = [UInt8](repeating: 0, count: 128)
        func set(_ bytes: [UInt8], at position: Int) {
            header.replaceSubrange(position..<position + bytes.count, with: bytes)
        }
        set(word(start + content.count), at: 0)
        set([2, 0x40, 0, 0], at: 8)
        set(Array("mntrRGB XYZ ".utf8), at: 12)
        set(Array("acsp".utf8), at: 36)
        set(Array(point([0.9642, 1, 0.8249])[8...]), at: 68)
        return header + table + content
    }

    private static func word(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func point(_ values: [Double]) -> [UInt8] {
        Array("XYZ ".utf8) + word(0) + values.flatMap { word(Int(($0 * 65536).rounded())) }
    }
}
