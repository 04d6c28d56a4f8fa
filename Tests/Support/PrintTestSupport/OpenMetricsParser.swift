// Reads OpenMetrics text with the parser of the Python package prometheus_client.

/// The OpenMetrics parser of `prometheus_client` (Debian: python3-prometheus-client).
package enum OpenMetricsParser {
    /// The reason why the parser refused a text.
    package struct Failure: Error, CustomStringConvertible {
        /// The messages of the parser.
        package let description: String
    }

    /// Returns the names and types of the families in a text, in order.
    ///
    /// - Throws: `Failure` if the text is not valid OpenMetrics text.
    package static func families(in text: String) async throws -> [String] {
        let script = """
            import sys
            from prometheus_client.openmetrics.parser import text_string_to_metric_families as read
            for family in read(sys.stdin.read()): print(family.name, family.type)
            """
        let run = try await ProgramRun(
            "/usr/bin/python3", ["-c", script], environment: ["PATH": "/usr/bin:/bin"], in: "/", input: text)
        guard run.code == 0 else { throw Failure(description: run.complaints) }
        return run.output.split(separator: "\n").map(String.init)
    }
}
