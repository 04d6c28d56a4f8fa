// Provides the job attributes that the Print Center shows.

import IPP
import PrintIPP
import PrintModel
import PrintSpool

extension SpoolService {
    /// Returns the requested attributes of a job that the Print Center shows.
    ///
    /// The supported attributes are:
    /// - `printq-retry-at`
    /// - `printq-attempts`
    /// - `printq-warnings`
    /// - `printq-documents`
    /// - `printq-timeline`
    func centerAttributes(of job: Job, requested: RequestedAttributes) async -> [Attribute] {
        let job = scheduler.withNextAttempt(job)
        var attributes: [Attribute] = []
        if requested.names("printq-retry-at"), job.state == .pending, let retryAt = job.retryAt {
            attributes.append(Attribute("printq-retry-at", .integer(Int32(clamping: Int(retryAt.rounded(.up))))))
            attributes.append(Attribute("printq-attempts", .integer(Int32(clamping: job.attempts))))
        }
        if requested.names("printq-warnings"), !job.warnings.isEmpty {
            attributes.append(Attribute("printq-warnings", job.warnings.map { .text($0) }))
        }
        if requested.names("printq-documents"), !job.documents.isEmpty {
            attributes.append(Attribute("printq-documents", job.documents.map { .collection($0.collection) }))
        }
        if requested.names("printq-timeline"), let events = try? await spool.newestEvents(ofJob: job.id),
            !events.isEmpty
        {
            attributes.append(Attribute("printq-timeline", events.map { .collection($0.collection(of: job)) }))
        }
        return attributes
    }
}

extension JobDocument {
    /// The document as an IPP collection for the attribute `printq-documents`.
    fileprivate var collection: IPP.Collection {
        var members = [
            Attribute("document-number", .integer(Int32(clamping: number))),
            Attribute("document-format", .mimeMediaType(format.rawValue)),
            Attribute("printq-octets", .integer(Int32(clamping: bytes))),
        ]
        if let name { members.append(Attribute("document-name", .name(name))) }
        return IPP.Collection(members)
    }
}

extension JobEvent {
    /// Returns an event of a job as an IPP collection for the attribute `printq-timeline`.
    fileprivate func collection(of job: Job) -> IPP.Collection {
        var members = [
            Attribute("printq-event-number", .integer(Int32(clamping: sequence))),
            Attribute("printer-up-time", .integer(Int32(clamping: Int(time)))),
            Attribute("notify-subscribed-event", .keyword(kind)),
            Attribute("printq-timeline-kind", .keyword(timelineKind.rawValue)),
            Attribute("printer-name", .name(printer)),
        ]
        if let state { members.append(Attribute("job-state", .enumeration(Int32(state.rawValue)))) }
        if !reasons.isEmpty { members.append(Attribute("job-state-reasons", reasons.map { .keyword($0) })) }
        if !message.isEmpty { members.append(Attribute("notify-text", .text(message))) }
        if let impressionsCompleted {
            members.append(
                Attribute("job-impressions-completed", .integer(Int32(clamping: impressionsCompleted))))
            if timelineKind == .page, let progress = job.pageInProgress(afterImpressions: impressionsCompleted) {
                members.append(Attribute("printq-page", .integer(Int32(clamping: progress.nextPage))))
                members.append(Attribute("job-pages", .integer(Int32(clamping: progress.pages))))
            }
        }
        return IPP.Collection(members)
    }
}
