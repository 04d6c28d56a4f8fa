// Color profiles.

public import FoundationEssentials
import Glibc

/// A profile that describes the colors of a device (ICC.1).
public struct ICCProfile: Hashable, Sendable {
    /// The bytes of the profile.
    public let data: Data
    /// The name of the device or of the printing condition, such as `sRGB IEC61966-2.1`.
    public let name: String
    /// The number of color components: 1 for gray, 3 for RGB and Lab, 4 for CMYK.
    public let componentCount: Int

    /// Creates a profile from the bytes of an ICC file.
    ///
    /// - Parameter name: The name of the printing condition, for people and prepress programs.
    /// - Throws: `GraphicsError`: `damaged` for data that is no complete profile; `unsupportedFormat` for a profile of
    ///   another color space than gray, RGB, Lab or CMYK.
    public init(data: Data, name: String) throws(GraphicsError) {
        func text(at offset: Int) -> String { String(decoding: data.dropFirst(offset).prefix(4), as: UTF8.self) }
        let size = data.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard data.count >= 132, size <= data.count, text(at: 36) == "acsp" else {
            throw GraphicsError(.damaged, "cannot read the ICC profile '\(name)'; get a new copy of the file")
        }
        let counts = ["GRAY": 1, "RGB ": 3, "Lab ": 3, "CMYK": 4]
        guard let count = counts[text(at: 16)] else {
            throw GraphicsError(
                .unsupportedFormat,
                "the ICC profile '\(name)' describes colors of the kind '\(text(at: 16))'; use a profile for gray, RGB,"
                    + " Lab or CMYK")
        }
        (self.data, self.name, componentCount) = (data, name, count)
    }

    private init(sRGB data: Data) { (self.data, name, componentCount) = (data, "sRGB IEC61966-2.1", 3) }

    var isLab: Bool { data.dropFirst(16).starts(with: Array("Lab ".utf8)) }

    /// The profile of sRGB (IEC 61966-2-1), the color space of `Color`.
    public static let sRGB = ICCProfile(sRGB: SRGBProfile.data)
}

/// The bytes of a profile of sRGB, computed from the definition of sRGB (ICC.1:2001-04, a matrix profile).
private enum SRGBProfile {
    static let data: Data = {
        // The primaries of sRGB, adapted to the white point D50.
        let colors: [(String, [Double])] = [
            ("rXYZ", [0.43607, 0.22249, 0.01392]), ("gXYZ", [0.38515, 0.71687, 0.09708]),
            ("bXYZ", [0.14307, 0.06061, 0.71410]), ("wtpt", [0.9642, 1, 0.8249]),
        ]
        let name = "sRGB IEC61966-2.1"
        let description =
            bytes("desc") + word(0) + word(name.utf8.count + 1) + bytes(name) + [UInt8](repeating: 0, count: 1 + 78)
        var tags: [(names: [String], data: [UInt8])] = [
            (["desc"], description), (["cprt"], bytes("text") + word(0) + bytes("No rights reserved") + [0]),
        ]
        for (name, values) in colors { tags.append(([name], bytes("XYZ ") + word(0) + values.flatMap(fixed))) }
        let steps = 1024
        let curve = (0..<steps).flatMap { step in
            half(Int((linear(Double(step) / Double(steps - 1)) * 65535).rounded()))
        }
        tags.append((["rTRC", "gTRC", "bTRC"], bytes("curv") + word(0) + word(steps) + curve))

        let count = tags.reduce(0) { $0 + $1.names.count }
        var (table, content) = (word(count), [UInt8]())
        let start = 128 + 4 + 12 * count
        for tag in tags {
            for name in tag.names { table += bytes(name) + word(start + content.count) + word(tag.data.count) }
            content += tag.data
            while content.count % 4 != 0 { content.append(0) }
        }
        return Data(header(size: start + content.count) + table + content)
    }()

    /// Version 2.1, a display profile, RGB to XYZ, perceptual intent, illuminant D50.
    private static func header(size: Int) -> [UInt8] {
        var header = word(size) + word(0) + word(0x0210_0000) + bytes("mntrRGB XYZ ")
        for part in [2000, 1, 1, 0, 0, 0] { header += half(part) }
        header += bytes("acsp") + [UInt8](repeating: 0, count: 28)
        header += [0.9642, 1, 0.8249].flatMap(fixed)
        return header + [UInt8](repeating: 0, count: 128 - header.count)
    }

    /// The transfer function of sRGB.
    private static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    private static func word(_ value: Int) -> [UInt8] { half(value >> 16) + half(value) }
    private static func half(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
    private static func fixed(_ value: Double) -> [UInt8] { word(Int((value * 65536).rounded())) }
}
