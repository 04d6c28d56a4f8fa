import CoreMetrics
import OpenMetrics
import PrintTestSupport
import Testing

/// Tests of the metrics backend and the text format.
struct OpenMetricsFactoryTests {
    private static let descriptions = [
        MetricDescription("jobs", help: "Jobs."),
        MetricDescription("wait_seconds", unit: "seconds", bounds: [0.5, 1, 5], help: "Waiting time."),
        MetricDescription("depth", help: "Depth."),
    ]

    @Test func `counters, gauges and histograms are written in the OpenMetrics text format`() {
        let metrics = OpenMetricsFactory(Self.descriptions)
        Counter(label: "jobs", dimensions: [("state", "completed")], factory: metrics).increment(by: 2)
        Counter(label: "jobs", dimensions: [("state", "aborted")], factory: metrics).increment(by: 0)
        Meter(label: "depth", factory: metrics).set(7)
        let timer = Timer(label: "wait_seconds", factory: metrics)
        timer.recordNanoseconds(250_000_000)
        timer.recordNanoseconds(1_000_000_000)
        timer.recordNanoseconds(9_000_000_000)
        #expect(
            MetricsText.text(of: metrics.families) == """
                # TYPE depth gauge
                # HELP depth Depth.
                depth 7
                # TYPE jobs counter
                # HELP jobs Jobs.
                jobs_total{state="aborted"} 0
                jobs_total{state="completed"} 2
                # TYPE wait_seconds histogram
                # UNIT wait_seconds seconds
                # HELP wait_seconds Waiting time.
                wait_seconds_bucket{le="0.5"} 1
                wait_seconds_bucket{le="1"} 2
                wait_seconds_bucket{le="5"} 2
                wait_seconds_bucket{le="+Inf"} 3
                wait_seconds_count 3
                wait_seconds_sum 10.25
                # EOF

                """)
    }

    @Test func `a metric without a description is omitted from the output, and a decrease of a counter is ignored`() {
        let metrics = OpenMetricsFactory(Self.descriptions)
        Counter(label: "unknown", factory: metrics).increment()
        let counter = FloatingPointCounter(label: "jobs", factory: metrics)
        counter.increment(by: 3)
        metrics.makeCounter(label: "jobs", dimensions: []).increment(by: -2)
        #expect(metrics.families.first { $0.name == "jobs" }?.samples.map(\.value) == [3])
        #expect(!metrics.families.contains { $0.name == "unknown" })
    }

    @Test func `if a metric exceeds the series limit, the additional series are counted under the label value 'other'`()
    {
        let metrics = OpenMetricsFactory(Self.descriptions, seriesLimit: 2)
        for name in ["a", "b", "c", "d"] {
            Counter(label: "jobs", dimensions: [("printer", name)], factory: metrics).increment()
        }
        let samples = metrics.families.first { $0.name == "jobs" }?.samples ?? []
        #expect(samples.map { $0.labels[0].value } == ["a", "b", "other"])
        #expect(samples.map(\.value) == [1, 1, 2])
    }

    @Test func `quotes, backslashes and line breaks in labels are escaped`() {
        var family = MetricFamily("state", .stateset, help: "The state.\nSecond \"line\".")
        family.add(states: ["on"], of: ["on", "off"], [("printer", "a\"b\\c\nd")])
        let text = MetricsText.text(of: [family])
        #expect(text.contains(#"# HELP state The state.\nSecond \"line\"."#))
        #expect(text.contains(#"state{printer="a\"b\\c\nd",state="on"} 1"#))
        #expect(text.contains(#"state{printer="a\"b\\c\nd",state="off"} 0"#))
    }

    @Test func `the OpenMetrics parser of prometheus_client reads all types of metric families`() async throws {
        let metrics = OpenMetricsFactory(Self.descriptions)
        Counter(label: "jobs", dimensions: [("printer", "a\"b\\c\nd")], factory: metrics).increment()
        Meter(label: "depth", factory: metrics).set(-0.25)
        Timer(label: "wait_seconds", dimensions: [("printer", "x")], factory: metrics).recordNanoseconds(1)
        var state = MetricFamily("state", .stateset, help: "State.")
        state.add(states: ["idle"], of: ["idle", "stopped"], [("printer", "x")])
        var info = MetricFamily("build", .info, help: "Version.")
        info.add(1, [("version", "1.0")])
        let names = try await OpenMetricsParser.families(in: MetricsText.text(of: metrics.families + [state, info]))
        #expect(names == ["build info", "depth gauge", "jobs counter", "state stateset", "wait_seconds histogram"])
    }

    @Test func `the parser of prometheus_client rejects an invalid text`() async throws {
        await #expect(throws: OpenMetricsParser.Failure.self) {
            _ = try await OpenMetricsParser.families(in: "# TYPE a counter\na 1\n# EOF\n")
        }
    }
}
