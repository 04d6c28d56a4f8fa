import IPP
import PrintModel
import SpoolerClient
import Testing

@testable import PrintqOutput

/// Tests of the output of `printq hosts`.
struct HostTableTests {
    private let list = HostList(
        hosts: [
            SpoolHost(name: "a", version: "1.2", startedAt: 0, lastSeenAt: 7200, isAlive: true, isDraining: false),
            SpoolHost(name: "b", version: "1.2", startedAt: 60, lastSeenAt: 7200, isAlive: true, isDraining: true),
            SpoolHost(name: "c", version: "1.1", startedAt: 60, lastSeenAt: 3600, isAlive: false, isDraining: false),
            SpoolHost(name: "d", version: "1.1", startedAt: 60, lastSeenAt: nil, isAlive: false, isDraining: false),
        ],
        placements: [
            PrinterPlacement(printer: "x", hosts: ["a", "b"], preferredHost: "b", driver: "a", drivenSince: 3600),
            PrinterPlacement(printer: "y", hosts: ["c"]), PrinterPlacement(printer: "z", driver: "a", drivenSince: 0),
        ])

    private func lines(_ table: TextTable) -> [String] {
        table.text().split(separator: "\n").map { $0.split(separator: /[ ]{2,}/).joined(separator: " | ") }
    }

    @Test func `the table of hosts shows the state, the last contact and the printers of each host`() {
        func time(_ moment: UnixTime) -> String { LocalTime.short(moment, now: 7201) }
        #expect(
            lines(list.hostTable(now: 7201)) == [
                "HOST | STATE | VERSION | STARTED | HEARD | PRINTERS",
                "a | alive | 1.2 | \(time(0)) | \(time(7200)) | x (since \(time(3600))), z (since \(time(0)))",
                "b | draining | 1.2 | \(time(60)) | \(time(7200))", "c | lost | 1.1 | \(time(60)) | \(time(3600))",
                "d | stopped | 1.1 | \(time(60))",
            ])
    }

    @Test func `the table of printers shows the hosts of each printer, and why no host drives a printer`() {
        func time(_ moment: UnixTime) -> String { LocalTime.short(moment, now: 7201) }
        #expect(
            lines(list.placementTable(now: 7201)) == [
                "PRINTER | HOST | SINCE | PREFERRED | REACHABLE FROM | NOTE",
                "x | a | \(time(3600)) | b | a, b",
                "y | none | c | No host that can reach y is alive: its jobs wait until host c starts.",
                "z | a | \(time(0)) | all hosts",
            ])
    }

    @Test func `the summary counts the printers of each host and marks this host`() {
        #expect(list.summary(own: "b") == "a: 2 printers; b (this host): draining, 0 printers; c: lost; d: stopped")
    }

    @Test func `each change of a host or printer is reported in one line`() {
        func report(_ change: HostChange) -> String { change.report(list) }
        #expect(
            report(.drain(host: "a"))
                == "a is draining and takes no more printers; it releases 2 printers after the jobs in progress")
        #expect(report(.drain(host: "b")) == "b is draining and takes no more printers")
        #expect(report(.resume(host: "a")) == "a takes printers again")
        #expect(report(.remove(host: "e")) == "removed e")
        #expect(report(.move(printer: "x", host: "a")) == "a drives x")
        #expect(report(.move(printer: "x", host: "b")) == "b takes x when a has finished its job in progress")
        #expect(report(.move(printer: "y", host: "c")) == "c takes y")
        #expect(report(.move(printer: "x", host: nil)) == "x has no preferred host")
        #expect(report(.restrict(printer: "x", hosts: ["a", "b"])) == "only a, b can reach x")
        #expect(report(.restrict(printer: "x", hosts: [])) == "all hosts can reach x")
    }

    @Test func `the JSON of a change contains the changed host or printer`() {
        #expect(HostChange.drain(host: "b").json(list).compactText.contains(#""printq-host-state":"draining""#))
        #expect(HostChange.remove(host: "e").json(list).compactText == #"{"printq-host-name":"e"}"#)
        let moved = HostChange.move(printer: "x", host: "b").json(list).compactText
        #expect(moved.contains(#""printq-reachable-hosts":["a","b"]"#) && moved.contains(#""printq-host":"a""#))
    }

    @Test func `the table of printers has a column of hosts only if the queue is shared`() {
        func view(_ name: String, _ attributes: Attribute...) -> PrinterView {
            PrinterView(AttributeGroup(.printer, [Attribute("printer-name", .name(name))] + attributes))
        }
        let alone = [view("x")].table
        #expect(lines(alone)[0] == "PRINTER | STATE | JOBS | DESCRIPTION | NOTE" || lines(alone)[0].hasSuffix("NOTE"))
        #expect(!lines(alone)[0].contains("HOST"))
        let shared = [view("x", Attribute("printq-host", .name("a"))), view("y")].table
        #expect(lines(shared).map { $0.contains("HOST") } == [true, false, false])
        #expect(lines(shared)[1].contains("| a") && lines(shared)[2].contains("| none"))
    }
}
