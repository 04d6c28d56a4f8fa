import Foundation
import IPP
import PrintIPP
import Testing

struct AccessTableTests {
    @Test func `the access table in docs/results/access-table.md matches the access rules in the code`() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
                "docs/results/access-table.md")
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
            #expect(rule.permission(of: .manager, .own) != .refused || rule.permission(of: .user, .own) == .refused)
            for ownership in Ownership.allCases {
                let permissions = [RequesterKind.networkUser, .user].map { rule.permission(of: $0, ownership) }
                #expect(permissions[0] == permissions[1], "\(operation)")
            }
        }
    }
}

/// The access table in `docs/results/access-table.md`.
private enum AccessTable {
    /// The table has a row for each operation.
    ///
    /// For admitted guests, readers, anonymous clients, network users, users and managers, the table has a column for the
    /// requester's objects and a column for the objects of other users. One column is for guests, and one for
    /// administrators.
    static func markdown() -> String {
        var lines = [
            "| Operation | guest | admitted guest, own | admitted guest, other's | reader, own | reader, other's "
                + "| anonymous, own | anonymous, other's | network user, own | network user, other's | user, own "
                + "| user, other's | manager, own | manager, other's | administrator |",
            "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
        ]
        let rows = Operation.accessRules.flatMap { operation, rule in
            let name = operation.title
            let more = operation == .releaseJob ? [("\(name), `job-password`", Operation.releaseWithPassword)] : []
            return [(name, rule)] + more
        }
        for (name, rule) in rows {
            let guest = [rule.permission(of: .guest, .others).rawValue]
            let cells =
                guest
                + [RequesterKind.admittedGuest, .reader, .anonymous, .networkUser, .user, .manager].flatMap { kind in
                    Ownership.allCases.map { rule.permission(of: kind, $0).rawValue }
                }
            lines.append("| \(name) | \((cells + ["yes"]).joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
