// Formats the results of `printq doctor`.

package import PrintModel
package import SpoolerClient

/// The results of `printq doctor`.
package struct DoctorReport: Sendable {
    /// The results in groups, in the order in which `printq doctor` shows the groups.
    package let findings: [HealthFinding]
    /// The folder of the checked spool.
    private let spool: String

    /// Creates a report.
    ///
    /// - Parameter spool: The folder of the spool.
    package init(_ findings: [HealthFinding], spool: String) {
        let groups = HealthFinding.Group.all
        let others = findings.map(\.group).filter { !groups.contains($0) }
        var ordered: [HealthFinding] = []
        var seen: Set<HealthFinding.Group> = []
        for group in groups + others where seen.insert(group).inserted {
            ordered += findings.filter { $0.group == group }
        }
        (self.findings, self.spool) = (ordered, spool)
    }

    /// Returns the number of results with the given severity.
    package func count(_ state: HealthFinding.State) -> Int { findings.count { $0.state == state } }

    /// The summary, such as `14 checks: 12 ok, 1 warning, 1 error`.
    package var summary: String {
        func words(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        var parts = ["\(count(.ok)) ok"]
        if count(.warning) > 0 { parts.append(words(count(.warning), "warning")) }
        if count(.error) > 0 { parts.append(words(count(.error), "error")) }
        return "\(words(findings.count, "check")): \(parts.joined(separator: ", "))"
    }

    /// The maximum number of printers with the result `ok` that the report lists one by one.
    ///
    /// If more printers are ok, the report contains only their number.
    private static let mostListed = 10

    /// Returns the text of the report: the groups with their results, then the summary.
    ///
    /// - Parameter isStyled: Whether severities are colored and headings are bold.
    package func text(isStyled: Bool = false) -> String {
        var text = ""
        var group: HealthFinding.Group?
        let printers = findings.filter { $0.state == .ok && $0.printer != nil }
        for finding in findings {
            if finding.group != group {
                text += (group == nil ? "" : "\n") + Self.styled(finding.group.heading, "1", isStyled) + "\n"
                group = finding.group
            }
            if printers.count > Self.mostListed, finding.state == .ok, finding.printer != nil {
                guard finding == printers[0] else { continue }
                text += Self.styled("ok", "32", isStyled) + ": \(printers.count) printers respond\n"
                continue
            }
            text += Self.styled(finding.state.rawValue, Self.color(of: finding.state), isStyled)
            text += ": \(finding.message.printable)\n"
            if let advice = finding.advice { text += "  → \(advice.printable)\n" }
        }
        return text + "\n\(summary)\n"
    }

    private static func color(of state: HealthFinding.State) -> String {
        switch state {
        case .ok: "32"
        case .warning: "33"
        case .error: "31"
        }
    }

    private static func styled(_ text: String, _ code: String, _ isStyled: Bool) -> String {
        isStyled ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    /// The check results as JSON.
    package var json: JSONText {
        .object([
            ("printq-version", .string(Release.version)), ("printq-spool", .string(spool)),
            ("checks", .array(findings.map(Self.json))),
            (
                "summary",
                .object(
                    [("checks", .number(findings.count))]
                        + HealthFinding.State.allCases.map { ($0.rawValue, .number(count($0))) })
            ),
        ])
    }

    private static func json(_ finding: HealthFinding) -> JSONText {
        .object(
            [
                ("group", .string(finding.group.rawValue)), ("check", .string(finding.check)),
                ("state", .string(finding.state.rawValue)), ("message", .string(finding.message)),
                ("advice", finding.advice.map { .string($0) } ?? .null),
            ] + (finding.printer.map { [("printer-name", .string($0))] } ?? []))
    }
}
