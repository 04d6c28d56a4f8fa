// A metric family and its samples, as values.

/// A family of metrics with the same name and meaning.
///
///     var depth = MetricFamily("printq_queue_depth", .gauge, help: "Jobs that have not ended.")
///     depth.add(12, [("printer", "color-laser")])
package struct MetricFamily: Hashable, Sendable {
    /// The types of metric families that this module writes.
    package enum Kind: String, Hashable, Sendable {
        /// A gauge: a value that can rise and fall.
        case gauge
        /// A counter: a value that only rises, and starts at zero when the process starts.
        case counter
        /// A histogram: the distribution of observed values over buckets.
        case histogram
        /// A state set: states that are each true or false.
        case stateset
        /// An info metric: constant facts about the process, such as the version.
        case info
    }

    /// A sample: a value with its labels.
    package struct Sample: Hashable, Sendable {
        /// The text after the name of the family, such as `_total` or `_bucket`.
        package var suffix: String
        /// The labels, in the order in which they are written.
        package var labels: [Label]
        package var value: Double
    }

    package struct Label: Hashable, Sendable {
        /// The name of the label: letters, digits and underscores.
        package var name: String
        /// The value of the label, which can be any text.
        package var value: String
    }

    /// The name: letters, digits and underscores.
    ///
    /// The name ends with the unit, if there is a unit.
    package var name: String
    package var kind: Kind
    /// The unit, such as `seconds`; empty for a metric without a unit.
    package var unit: String
    /// A description of the metric for people.
    package var help: String
    package var samples: [Sample] = []

    /// Creates a family without samples.
    package init(_ name: String, _ kind: Kind, unit: String = "", help: String) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.help = help
    }

    /// Adds a sample.
    ///
    /// The type of the family determines the suffix of the sample's name.
    package mutating func add(_ value: Double, _ labels: [(String, String)] = []) {
        let suffix =
            switch kind {
            case .counter: "_total"
            case .info: "_info"
            case .gauge, .histogram, .stateset: ""
            }
        samples.append(Sample(suffix: suffix, labels: labels.map(Label.init), value: value))
    }

    /// Adds the samples of a state set: one sample for each state.
    ///
    /// The value is 1 for a current state and 0 for any other state.
    package mutating func add(states: [String], of all: [String], _ labels: [(String, String)] = []) {
        for state in all { add(states.contains(state) ? 1 : 0, labels + [(name, state)]) }
    }

    /// Adds the samples of a histogram.
    ///
    /// - Parameters:
    ///   - counts: The number of values in each bucket, then the number of values above the last bucket. The numbers
    ///     are not cumulative.
    ///   - bounds: The upper bounds of the buckets, in ascending order.
    ///   - sum: The sum of all values.
    package mutating func add(
        counts: [Int], bounds: [Double], sum: Double, _ labels: [(String, String)] = []
    ) {
        let labels = labels.map(Label.init)
        var total = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < bounds.count ? MetricsText.number(bounds[index]) : "+Inf"
            samples.append(
                Sample(suffix: "_bucket", labels: labels + [Label(name: "le", value: bound)], value: Double(total)))
        }
        samples.append(Sample(suffix: "_count", labels: labels, value: Double(total)))
        samples.append(Sample(suffix: "_sum", labels: labels, value: sum))
    }
}
