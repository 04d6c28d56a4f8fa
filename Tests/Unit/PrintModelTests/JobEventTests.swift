// Tests the texts of events, each of which is one line.

import PrintModel
import Testing

struct JobEventTests {
    private func event(
        _ kind: String, _ state: JobState?, _ message: String = "",
        _ reasons: [JobStateReason] = [], pages: Int? = nil, name: String? = "Letter"
    ) -> JobEvent {
        JobEvent(
            sequence: 1, jobID: 7, printer: "laser", time: 0, kind: kind, state: state, message: message,
            reasons: reasons.map(\.rawValue), impressionsCompleted: pages, jobName: name, owner: "ada")
    }

    private func event(
        _ state: JobState, _ message: String = "", _ reasons: [JobStateReason] = [], name: String? = "Letter"
    ) -> JobEvent {
        event("job-state-changed", state, message, reasons, name: name)
    }

    @Test func `the one-line description of a job event contains the job and the change`() {
        let lines = [
            event("job-created", .pending, "Accepted for laser"),
            event("job-created", .pendingHeld, "Accepted for laser", [.jobIncoming]),
            event("job-created", .pendingHeld, "Accepted for laser", [.jobHoldUntilSpecified]),
            event("job-progress", .processing, "Printing page 2 of 5", [.jobPrinting]),
            event(.pending), event(.pendingHeld, "", [.jobHoldUntilSpecified]), event(.processing),
            event(.pending, "The printer cannot be reached", [.destinationUnavailable]),
            event(.processingStopped, "Out of paper", [.printerStopped]),
            event("job-config-changed", .pending, "Moved from photo to laser"),
        ].map(\.line)
        #expect(
            lines == [
                "job 7 (Letter) on laser: accepted", "job 7 (Letter) on laser: accepted, waiting for documents",
                "job 7 (Letter) on laser: accepted, held", "job 7 (Letter) on laser: printing page 2 of 5",
                "job 7 (Letter) on laser: waiting", "job 7 (Letter) on laser: held",
                "job 7 (Letter) on laser: processing",
                "job 7 (Letter) on laser: waiting: the printer cannot be reached",
                "job 7 (Letter) on laser: stopped: out of paper",
                "job 7 (Letter) on laser: moved from photo to laser",
            ])
    }

    @Test func `the one-line description of a job's last event contains the result and the reason`() {
        let lines = [
            event("job-completed", .completed, pages: 1), event("job-completed", .completed, pages: 5),
            event("job-completed", .completed, "Printed, with warnings", pages: 5),
            event("job-completed", .aborted, "PDF is damaged", [.documentFormatError]),
            event("job-completed", .aborted, "", [.abortedBySystem]),
            event("job-completed", .canceled, "", [.jobCanceledByUser]),
            event("job-completed", .canceled, "", [.jobCanceledByOperator]),
            event("job-completed", .canceled, "Somebody pressed a button", [.jobCanceledAtDevice]),
        ].map { $0.line.split(separator: ": ", maxSplits: 1)[1] }
        #expect(
            lines == [
                "completed: 1 page", "completed: 5 pages", "completed, printed, with warnings",
                "aborted: PDF is damaged", "aborted: aborted-by-system", "canceled by its owner",
                "canceled by an administrator", "canceled at the printer: somebody pressed a button",
            ])
    }

    @Test func `an event of an unnamed job or of a printer is described in one line`() {
        #expect(event(.pending, name: nil).line == "job 7 on laser: waiting")
        #expect(event(.pending, name: "").line == "job 7 on laser: waiting")
        let paused = JobEvent(
            sequence: 2, jobID: nil, printer: "laser", time: 0, kind: "printer-state-changed", state: nil,
            message: "Paused: new toner")
        #expect(paused.line == "laser: paused: new toner")
    }
}
