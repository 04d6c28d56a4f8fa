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
