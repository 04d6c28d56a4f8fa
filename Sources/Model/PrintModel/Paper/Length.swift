// Lengths on paper, in the unit that IPP uses for media.

import FoundationEssentials

/// A length on paper, in hundredths of a millimetre, the unit IPP uses for media sizes (PWG 5101.1).
///
/// Whole numbers keep A4 exact (21000 × 29700); convert to points only where drawing starts.
///
///     let margin = Length.millimeters(12.5)
///     margin.points      // 35.43…
///
/// - Invariant: `0 <= hundredths <= Int32.max`, IPP's largest integer (some 21 km), so that sums never overflow.
public struct Length: Hashable, Comparable, Sendable, Codable {
    /// The length in hundredths of a millimetre.
    public let hundredths: Int

    /// No length at all; a margin of a borderless paper.
    public static let zero = Length(hundredths: 0)

    /// The longest length there is: IPP's largest integer, some 21 km.
    public static let longest = Length(hundredths: Int(Int32.max))

    /// Makes a length of a whole number of hundredths of a millimetre; what is beyond `longest` becomes that.
    ///
    /// A negative number is a programming error.
    public init(hundredths: Int) {
        precondition(hundredths >= 0, "a length on paper is never negative, but \(hundredths) was given")
        self.hundredths = min(hundredths, Int(Int32.max))
    }

    /// The nearest length to any number, for numbers that people and files give.
    private init(nearest hundredths: Double) {
        let rounded = hundredths.rounded()
        self.init(hundredths: rounded > 0 ? Int(min(rounded, Double(Int32.max))) : 0)
    }

    /// A length in millimetres, rounded to the nearest hundredth; a number that is no length (negative, NaN) gives zero.
    public static func millimeters(_ value: Double) -> Length {
        Length(nearest: value * 100)
    }

    /// A length in inches (25.4 mm), rounded to the nearest hundredth of a millimetre; no length gives zero.
    public static func inches(_ value: Double) -> Length {
        Length(nearest: value * 2540)
    }

    /// A length in points (1/72 inch), rounded to the nearest hundredth of a millimetre; no length gives zero.
    public static func points(_ value: Double) -> Length {
        Length(nearest: value * 2540 / 72)
    }

    /// The length in points (1/72 inch).
    public var points: Double { Double(hundredths) * 72 / 2540 }

    /// The length in millimetres.
    public var millimeters: Double { Double(hundredths) / 100 }

    /// The millimetres as people write them, without needless digits: `210`, `215.9`, `4.23`.
    public var millimeterWords: String {
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(whole)" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// The length in inches.
    public var inches: Double { Double(hundredths) / 2540 }

    /// The shorter length first.
    public static func < (a: Length, b: Length) -> Bool { a.hundredths < b.hundredths }

    /// Both lengths, one after the other; at most `longest`.
    public static func + (a: Length, b: Length) -> Length { Length(hundredths: a.hundredths + b.hundredths) }

    /// Writes the bare number, as IPP does.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hundredths)
    }

    /// Reads the bare number; one that is negative or beyond `longest` is a decoding error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let hundredths = try container.decode(Int.self)
        guard hundredths >= 0, hundredths <= Int(Int32.max) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription:
                    "a length on paper is 0 to \(Int32.max) hundredths of a millimetre, but \(hundredths) was given")
        }
        self.hundredths = hundredths
    }
}
