// Defines lengths in the unit that IPP uses for media.

import FoundationEssentials

/// A length on paper, in hundredths of a millimeter, the unit of IPP media sizes (PWG 5101.1).
///
/// Integers keep A4 exact (21000 × 29700). Convert to points only for drawing.
///
///     let margin = Length.millimeters(12.5)
///     margin.points      // 35.43…
///
/// - Invariant: `0 <= hundredths <= Int32.max`, the largest IPP integer (about 21 km), so that sums never overflow.
public struct Length: Hashable, Comparable, Sendable, Codable {
    /// The length in hundredths of a millimeter.
    public let hundredths: Int

    /// A length of zero, such as the margin of borderless paper.
    public static let zero = Length(hundredths: 0)

    /// The maximum length: the largest IPP integer, about 21 km.
    public static let longest = Length(hundredths: Int(Int32.max))

    /// Creates a length from hundredths of a millimeter.
    ///
    /// Values above `longest` become `longest`.
    ///
    /// A negative number is a programming error.
    public init(hundredths: Int) {
        precondition(hundredths >= 0, "a length must not be negative, but is \(hundredths) hundredths of a millimeter")
        self.hundredths = min(hundredths, Int(Int32.max))
    }

    /// Creates the length that is nearest to a number of hundredths of a millimeter.
    ///
    /// The number comes from user input or a file.
    private init(nearest hundredths: Double) {
        let rounded = hundredths.rounded()
        self.init(hundredths: rounded > 0 ? Int(min(rounded, Double(Int32.max))) : 0)
    }

    /// Returns the length for a number of millimeters, rounded to the nearest hundredth.
    ///
    /// The result is zero for a negative number or NaN.
    public static func millimeters(_ value: Double) -> Length {
        Length(nearest: value * 100)
    }

    /// Returns the length for a number of inches (25.4 mm), rounded to the nearest hundredth of a millimeter.
    ///
    /// The result is zero for a negative number or NaN.
    public static func inches(_ value: Double) -> Length {
        Length(nearest: value * 2540)
    }

    /// Returns the length for a number of points (1/72 inch), rounded to the nearest hundredth of a millimeter.
    ///
    /// The result is zero for a negative number or NaN.
    public static func points(_ value: Double) -> Length {
        Length(nearest: value * 2540 / 72)
    }

    /// The length in points (1/72 inch).
    public var points: Double { Double(hundredths) * 72 / 2540 }

    /// The length in millimeters.
    public var millimeters: Double { Double(hundredths) / 100 }

    /// The length in millimeters as text, without trailing zeros: `210`, `215.9`, `4.23`.
    public var millimeterWords: String {
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(whole)" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// The length in inches.
    public var inches: Double { Double(hundredths) / 2540 }

    /// Returns whether the first length is shorter than the second length.
    public static func < (a: Length, b: Length) -> Bool { a.hundredths < b.hundredths }

    /// Returns the sum of two lengths; at most `longest`.
    public static func + (a: Length, b: Length) -> Length { Length(hundredths: a.hundredths + b.hundredths) }

    /// Encodes the length as an integer, as IPP does.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hundredths)
    }

    /// Decodes a length from an integer.
    ///
    /// A negative number, or a number above `longest`, is a decoding error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let hundredths = try container.decode(Int.self)
        guard hundredths >= 0, hundredths <= Int(Int32.max) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription:
                    "a length must be 0 to \(Int32.max) hundredths of a millimeter, but is \(hundredths)")
        }
        self.hundredths = hundredths
    }
}
