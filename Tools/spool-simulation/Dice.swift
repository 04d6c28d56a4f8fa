// Chance that can be repeated.

/// Chance that can be repeated: the same seed throws the same dice (SplitMix64).
///
/// A world lives on one thread, and so do its dice.
final class Dice: @unchecked Sendable {
    private var state: UInt64

    /// The dice of a seed; each `stream` of a seed is independent of the others.
    init(seed: UInt64, stream: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 ^ stream &* 0xD1B5_4A32_D192_ED03
        _ = next()
        _ = next()
    }

    /// The next 64 bits.
    func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A number of the range.
    func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// A number from 0 up to 1.
    func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Seconds of the range; short ones as often as long ones, by order of magnitude.
    func seconds(_ range: ClosedRange<Double>) -> Double {
        let share = fraction()
        return range.lowerBound + (range.upperBound - range.lowerBound) * share * share * share
    }

    /// True that often, of 1.
    func chance(_ probability: Double) -> Bool { fraction() < probability }

    /// One of them.
    func pick<Element>(_ elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }
}
