import IPP
import PrintModel
import PrintTestSupport
import PrinterSimulator
import SimulatorServer
import Testing

/// Tests of the structured attributes and the log in responses to `controlPrinter`.
@Suite(.timeLimit(.minutes(1))) struct ControlAnswerTests {
    private func control(_ printers: TestPrinters, _ words: String...) async throws -> AttributeGroup {
        let answer = try await printers.ask(.controlPrinter, [Attribute("printq-control", words.map { .text($0) })])
        #expect(answer.status.isSuccessful, "\(answer)")
        return try #require(answer[.printer])
    }

    private func collections(_ group: AttributeGroup, _ name: String) -> [IPP.Collection] {
        group[name]?.values.compactMap(\.collectionValue) ?? []
    }

    @Test func `the response to a control request describes trays and supplies as collections`() async throws {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "level", "Black toner", "7")
            let group = try await control(printers, "load", "tray-2", "3", "Letter")
            #expect(group.boolean("printq-power") == true)
            let trays = collections(group, "printq-tray-col")
            #expect(trays.map { $0.string("tray-name") } == ["tray-1", "tray-2"])
            // tray-1 never runs empty and supplies every size.
            #expect(trays[0].integer("media-level") == nil)
            #expect(trays[0].string("media") == nil)
            #expect(trays[1].integer("media-level") == 3)
            #expect(trays[1].integer("media-capacity") == 10)
            #expect(trays[1].string("media") == "na_letter_8.5x11in")
            let supply = try #require(collections(group, "printq-supply-col").first)
            #expect(supply.string("marker-name") == "Black toner")
            #expect(supply.integer("marker-level") == 7)
            #expect(supply.string("marker-color") == "#000000")
            #expect(group.keywords("printq-media-supported") == ["iso_a4_210x297mm", "na_letter_8.5x11in"])
        }
    }

    @Test func `the response to a control request lists pending faults, and active faults with their start time`()
        async throws
    {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "fault", "media-jam")
            _ = try await control(printers, "fault", "busy at Print-Job once")
            let group = try await control(printers, "fault", "cover-open after 60 seconds")
            let faults = collections(group, "printq-fault-col")
            #expect(
                faults.map { $0.string("fault") }
                    == [
                        "media-jam until cleared", "status server-error-busy at Print-Job once",
                        "cover-open after 60 seconds until cleared",
                    ])
            #expect(faults.map { $0["fault-active"]?.boolValue } == [true, false, false])
            #expect(faults[0]["fault-started-at"]?.dateTimeValue == DateTime(unixTime: 1_700_000_000))
            #expect(faults[1]["fault-started-at"] == nil)
            #expect(faults[2]["fault-starts-at"]?.dateTimeValue == DateTime(unixTime: 1_700_000_060))
        }
    }

    @Test func `each fault name is valid and occurs once, and the error for an unknown fault lists all names`() throws {
        for name in Fault.names {
            let fault = try Fault(([name.name] + [name.argument].compactMap(\.self)).joined(separator: " "))
            #expect(["busy", fault.name].contains(name.name))
            #expect(!name.label.isEmpty && name.label != name.name)
        }
        let names = Fault.names.map(\.name)
        #expect(Set(names).count == names.count)
        let error = #expect(throws: SimulatorError.self) { try Fault("fire") }
        let known = error?.message.split(separator: "known faults: ").last?.split(separator: ", ").map(String.init)
        #expect(known.map(Set.init) == Set(names))
    }

    @Test func `the simulator log lists control commands, state changes and requests that change a job, newest first`()
        async throws
    {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "fault", "media-jam at page 2")
            let id = try await printers.print(name: "letter")
            _ = try await printers.job(id) { $0.state == .processingStopped }
            _ = try await printers.ask(.getPrinterAttributes)
            _ = try await printers.ask(.getJobAttributes, job: 99)
            _ = try await control(printers, "clear", "media-jam")
            _ = try await printers.job(id)
            var log: [Collection] = []
            var lines: [String] = []
            // The printer writes the entry of a job's end after clients can see that the job has ended.
            try await eventually("the log has the end of the job") {
                log = collections(try await control(printers, "log"), "printq-log-col").reversed()
                lines = log.map { entry in
                    let text = entry.string("log-text") ?? entry.string("log-job-text")
                    return "\(entry.string("log-operation") ?? ""): \(text ?? "")"
                }
                return lines.contains { $0.hasPrefix("job-completed") }
            }
            #expect(lines.contains("control: fault media-jam at page 2"))
            #expect(lines.contains { $0.hasPrefix("Print-Job: ") })
            #expect(lines.contains("media-jam-error: Paper jam; clear the jam"))
            #expect(lines.contains("Get-Job-Attributes: client-error-not-found"))
            #expect(!lines.contains { $0.hasPrefix("Get-Printer-Attributes") })
            #expect(lines.contains("control: clear media-jam"))
            let printed = try #require(log.first { $0.string("log-operation") == "Print-Job" })
            #expect(printed.integer("log-job") == Int32(id))
            #expect(printed.string("log-job-name") == "letter")
            #expect(printed["log-time"]?.dateTimeValue == DateTime(unixTime: 1_700_000_000))
        }
    }

    @Test func `the simulator log is read in pages, and each printer has a separate log`() async throws {
        try await TestPrinters.serving { printers in
            for _ in 0..<5 { _ = try await control(printers, "power", "on") }
            _ = try await printers.ask(.pausePrinter, at: TestPrinters.inkjetURI)
            let first = try await control(printers, "log", "2")
            let next = try #require(first.integer("printq-log-next"))
            let second = try await control(printers, "log", "3", "\(next)")
            #expect(collections(first, "printq-log-col").count == 2)
            #expect(collections(second, "printq-log-col").count == 3)
            #expect(second["printq-log-next"] == nil)
            let numbers = [first, second].flatMap { collections($0, "printq-log-col") }.map { $0.integer("log-number") }
            #expect(Set(numbers).count == 5)
            let wrong = try await printers.ask(
                .controlPrinter, [Attribute("printq-control", .text("log"), .text("0"))])
            #expect(wrong.status == .clientErrorBadRequest)
        }
    }
}
