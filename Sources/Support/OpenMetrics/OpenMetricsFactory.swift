// Collects the metrics of a process for OpenMetrics.

package import CoreMetrics
import Synchronization

/// The description of a metric that a process records.
package struct MetricDescription: Sendable {
    /// The name of the family, without suffixes such as `_total`.
    package var name: String
    /// The unit, such as `seconds`; empty for a metric without a unit.
    package var unit: String
    /// A description of the metric for people.
    package var help: String
    /// The upper bounds of a histogram's buckets, in ascending order; empty for other metrics.
    package var bounds: [Double]

    package init(_ name: String, unit: String = "", bounds: [Double] = [], help: String) {
        self.name = name
        self.unit = unit
        self.bounds = bounds
        self.help = help
    }
}

/// A metrics backend for swift-metrics that keeps the values in memory, and returns the values as metric families.
///
///     let metrics = OpenMetricsFactory([MetricDescription("printq_jobs_ended", help: "Jobs that ended.")])
///     Counter(label: "printq_jobs_ended", dimensions: [("state", "completed")], factory: metrics).increment()
///     MetricsText.text(of: metrics.families)
///
/// Timers and aggregating recorders become histograms. Meters and other recorders become gauges. Timers record seconds.
/// A metric without a description is ignored. Clients choose some label values, so the number of series of a family is
/// limited. After `seriesLimit` series, the label values of new series become `other`.
package final class OpenMetricsFactory: MetricsFactory {
    private enum Series: Sendable {
        case counter(Double)
        case gauge(Double)
        case histogram(counts: [Int], sum: Double)
    }

    private struct Family: Sendable {
        var kind: MetricFamily.Kind
        var series: [[MetricFamily.Label]: Series] = [:]
    }

    /// The maximum number of series of one family that keep their label values.
    ///
    /// The label values of further series become `other`.
    package let seriesLimit: Int
    private let descriptions: [String: MetricDescription]
    private let state = Mutex<[String: Family]>([:])

    /// Creates a backend for the described metrics.
    package init(_ descriptions: [MetricDescription], seriesLimit: Int = 2_000) {
        self.seriesLimit = seriesLimit
        self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The families of all described metrics.
    ///
    /// A family without recorded values has no samples.
    package var families: [MetricFamily] {
        state.withLock { state in
            descriptions.values.map { description in
                let recorded = state[description.name]
                let kind = recorded?.kind ?? (description.bounds.isEmpty ? .counter : .histogram)
                var family = MetricFamily(
                    description.name, kind, unit: description.unit, help: description.help)
                let series = recorded?.series ?? [:]
                for (labels, values) in series.sorted(by: { Self.key($0.key) < Self.key($1.key) }) {
                    let labels = labels.map { ($0.name, $0.value) }
                    switch values {
                    case .counter(let value), .gauge(let value): family.add(value, labels)
                    case .histogram(let counts, let sum):
                        family.add(counts: counts, bounds: description.bounds, sum: sum, labels)
                    }
                }
                return family
            }
        }
    }

    private static func key(_ labels: [MetricFamily.Label]) -> String {
        labels.map { "\($0.name)\u{1}\($0.value)" }.joined(separator: "\u{2}")
    }

    /// Changes the value of a counter or a gauge.
    ///
    /// If the series does not exist, the method creates the series.
    fileprivate func change(_ key: MetricKey, _ change: (inout Double) -> Void) {
        with(key) { values in
            switch values {
            case .counter(var value):
                change(&value)
                values = .counter(value)
            case .gauge(var value):
                change(&value)
                values = .gauge(value)
            case .histogram: break
            }
        }
    }

    /// Adds a value to a histogram.
    fileprivate func observe(_ value: Double, _ key: MetricKey) {
        guard let bounds = descriptions[key.name]?.bounds, value.isFinite else { return }
        with(key) { values in
            guard case .histogram(var counts, let sum) = values else { return }
            counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
            values = .histogram(counts: counts, sum: sum + value)
        }
    }

    private func with(_ key: MetricKey, _ body: (inout Series) -> Void) {
        guard let description = descriptions[key.name] else { return }
        state.withLock { state in
            var family = state[key.name] ?? Family(kind: key.kind)
            guard family.kind == key.kind else { return }
            var labels = key.labels
            if family.series[labels] == nil, family.series.count >= seriesLimit {
                labels = labels.map { MetricFamily.Label(name: $0.name, value: "other") }
            }
            var series = family.series[labels] ?? Self.zero(key.kind, description)
            body(&series)
            family.series[labels] = series
            state[key.name] = family
        }
    }

    private static func zero(_ kind: MetricFamily.Kind, _ description: MetricDescription) -> Series {
        switch kind {
        case .histogram: .histogram(counts: Array(repeating: 0, count: description.bounds.count + 1), sum: 0)
        case .gauge: .gauge(0)
        case .counter, .stateset, .info: .counter(0)
        }
    }

    // MARK: - MetricsFactory

    /// Returns a counter of whole numbers.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Handler(self, label, dimensions, .counter)
    }

    /// Returns a counter of numbers with fractions.
    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        Handler(self, label, dimensions, .counter)
    }

    /// Returns a gauge that callers can set, increase and decrease.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        Handler(self, label, dimensions, .gauge)
    }

    /// Returns a histogram if the recorder aggregates, otherwise a gauge.
    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        Handler(self, label, dimensions, aggregate ? .histogram : .gauge)
    }

    /// Returns a histogram of seconds.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        Handler(self, label, dimensions, .histogram)
    }

    // The values are kept: a counter that disappears and restarts at zero is a reset for its readers.

    /// Does nothing, so that the metrics keep the value of the destroyed counter.
    package func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing, so that the metrics keep the value of the destroyed counter.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Does nothing, so that the metrics keep the value of the destroyed meter.
    package func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing, so that the metrics keep the values of the destroyed recorder.
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing, so that the metrics keep the values of the destroyed timer.
    package func destroyTimer(_ handler: any TimerHandler) {}
}

/// The identity of a series: name, labels and kind of metric.
private struct MetricKey: Sendable {
    var name: String
    var labels: [MetricFamily.Label]
    var kind: MetricFamily.Kind
}

/// A handler that records the values of one series of any kind.
private final class Handler: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    private let factory: OpenMetricsFactory
    private let key: MetricKey

    init(
        _ factory: OpenMetricsFactory, _ name: String, _ dimensions: [(String, String)], _ kind: MetricFamily.Kind
    ) {
        self.factory = factory
        key = MetricKey(name: name, labels: dimensions.map(MetricFamily.Label.init), kind: kind)
        // A series exists from its first mention, so that its first increase is visible.
        if kind == .counter { factory.change(key) { _ in } }
    }

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    func increment(by amount: Double) {
        guard key.kind != .counter || amount >= 0 else { return }
        factory.change(key) { $0 += amount }
    }

    func decrement(by amount: Double) { factory.change(key) { $0 -= amount } }

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { factory.change(key) { $0 = value } }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) { if key.kind == .histogram { factory.observe(value, key) } else { set(value) } }

    func recordNanoseconds(_ duration: Int64) { factory.observe(Double(duration) / 1e9, key) }

    func reset() { factory.change(key) { $0 = 0 } }
}
