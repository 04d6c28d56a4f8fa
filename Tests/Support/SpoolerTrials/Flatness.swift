// Whether something stays as it is while jobs come and go.

/// A row of measurements of one thing, in order, at about equal distances.
///
/// Measurements jump about, so that quarters are compared by their medians: the last one with the second. The first one
/// is left to what is made once.
package struct Flatness: Sendable {
    /// The middle of the second quarter.
    package let before: Double
    /// The middle of the last quarter.
    package let after: Double

    /// The measurements, of which there must be eight at least.
    package init(_ values: [Double]) {
        precondition(values.count >= 8, "quarters of \(values.count) measurements say nothing")
        let quarter = values.count / 4
        before = Self.median(values[quarter..<2 * quarter])
        after = Self.median(values.suffix(quarter))
    }

    /// By how much it has grown from the second quarter to the last; below zero when it has become less.
    package var growth: Double { after - before }

    private static func median(_ values: ArraySlice<Double>) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
