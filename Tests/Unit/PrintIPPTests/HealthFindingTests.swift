import IPP
import PrintModel
import Testing

@testable import PrintIPP

struct HealthFindingTests {
    private let findings = [
        HealthFinding(.spool, "disk-space", .warning, "only 5 MiB are free", advice: "free some disk space"),
        HealthFinding(.printers, "printer", .ok, "office responds", printer: "office"),
    ]

    @Test func `health check results round-trip through IPP attributes`() {
        let group = AttributeGroup(.printer, HealthFinding.attributes(findings))
        #expect(HealthFinding.read(group) == findings)
    }

    @Test func `the attribute printq-doctor contains one line of text for each health check result`() {
        let group = AttributeGroup(.printer, HealthFinding.attributes(findings))
        #expect(
            group.strings("printq-doctor") == [
                "warning: only 5 MiB are free; free some disk space", "ok: office responds",
            ])
    }

    @Test func `the printq-doctor lines of an earlier version of printd are read as health check results`() {
        let lines = Attribute("printq-doctor", .text("error: no disk: full"), .text("odd line"))
        let read = HealthFinding.read(AttributeGroup(.printer, [lines]))
        #expect(read.map(\.state) == [.error, .warning] && read.map(\.message) == ["no disk: full", "odd line"])
    }

    @Test func `a long health check message is truncated to the maximum length of an IPP text`() {
        let long = HealthFinding(.documents, "worker", .error, String(repeating: "ä", count: 2000))
        let message = Message(
            operation: .getPrinterAttributes, requestID: 1,
            groups: [.operation([]), AttributeGroup(.printer, HealthFinding.attributes([long]))])
        #expect(throws: Never.self) { try message.encoded() }
    }
}
