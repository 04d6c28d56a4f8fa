// Compares docs/results/job-attributes.md with the list of attributes.

import Foundation
@testable import PrintIPP
import Testing

struct JobAttributeTableTests {
    @Test func `docs/results/job-attributes.md lists what printq does with each attribute of a job`() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("docs/results/job-attributes.md")
        if ProcessInfo.processInfo.environment["PRINTQ_WRITE_JOB_ATTRIBUTES"] != nil {
            try Self.markdown().write(to: path, atomically: true, encoding: .utf8)
        }
        #expect(
            try String(contentsOf: path, encoding: .utf8) == Self.markdown(),
            "update the table with: PRINTQ_WRITE_JOB_ATTRIBUTES=1 scripts/test --filter JobAttributeTableTests")
    }

    private static func markdown() -> String {
        var lines = [
            "# Attributes of jobs",
            "",
            "What `printd` does with each attribute that a client may send with a job.",
            "`JobAttribute.swift` contains the list; `JobAttributeTableTests` writes this page, and",
            "`JobAttributeTests` sends each attribute.",
            "",
            "A warning is in the response, in `lpstat -l`, `printq show`, `printq why` and the Print Center,",
            "and the job ends with `job-completed-with-warnings`. With `ipp-attribute-fidelity`, or if",
            "`job-mandatory-attributes` names the attribute, the job is refused instead.",
            "",
            "| Attribute | Defined in | Group | Supported value | Other value | With fidelity | Test |",
            "|---|---|---|---|---|---|---|",
        ]
        for attribute in JobAttribute.all {
            let (supported, other, strict, test) = row(attribute)
            lines.append(
                "| `\(attribute.name)` | \(attribute.standard) | \(attribute.isOfOperation ? "operation" : "job") | "
                    + "\(supported) | \(other) | \(strict) | \(test) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func operationRow(
        _ name: String
    ) -> (supported: String, other: String, strict: String, test: String) {
        switch name {
        case "compression", "document-format":
            ("applied", "refused", "refused", "unsupported formats and compressions are rejected…")
        case "last-document": ("applied", "refused", "refused", "Send-Document requires last-document…")
        case "job-password": ("applied", "refused", "refused", "an invalid password of a job is refused…")
        case "job-password-encryption":
            ("applied", "refused", "refused", "an invalid password of a job is refused…")
        case "document-password": ("applied", "refused", "refused", "DocumentPasswordTests")
        case "document-charset": ("applied", "warned", "refused", "the character encoding of the document…")
        default: ("applied", "", "", "PrinterOperationsSubmittingTests")
        }
    }

    private static func row(
        _ attribute: JobAttribute
    ) -> (supported: String, other: String, strict: String, test: String) {
        switch (attribute.treatment, attribute.isOfOperation) {
        case (.applied, false): ("applied", "warned", "refused", "an unsupported value is reported…")
        case (.applied, true): operationRow(attribute.name)
        case (.descriptive, false): ("accepted", "accepted", "accepted", "an attribute without effect…")
        case (.descriptive, true): ("accepted", "accepted", "accepted", "an operation attribute without effect…")
        case (.holding, _): ("held, warned", "held, warned", "refused", "a job with a release action is held…")
        case (.unsupported, false): ("none", "warned", "refused", "an unsupported value is reported…")
        case (.unsupported, true): ("none", "warned", "refused", "an operation attribute that is not supported…")
        }
    }
}
