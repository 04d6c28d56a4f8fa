import IPP
import PrintModel
import SpoolerClient
import Testing

@testable import SpoolReports

struct SpoolStatusTests {
    private let now: UnixTime = 1_700_000_000

    private func printer(_ name: String, state: PrinterState = .idle, message: String = "") -> AttributeGroup {
        AttributeGroup(
            .printer,
            [
                Attribute("printer-name", .name(name)), Attribute("printer-state", .enumeration(Int32(state.rawValue))),
                Attribute("printer-state-message", .text(message)),
            ])
    }

    private func job(_ id: Int, _ state: JobState, message: String = "") -> AttributeGroup {
        AttributeGroup(
            .job,
            [
                Attribute("job-id", .integer(Int32(id))), Attribute("job-state", .enumeration(Int32(state.rawValue))),
                Attribute("job-printer-uri", .uri("ipp://localhost/printers/office")),
                Attribute("job-name", .name(String(repeating: "a long name ", count: 10))),
                Attribute("job-state-message", .text(message)),
                Attribute("time-at-creation", .integer(Int32(now) - 7500)),
                Attribute("time-at-completed", .integer(Int32(now) - 100)),
            ])
    }

    private func server(_ counts: [(String, Int32)]) -> AttributeGroup {
        AttributeGroup(
            .printer,
            [
                Attribute("printq-spool", .text("/var/spool/printq")), Attribute("printq-process", .integer(7)),
                Attribute("printq-version", .text("0.1.0")),
                Attribute("printq-start-time", .dateTime(DateTime(unixTime: Int(now) - 11_100))),
                Attribute("printq-listening", (1...9).map { .text("127.0.0.\($0):8631") }),
                Attribute("printq-listening-problem", .text(String(repeating: "problem ", count: 30))),
                Attribute(
                    "printq-job-counts", .collection(Collection(counts.map { Attribute($0.0, .integer($0.1)) }))),
            ])
    }

    @Test func `the status of a large spool fits on a terminal of 24 lines and 80 columns`() {
        let long = String(repeating: "the printer is out of paper in tray 1; ", count: 9)
        var status = SpoolStatus(
            server: server([("pending", 14_000), ("pending-held", 2), ("processing", 20), ("processing-stopped", 3)]),
            printers: (1...300).map { printer("laser-\($0)", state: $0 < 250 ? .stopped : .idle, message: long) },
            jobs: (1...23).map { job($0, .processing) })
        status.oldest = job(3, .pending, message: long)
        status.errors = (1...40).map { job($0, .aborted, message: long) }
        status.disk = DiskSpace(total: 40 << 30, free: 12 << 30)
        let lines = status.screen(width: 80, now: now).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
        #expect(lines.count <= 23, "\(lines.count) lines: \(lines)")
        for line in lines { #expect(String(line).columns <= 80, "\(line)") }
        #expect(lines.contains("printd      version 0.1.0, process 7, running for 3 h 5 min (since 19:08)"), "\(lines)")
        #expect(lines.contains("jobs        20 printing, 3 stopped, 14000 waiting, 2 held"))
        #expect(lines.contains("disk        12.0 GiB of 40.0 GiB free"))
        #expect(lines.contains("printers    300: 249 stopped, 51 ready"), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  laser-1  stopped  the printer is out") })
        #expect(lines.contains("  … and 245 more printers that need attention; see 'printq printers'"), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("oldest      job 3 on office has been waiting for 2 h 5 min: the") })
        #expect(lines.contains { $0.hasPrefix("            … and 39 more") })
    }

    @Test func `if no printer has a problem, the status of a spool shows only the number of printers`() {
        let status = SpoolStatus(server: server([]), printers: [printer("a"), printer("b")], jobs: [])
        let text = status.screen(width: nil, now: now)
        #expect(text.hasSuffix("jobs        none\nprinters    2: 2 ready\n"), "\(text)")
    }

    @Test func `while the port of the Print Center is open, the status shows its address`() {
        let socket = Attribute("printq-listening", .text("/run/printq/printd.sock"))
        func text(_ attributes: [Attribute]) -> String {
            let status = SpoolStatus(server: AttributeGroup(.printer, attributes), printers: [], jobs: [])
            return status.screen(width: nil, now: now)
        }
        #expect(text([socket]).contains("            no TCP port\n"))
        let open = Attribute("printq-center-address", .uri("http://127.0.0.1:43211"))
        #expect(
            text([socket, open]).contains("no TCP port, except http://127.0.0.1:43211 for the Print Center\n"))
    }

    @Test func `the status of a spool shows a duration with one or two units`() {
        let expected = [
            (0.0, "0 s"), (59, "59 s"), (60, "1 min"), (3599, "59 min"), (3600, "1 h"), (11_100, "3 h 5 min"),
            (86_400, "1 day"), (172_800, "2 days"), (-5, "0 s"),
        ]
        for (seconds, words) in expected { #expect(SpoolStatus.duration(seconds) == words) }
    }
}
