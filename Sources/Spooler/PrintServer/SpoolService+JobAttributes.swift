// Provides the attributes of jobs that only printq has.

public import IPP
public import PrintIPP
public import PrintModel
import PrintSpool

extension SpoolService {
    /// Returns the requested attributes of jobs.
    ///
    /// The supported attributes are:
    /// - `printq-condition`
    /// - `printq-why`, the condition in English sentences
    /// - `printq-output-folder`
    /// - `printq-output-file`
    /// - `printq-output-files`
    /// - `printq-resume-from`
    /// - `printq-resume-words`
    /// - `printq-moved-from`
    /// - `printq-documents-kept`
    /// - `printq-password-deleted`, whether a reprint requires the password again
    /// - `printq-job-events`
    /// - the attributes of `centerAttributes`
    public func extraAttributes(of jobs: [Job], requested: RequestedAttributes) async -> [[Attribute]] {
        let kept: Set<Int>? =
            if requested.names("printq-documents-kept") {
                try? await spool.jobsWithDocuments(among: jobs.map(\.id))
            } else {
                nil
            }
        var attributes: [[Attribute]] = []
        for job in jobs { attributes.append(await extraAttributes(of: job, kept: kept, requested: requested)) }
        return attributes
    }

    /// Returns the requested attributes of a job.
    ///
    /// - Parameter kept: The jobs whose documents are kept; nil if unknown.
    private func extraAttributes(
        of job: Job, kept: Set<Int>?, requested: RequestedAttributes
    ) async -> [Attribute] {
        var attributes: [Attribute] = []
        if requested.names("printq-why") || requested.names(JobCondition.attributeName) {
            let condition = await condition(of: job)
            if requested.names("printq-why") {
                // The message of an ended job contains the warnings.
                var text = condition.explanation(at: clock())
                if !job.state.isTerminal, !job.allWarnings.isEmpty { text += " Warning: \(job.warningText)." }
                let further = job.furtherWarnings.joined(separator: ". ")
                if !further.isEmpty { text += " Further warnings: \(further)." }
                attributes.append(Attribute("printq-why", .text(text)))
            }
            if requested.names(JobCondition.attributeName) { attributes.append(condition.attribute) }
        }
        if JobOutput.attributeNames.contains(where: requested.names),
            let output = await output(job, await printer(of: job))
        {
            attributes += await output.attributes(requested)
        }
        if requested.names("printq-resume-from"), let side = job.resumeFrom {
            let impression = job.impressionCount(ofSides: side)
            attributes.append(Attribute("printq-resume-from", .integer(Int32(clamping: impression))))
        }
        if requested.names("printq-resume-words"), let words = job.resumeText {
            attributes.append(Attribute("printq-resume-words", .text(words)))
        }
        if requested.names("printq-moved-from"), let printer = job.movedFrom {
            attributes.append(Attribute("printq-moved-from", .name(printer)))
        }
        if let kept { attributes.append(Attribute("printq-documents-kept", .boolean(kept.contains(job.id)))) }
        if requested.names("printq-password-deleted") {
            attributes.append(Attribute("printq-password-deleted", .boolean(job.needsPasswordAgain)))
        }
        attributes += await centerAttributes(of: job, requested: requested)
        if requested.names("printq-job-events"), let events = try? await spool.newestEvents(ofJob: job.id) {
            let lines = events.map { "@\(Int($0.time)) \($0.kind)\($0.message.isEmpty ? "" : ": \($0.message)")" }
            if !lines.isEmpty { attributes.append(Attribute("printq-job-events", lines.map { .text($0) })) }
        }
        return attributes
    }

    /// Returns the printer of a job from the cached printers; nil if the printer was removed.
    private func printer(of job: Job) async -> ConfiguredPrinter? {
        (try? await spool.printers())?.first { $0.name == job.printer }
    }

    private func condition(of job: Job) async -> JobCondition {
        let printer = await printer(of: job)
        let hosts = await recentHosts()
        let status: PrinterStatus? =
            if let printer { await quickStatuses(of: [printer], hosts: hosts)[0].status } else { nil }
        let turns = takesTurns ? try? await spool.fairQueue(of: job.printer).jobsAhead(of: job) : nil
        let ahead = if let turns { turns.count } else { (try? await spool.countWaitingBefore(job.id)) ?? 0 }
        return scheduler.withNextAttempt(job).condition(
            in: JobContext(
                printer: printer, status: status, jobsAhead: ahead, turns: turns, blocker: await blocker(of: job),
                driver: hosts?.driver(of: job.printer), now: clock()))
    }

    /// Returns the condition of the job that must end before `job` can start in strict order.
    private func blocker(of job: Job) async -> JobCondition? {
        guard scheduler.order == .strict, job.state == .pending,
            let first = try? await spool.jobInStrictWay(of: job.id)
        else { return nil }
        return await condition(of: first)
    }

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
        if requested.names("printq-warnings"), !job.allWarnings.isEmpty {
            attributes.append(Attribute("printq-warnings", job.allWarnings.map { .text($0) }))
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
