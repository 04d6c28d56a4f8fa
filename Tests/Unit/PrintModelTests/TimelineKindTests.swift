import PrintModel
import Testing

struct TimelineKindTests {
    @Test(
        arguments: [
            ("job-created", JobState.pending, [], TimelineKind.accepted),
            ("job-state-changed", .processing, ["job-transforming"], .preparing),
            ("job-progress", .processing, ["job-transforming"], .prepared),
            ("job-state-changed", .processing, ["job-outgoing"], .sent),
            ("job-progress", .processing, ["job-outgoing"], .sent),
            ("job-state-changed", .processing, ["job-printing"], .started),
            ("job-progress", .processing, ["job-printing"], .page),
            ("job-state-changed", .processing, ["processing-to-stop-point"], .stopping),
            ("job-state-changed", .processingStopped, ["printer-stopped"], .stopped),
            ("job-state-changed", .processingStopped, ["job-suspended"], .suspended),
            ("job-state-changed", .pendingHeld, ["job-hold-until-specified"], .held),
            ("job-state-changed", .pending, [], .released),
            ("job-state-changed", .pending, ["resources-are-not-ready"], .retrying),
            ("job-state-changed", .pending, ["job-resuming"], .retrying),
            ("job-config-changed", .pending, [], .changed),
            ("job-completed", .completed, [], .completed), ("job-completed", .canceled, [], .canceled),
            ("job-completed", .aborted, [], .failed),
        ] as [(String, JobState, [String], TimelineKind)])
    func `the kind of an event depends on its keyword, state and reasons, not on its message`(
        keyword: String, state: JobState, reasons: [String], kind: TimelineKind
    ) {
        let event = JobEvent(
            sequence: 1, jobID: 1, printer: "laser", time: 0, kind: keyword, state: state,
            message: "Stopping. Preparing. Released", reasons: reasons)
        #expect(event.timelineKind == kind)
    }
}
