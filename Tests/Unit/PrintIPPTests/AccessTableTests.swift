import Foundation
import IPP
import PrintIPP
import Testing

struct AccessTableTests {
    @Test func `the access table in docs/threat-model.md matches the access rules in the code`() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/threat-model.md")
        let (begin, end) = ("<!-- access table -->\n", "<!-- end of the access table -->")
        let text = try String(contentsOf: path, encoding: .utf8)
        let start = try #require(text.range(of: begin))
        let stop = try #require(text.range(of: end))
        if ProcessInfo.processInfo.environment["PRINTQ_WRITE_ACCESS_TABLE"] != nil {
            let new = text[..<start.upperBound] + AccessTable.markdown() + text[stop.lowerBound...]
            try String(new).write(to: path, atomically: true, encoding: .utf8)
        }
        #expect(
            try String(contentsOf: path, encoding: .utf8).contains(begin + AccessTable.markdown() + end),
            "update the table with: PRINTQ_WRITE_ACCESS_TABLE=1 scripts/test --filter AccessTableTests")
    }

    @Test func `an operation without a rule is restricted to administrators`() {
        #expect(Operation(rawValue: 0x7FFF).access == .administrator)
    }

    @Test
    func `administrators can use all operations, and access to others' objects implies access to the user's objects`() {
        for (operation, rule) in Operation.accessRules {
            for ownership in Ownership.allCases {
                #expect(rule.permission(of: .administrator, ownership) == .allowed, "\(operation)")
            }
            for kind in RequesterKind.allCases where rule.permission(of: kind, .own) == .refused {
                #expect(rule.permission(of: kind, .others) == .refused, "\(operation)")
            }
            if rule.permission(of: .anonymous, .own) == .allowed {
                #expect(rule.permission(of: .user, .own) == .allowed, "\(operation)")
            }
        }
    }
}

/// The access table in `docs/threat-model.md`.
private enum AccessTable {
    private static let ownNames: [UInt16: String] = [
        Operation.printqGetAccounting.rawValue: "Get-Accounting",
        Operation.printqReloadConfiguration.rawValue: "Reload-Configuration",
        Operation.printqGetHosts.rawValue: "Get-Hosts",
        Operation.printqChangeHosts.rawValue: "Change-Hosts",
    ]

    /// The table has a row for each operation.
    ///
    /// For anonymous clients and for users, the table has a column for the requester's objects and a column for the
    /// objects of other users. One column is for administrators.
    static func markdown() -> String {
        var lines = [
            "| Operation | anonymous, own | anonymous, other's | user, own | user, other's | administrator |",
            "|---|---|---|---|---|---|",
        ]
        for (operation, rule) in Operation.accessRules {
            let cells = [RequesterKind.anonymous, .user].flatMap { kind in
                Ownership.allCases.map { rule.permission(of: kind, $0).rawValue }
            }
            let name = ownNames[operation.rawValue] ?? "\(operation)"
            lines.append("| \(name) | \((cells + ["yes"]).joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
