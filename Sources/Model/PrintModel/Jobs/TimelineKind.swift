// Defines the kinds of the events in a job's timeline.

/// The kind of an event in a job's timeline.
///
/// The kind is more specific than the IPP keyword of the event (`JobEvent.kind`).
public enum TimelineKind: String, Hashable, Sendable, CaseIterable {
    case accepted, preparing, prepared, sent, started, page, stopped, suspended, held, released, retrying, stopping
    case changed, completed, canceled, failed
}

extension JobEvent {
    package var timelineKind: TimelineKind {
        func has(_ reason: JobStateReason) -> Bool { reasons.contains(reason.rawValue) }
        let isProgress = kind == "job-progress"
        switch (kind, state) {
        case ("job-created", _): return .accepted
        case ("job-config-changed", _), (_, nil): return .changed
        case (_, .canceled?): return .canceled
        case (_, .aborted?): return .failed
        case (_, .completed?): return .completed
        case (_, .pendingHeld?): return .held
        case (_, .processing?) where has(.processingToStopPoint),
            (_, .processingStopped?) where has(.processingToStopPoint):
            return .stopping
        case (_, .processingStopped?): return has(.jobSuspended) ? .suspended : .stopped
        case (_, .processing?) where has(.jobPrinting): return isProgress ? .page : .started
        case (_, .processing?) where has(.jobTransforming): return isProgress ? .prepared : .preparing
        case (_, .processing?): return has(.jobOutgoing) ? .sent : .started
        case (_, .pending?) where has(.jobTransforming): return .preparing
        case (_, .pending?) where has(.destinationUnavailable) || has(.jobResuming): return .retrying
        case (_, .pending?): return isProgress ? .prepared : .released
        }
    }
}

extension Job {
    /// Returns the progress at an event of the job: `nextPage` is the page in progress.
    ///
    /// The result is nil after the last page, or if the number of pages is unknown.
    ///
    /// - Parameter impressions: The number of printed non-blank sides at the event, over all copies.
    package func pageInProgress(afterImpressions impressions: Int) -> PageProgress? {
        let sides = impressions > 0 ? side(ofImpression: impressions) : 0
        return sheetPlan?.nextPage(after: sides, sidesPerSheet: sidesPerSheet)
    }
}
