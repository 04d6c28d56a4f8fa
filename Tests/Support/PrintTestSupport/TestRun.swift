// Determines which of many similar cases a run of the tests contains.

import Foundation

/// The extent of this run of the tests.
public enum TestRun {
    /// Whether this is a run of `scripts/test --long`, which contains all cases.
    public static let isLong = ProcessInfo.processInfo.environment["PRINTQ_LONG_TESTS"] != nil

    /// The number that determines the choices of `pairs(_:_:)`: `PRINTQ_TEST_SEED`, otherwise a random number.
    public static let seed =
        ProcessInfo.processInfo.environment["PRINTQ_TEST_SEED"].flatMap { Int($0) } ?? .random(in: 0..<1_000_000)

    /// Returns the combinations of two lists of values that this run tests.
    ///
    /// A long run tests all combinations. Another run tests each value at least once; the seed determines the partner of
    /// each value. Both lists must not be empty.
    public static func pairs<A, B>(
        _ first: some Collection<A>, _ second: some Collection<B>, isLong: Bool = isLong, seed: Int = seed
    ) -> [(A, B)] {
        let (first, second) = (Array(first), Array(second))
        if isLong { return first.flatMap { one in second.map { (one, $0) } } }
        // The partners differ by a number of places that changes with each round through the shorter list.
        return (0..<max(first.count, second.count)).map { index in
            let round = index / min(first.count, second.count)
            let shift = seed + round
            return first.count < second.count
                ? (first[(index + shift) % first.count], second[index])
                : (first[index], second[(index + shift) % second.count])
        }
    }
}
