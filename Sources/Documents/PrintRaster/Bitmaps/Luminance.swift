// Converts colors to gray by luminance.

import Glibc

/// A converter from sRGB colors to the gray of equal luminance.
///
/// Luminance is a weighted sum of linear light, but sRGB components are gamma-encoded. Each component is therefore
/// decoded to linear light (IEC 61966-2-1), and the sum is encoded again.
///
/// The weights are the luminances of the sRGB primaries, relative to the white point of ICC profiles (D50): 22.25 %
/// red, 71.69 % green, 6.06 % blue. Red, green and blue become 130, 220 and 70, as in Ghostscript and cups-filters.
/// Black, white and grays do not change.
///
/// In contrast, programs such as PDFium weight the encoded components (NTSC luma), and return 76, 150 and 28.
///
/// - Note: The tables are filled once and never changed or freed, so any thread can read them.
struct Luminance: @unchecked Sendable {
    /// The shared converter with its tables.
    static let shared = Luminance()

    /// The weights of red, green and blue in the ICC's sRGB profile.
    private static let weights = (red: 0.2225, green: 0.7169, blue: 0.0606)
    /// The integer that represents the luminance of white: the weighted sum of linear red, green and blue at full
    /// intensity.
    private static let scale = 1 << 22
    /// The number of lowest bits that are removed from the weighted sum to compute the index in `level`.
    private static let shift: UInt32 = 8

    /// For each of the 256 values of a component, the linear light times the weight of the component, as an integer.
    ///
    /// The table contains first the values of red, then green, then blue.
    private let light: UnsafePointer<UInt32>
    /// The gray level for each weighted sum of linear red, green and blue.
    ///
    /// The index is the sum without its `shift` lowest bits.
    private let level: UnsafePointer<UInt8>

    private init() {
        let light = UnsafeMutablePointer<UInt32>.allocate(capacity: 3 * 256)
        for (channel, weight) in [Self.weights.red, Self.weights.green, Self.weights.blue].enumerated() {
            for value in 0..<256 {
                let share = weight * Self.decoded(Double(value) / 255) * Double(Self.scale)
                light[channel * 256 + value] = UInt32(share.rounded())
            }
        }
        // The table has one more entry than steps, because the sum of white is the scale itself.
        let steps = Self.scale >> Int(Self.shift)
        let level = UnsafeMutablePointer<UInt8>.allocate(capacity: steps + 1)
        for step in 0...steps {
            let middle = min((Double(step) + 0.5) / Double(steps), 1)
            level[step] = UInt8((Self.encoded(middle) * 255).rounded())
        }
        (self.light, self.level) = (UnsafePointer(light), UnsafePointer(level))
    }

    /// Returns the gray level of a color.
    @inline(__always) func gray(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
        // Most pixels of a page are gray.
        if red == green, green == blue { return red }
        let sum = light[Int(red)] &+ light[256 + Int(green)] &+ light[512 + Int(blue)]
        return level[Int(sum >> Self.shift)]
    }

    /// Returns the gray level of a `0x??RRGGBB` word.
    @inline(__always) func gray(_ word: UInt32) -> UInt8 {
        gray(
            red: UInt8(truncatingIfNeeded: word >> 16), green: UInt8(truncatingIfNeeded: word >> 8),
            blue: UInt8(truncatingIfNeeded: word))
    }

    private static func decoded(_ component: Double) -> Double {
        component <= 0.04045 ? component / 12.92 : pow((component + 0.055) / 1.055, 2.4)
    }

    private static func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
