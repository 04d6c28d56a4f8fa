// Detects growth in a series of measurements.

/// A series of measurements of one value, in order and at about equal intervals.
///
/// Measurements vary, so the medians of the second and the last quarter are compared. The first quarter is ignored
/// because it contains one-time allocations.
package struct Flatness: Sendable {
    /// The median of the second quarter.
    package let before: Double
    /// The median of the last quarter.
    package let after: Double

    /// Creates a series of at least eight measurements.
    package init(_ values: [Double]) {
        precondition(values.count >= 8, "at least 8 measurements are required, not \(values.count)")
        let quarter = values.count / 4
        before = Self.median(values[quarter..<2 * quarter])
        after = Self.median(values.suffix(quarter))
    }

    /// The growth from the second quarter to the last; negative if the value has decreased.
    package var growth: Double { after - before }

    private static func median(_ values: ArraySlice<Double>) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
