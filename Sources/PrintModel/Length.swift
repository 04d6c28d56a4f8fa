// Lengths on paper, in the unit that IPP uses for media.

import FoundationEssentials

/// A length on paper, in hundredths of a millimetre, the unit IPP uses for media sizes (PWG 5101.1).
///
/// Whole numbers keep A4 exact (21000 × 29700); convert to points only where drawing starts.
///
///     let margin = Length.millimeters(12.5)
///     margin.points      // 35.43…
///
/// - Invariant: `hundredths >= 0`.
public struct Length: Hashable, Comparable, Sendable, Codable {
    /// The length in hundredths of a millimetre.
    public let hundredths: Int

    /// No length at all; a margin of a borderless paper.
    public static let zero = Length(hundredths: 0)

    /// Makes a length of a whole number of hundredths of a millimetre.
    ///
    /// A negative number is a programming error.
    public init(hundredths: Int) {
        precondition(hundredths >= 0, "a length on paper is never negative, but \(hundredths) was given")
        self.hundredths = hundredths
    }

    /// A length in millimetres, rounded to the nearest hundredth.
    public static func millimeters(_ value: Double) -> Length {
        Length(hundredths: Int((value * 100).rounded()))
    }

    /// A length in inches (25.4 mm), rounded to the nearest hundredth of a millimetre.
    public static func inches(_ value: Double) -> Length {
        Length(hundredths: Int((value * 2540).rounded()))
    }

    /// A length in points (1/72 inch), rounded to the nearest hundredth of a millimetre.
    public static func points(_ value: Double) -> Length {
        Length(hundredths: Int((value * 2540 / 72).rounded()))
    }

    /// The length in points (1/72 inch).
    public var points: Double { Double(hundredths) * 72 / 2540 }

    /// The length in millimetres.
    public var millimeters: Double { Double(hundredths) / 100 }

    /// The length in inches.
    public var inches: Double { Double(hundredths) / 2540 }

    /// The shorter length first.
    public static func < (a: Length, b: Length) -> Bool { a.hundredths < b.hundredths }

    /// Both lengths, one after the other.
    public static func + (a: Length, b: Length) -> Length { Length(hundredths: a.hundredths + b.hundredths) }

    /// Writes the bare number, as IPP does.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hundredths)
    }

    /// Reads the bare number; a negative one is a decoding error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let hundredths = try container.decode(Int.self)
        guard hundredths >= 0 else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a length on paper is never negative, but \(hundredths) was given")
        }
        self.hundredths = hundredths
    }
}
