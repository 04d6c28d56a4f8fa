// Writes metric families in the text format of OpenMetrics 1.0.

/// The text format of OpenMetrics 1.0.
package enum MetricsText {
    /// The media type of the text (HTTP `Content-Type`).
    package static let mediaType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    /// Returns the metric families as text, sorted by name.
    ///
    /// The text includes the types of families without samples.
    package static func text(of families: [MetricFamily]) -> String {
        var text = ""
        for family in families.sorted(by: { $0.name < $1.name }) {
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            if !family.unit.isEmpty { text += "# UNIT \(family.name) \(family.unit)\n" }
            text += "# HELP \(family.name) \(escaped(family.help))\n"
            for sample in family.samples {
                let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
                text += "\(family.name)\(sample.suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(number(sample.value))\n"
            }
        }
        return text + "# EOF\n"
    }

    /// Returns a number in the notation of OpenMetrics.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
