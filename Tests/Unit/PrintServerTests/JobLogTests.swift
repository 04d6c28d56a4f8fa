import Logging
import PrintModel
import Testing

@testable import PrintServer

struct JobLogTests {
    private func event(
        _ kind: String, job: Int? = 7, _ state: JobState? = nil, printer: PrinterState? = nil, reasons: [String] = []
    ) -> JobEvent {
        JobEvent(
            sequence: 1, jobID: job, printer: "laser", time: 0, kind: kind, state: state,
            message: "Printing secret.pdf", printerState: printer, reasons: reasons, jobName: "secret.pdf",
            owner: job == nil ? nil : "ann")
    }

    @Test
    func `the log has one entry for each state of a job, and each entry contains the job, the printer and the user`() {
        var entries = JobLogEntries()
        let life = [
            event("job-created", .pending), event("job-state-changed", .processing),
            event("job-state-changed", .processing, reasons: ["job-printing"]), event("job-progress", .processing),
            event("job-completed", .completed, reasons: ["job-completed-successfully"]),
        ].map { entries.entry(for: $0) }
        #expect(life.map { $0?.message } == ["job accepted", "job started", nil, nil, "job completed"])
        for entry in life.compactMap(\.self) {
            #expect(entry.metadata["job"] == "7" && entry.metadata["printer"] == "laser")
            #expect(entry.metadata["user"] == "ann" && entry.level == .info)
        }
        #expect(life.last??.metadata["reasons"] == "job-completed-successfully")
    }

    @Test func `the log contains no names of documents and no messages of printers`() {
        var entries = JobLogEntries()
        let aborted = entries.entry(for: event("job-completed", .aborted, reasons: ["aborted-by-system"]))
        let stopped = entries.entry(for: event("printer-state-changed", job: nil, printer: .stopped))
        for entry in [aborted, stopped] {
            #expect(entry != nil && !"\(entry as Any)".contains("secret"))
        }
    }

    @Test(
        arguments: [
            ("job-completed", JobState.aborted, [], Logger.Level.warning, "job aborted"),
            ("job-completed", .canceled, [], .info, "job canceled"),
            ("job-state-changed", .processingStopped, ["job-suspended"], .warning, "job suspended"),
            (
                "job-state-changed", .processingStopped, ["printer-stopped"], .warning,
                "job stopped because the printer stopped"
            ),
            ("job-state-changed", .pendingHeld, [], .info, "job held"),
            ("job-state-changed", .pending, [], .info, "job waits"),
        ] as [(String, JobState, [String], Logger.Level, String)])
    func `each job state is logged with a specific message and level`(
        kind: String, state: JobState, reasons: [String], level: Logger.Level, message: String
    ) {
        var entries = JobLogEntries()
        let entry = entries.entry(for: event(kind, state, reasons: reasons))
        #expect(entry?.message == message && entry?.level == level)
    }

    @Test func `the log contains an entry when a printer stops or resumes, but no entries for other printer changes`() {
        var entries = JobLogEntries()
        let states: [PrinterState] = [.idle, .stopped, .stopped, .processing, .idle]
        let messages = states.map {
            entries.entry(for: event("printer-state-changed", job: nil, printer: $0))?.message
        }
        #expect(messages == [nil, "printer stopped", nil, "printer resumed", nil])
    }
}
