import PrintModel
import SpoolerClient
import Testing

@testable import SpoolReports

struct DoctorReportTests {
    private let findings = [
        HealthFinding(
            .printers, "printer", .error, "office cannot be reached", advice: "switch it on", printer: "office"),
        HealthFinding(.spool, "disk-space", .warning, "only 5 MiB are free", advice: "free some disk space"),
        HealthFinding(.documents, "worker", .ok, "print-worker works"),
    ]

    @Test func `the doctor report groups the results, shows advice and ends with a summary`() {
        let report = DoctorReport(findings, spool: "/srv/spool")
        #expect(
            report.text() == """
                Spool
                warning: only 5 MiB are free
                  → free some disk space

                Documents
                ok: print-worker works

                Printers
                error: office cannot be reached
                  → switch it on

                3 checks: 1 ok, 1 warning, 1 error

                """)
        #expect(report.count(.error) == 1)
        #expect(DoctorReport([findings[2]], spool: "").summary == "1 check: 1 ok")
        #expect(report.text(isStyled: true).contains("\u{1B}[31merror\u{1B}[0m: office"))
    }

    @Test func `if more than ten printers respond, the doctor report contains their number instead of their names`() {
        func report(_ count: Int) -> String {
            DoctorReport(
                findings
                    + (1...count).map {
                        HealthFinding(.printers, "printer", .ok, "laser-\($0) responds", printer: "laser-\($0)")
                    }, spool: ""
            ).text()
        }
        #expect(report(10).contains("ok: laser-10 responds\n"))
        #expect(report(300).contains("ok: 300 printers respond\n") && !report(300).contains("laser-10 responds"))
        #expect(report(300).contains("303 checks: 301 ok, 1 warning, 1 error"))
    }

    @Test func `the JSON report of 'printq doctor' has the documented members of each check`() {
        let json = DoctorReport([findings[0]], spool: "/srv/spool").json.compactText
        #expect(
            json
                == #"{"printq-version":"\#(Release.version)","printq-spool":"/srv/spool","checks":[{"group":"printers","#
                + #""check":"printer","state":"error","message":"office cannot be reached","advice":"switch it on","#
                + #""printer-name":"office"}],"summary":{"checks":1,"ok":0,"warning":0,"error":1}}"#)
    }

    @Test func `control characters in a printer's message are not sent to the terminal`() {
        let report = DoctorReport([HealthFinding(.printers, "printer", .ok, "evil\u{1B}[2J")], spool: "")
        #expect(!report.text().contains("\u{1B}"))
    }
}
