// Defines media by their self-describing names.

import FoundationEssentials

/// A medium with its self-describing name and its size (PWG 5101.1 §5).
///
///     Media(name: "iso_a4_210x297mm")            // .a4
///     Media(name: "custom_badge_55x86mm")?.width  // 55 mm
///     Media.custom(width: .millimeters(100), height: .millimeters(62)).name
///
/// The width is measured across the feed direction. Portrait media have `width <= height`.
public struct Media: Hashable, Sendable, CustomStringConvertible {
    /// The self-describing name: class, name and size, such as `na_letter_8.5x11in`.
    public let name: String
    /// The width, across the feed direction.
    public let width: Length
    /// The height, along the feed direction.
    public let height: Length

    init(uncheckedName name: String, width: Length, height: Length) {
        (self.name, self.width, self.height) = (name, width, height)
    }

    /// Creates a medium from a self-describing name; nil for an invalid name.
    ///
    /// The form is `class_name_WxHunit`, with the unit `mm` or `in` (PWG 5101.1 §5.1.3). The width and height are at
    /// most 10 m. The name has at most 255 octets, like an IPP keyword.
    public init?(name: String) {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        guard name.utf8.count <= 255, parts.count >= 3, Self.isClass(parts[0]),
            parts[1...].dropLast().allSatisfy(Self.isWord),
            let size = parts.last, let parsed = Self.parseSize(size)
        else { return nil }
        self.init(uncheckedName: name, width: parsed.width, height: parsed.height)
    }

    /// Returns a medium of any size, named `custom_WxHmm_WxHmm`.
    ///
    /// The width and the height are limited to the range from 0.01 mm to 10 m, so that `init(name:)` accepts the name.
    public static func custom(width: Length, height: Length) -> Media {
        let width = min(max(width, shortestSide), longestSide)
        let height = min(max(height, shortestSide), longestSide)
        let size = "\(decimal(width))x\(decimal(height))mm"
        return Media(uncheckedName: "custom_\(size)_\(size)", width: width, height: height)
    }

    /// Returns the standard medium of this size, with a tolerance of 0.5 mm.
    ///
    /// If no standard medium has this size, the function returns a custom medium.
    public static func of(width: Length, height: Length) -> Media {
        standard(width: width, height: height) ?? custom(width: width, height: height)
    }

    /// The width across the feed direction and the height along the feed direction, in points.
    public var size: Size { Size(width: width.points, height: height.points) }

    /// The self-describing name of the medium.
    public var description: String { name }

    /// Returns whether two media have the same size, with a tolerance of 0.5 mm, regardless of their names.
    public func hasSameSize(as other: Media) -> Bool {
        abs(width.hundredths - other.width.hundredths) <= 50 && abs(height.hundredths - other.height.hundredths) <= 50
    }

    private static let shortestSide = Length(hundredths: 1)
    private static let longestSide = Length(hundredths: 1_000_000)

    private static func isClass(_ part: Substring) -> Bool {
        !part.isEmpty && part.utf8.allSatisfy { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
    }

    private static func isWord(_ part: Substring) -> Bool {
        !part.isEmpty
            && part.utf8.allSatisfy {
                ($0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z"))
                    || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: ".")
            }
    }

    /// Parses the width and height in a text such as `210x297mm` or `8.5x11in`; nil for an invalid size or a size out
    /// of bounds.
    static func parseSize(_ text: Substring) -> (width: Length, height: Length)? {
        let unit = text.suffix(2)
        let numbers = text.dropLast(2).split(separator: "x", omittingEmptySubsequences: false)
        guard numbers.count == 2, let width = parseNumber(numbers[0]), let height = parseNumber(numbers[1]) else {
            return nil
        }
        let make: (Double) -> Length
        switch unit {
        case "mm": make = Length.millimeters
        case "in": make = Length.inches
        default: return nil
        }
        let (w, h) = (make(width), make(height))
        let limits = shortestSide...longestSide
        return limits.contains(w) && limits.contains(h) ? (w, h) : nil
    }

    /// Parses the size in CUPS' `Custom.WIDTHxHEIGHTunit`; the unit is points if the text has no unit.
    static func parseCustomSize(_ text: Substring) -> (width: Length, height: Length)? {
        if let size = parseSize(text) { return size }
        let units: [(name: String, inches: Double)] = [
            ("pt", 1 / 72), ("ft", 12), ("cm", 1 / 2.54), ("m", 100 / 2.54), ("", 1 / 72),
        ]
        guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
        let numbers = text.dropLast(unit.name.count).split(separator: "x", omittingEmptySubsequences: false)
        return numbers.count == 2 ? size(numbers[0], numbers[1], inches: unit.inches) : nil
    }

    /// Parses the size in a PPD name such as `w288h432`, in points.
    static func parsePoints(_ text: String) -> (width: Length, height: Length)? {
        guard text.hasPrefix("w") else { return nil }
        let numbers = text.dropFirst().split(separator: "h", omittingEmptySubsequences: false)
        return numbers.count == 2 ? size(numbers[0], numbers[1], inches: 1 / 72) : nil
    }

    private static func size(
        _ width: Substring, _ height: Substring, inches: Double
    ) -> (width: Length, height: Length)? {
        guard let width = parseNumber(width), let height = parseNumber(height) else { return nil }
        let (w, h) = (Length.inches(width * inches), Length.inches(height * inches))
        let limits = shortestSide...longestSide
        return limits.contains(w) && limits.contains(h) ? (w, h) : nil
    }

    /// Parses a number below 100,000 in the notation of PWG 5101.1: digits, with at most one decimal point between two
    /// digits.
    private static func parseNumber(_ text: Substring) -> Double? {
        guard text.utf8.first != UInt8(ascii: "."), text.utf8.last != UInt8(ascii: "."), text.utf8.count <= 12,
            text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) }),
            let value = Double(text), value < 100_000
        else { return nil }
        return value
    }

    /// Returns the length in millimeters without trailing zeros: `62`, `101.6`.
    private static func decimal(_ length: Length) -> String {
        let (whole, rest) = length.hundredths.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(whole)" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension Media: Codable {
    /// Encodes the self-describing name of the medium.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    /// Decodes a medium from its self-describing name.
    ///
    /// Any other text is a decoding error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let media = Media(name: name) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(name)' is not a self-describing media name (PWG 5101.1)")
        }
        self = media
    }
}
