// Provides repeatable random numbers.

/// A generator of pseudorandom numbers, which are equal for equal seeds (SplitMix64).
///
/// The generator is only used on the thread of its simulation.
final class Dice: @unchecked Sendable {
    private var state: UInt64

    /// Creates a generator; the streams of a seed are independent of each other.
    init(seed: UInt64, stream: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 ^ stream &* 0xD1B5_4A32_D192_ED03
        _ = next()
        _ = next()
    }

    /// Returns the next 64 bits.
    func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Returns a number in the range.
    func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// Returns a number from 0 up to, but not including, 1.
    func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a number of seconds in the range; small numbers are more frequent.
    func seconds(_ range: ClosedRange<Double>) -> Double {
        let share = fraction()
        return range.lowerBound + (range.upperBound - range.lowerBound) * share * share * share
    }

    /// Returns true with the given probability.
    func chance(_ probability: Double) -> Bool { fraction() < probability }

    /// Returns a random element.
    func pick<Element>(_ elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }
}
