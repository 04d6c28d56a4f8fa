// Waits for the jobs and states of a test printer with event subscriptions.

import IPP
import IPPClient

extension TestPrinter {
    /// The default timeout of the waiting functions.
    public static let defaultTimeout = Duration.seconds(60)

    /// Returns the first ended job that no earlier call has returned, and waits if there is no such job yet.
    ///
    /// Each job is returned once, in the order of arrival.
    ///
    /// - Throws: `timedOut`, with the state of the printer and its jobs; `printerEnded`; `unreadable`.
    public func nextJob(timeout: Duration = defaultTimeout) async throws(PrintTestingError) -> PrintedJob {
        try await untilEnded(within: timeout, waitingFor: "a job to end") { printer, ended in
            printer.returned.withLock { returned in
                let next = ended.sorted { $0.id < $1.id }.first { !returned.contains($0.id) }
                if let next { returned.insert(next.id) }
                return next
            }
        }
    }

    /// Waits until the job with this number has ended.
    ///
    /// `nextJob()` does not return this job afterwards.
    ///
    /// - Throws: The errors of `nextJob(timeout:)`.
    public func job(_ id: Int, timeout: Duration = defaultTimeout) async throws(PrintTestingError) -> PrintedJob {
        let job = try await untilEnded(within: timeout, waitingFor: "job \(id) to end") { _, ended in
            ended.first { $0.id == id }
        }
        returned.withLock { _ = $0.insert(id) }
        return job
    }

    /// Waits until the printer's state meets a condition, for example until a fault has stopped the printer.
    ///
    ///     try await printer.fault("media-jam at page 2")
    ///     try await printer.submit("letter.pdf")
    ///     try await printer.untilStatus { $0.reasons.contains("media-jam-error") }
    ///
    /// - Returns: The state that meets the condition.
    /// - Throws: `timedOut`, with the state of the printer and its jobs; `printerEnded`.
    @discardableResult
    public func untilStatus(
        timeout: Duration = defaultTimeout, _ condition: (PrinterStatus) -> Bool
    ) async throws(PrintTestingError) -> PrinterStatus {
        try await until(within: timeout, events: ["printer-state-changed"], waitingFor: "the expected printer state") {
            printer async throws(PrintTestingError) in
            let status = try await printer.status
            return condition(status) ? status : nil
        }
    }

    // MARK: - Implementation

    private struct Ended {
        var id: Int
        var folder: String
    }

    private func untilEnded(
        within span: Duration, waitingFor what: String, choose: (TestPrinter, [Ended]) -> Ended?
    ) async throws(PrintTestingError) -> PrintedJob {
        let chosen = try await until(within: span, events: ["job-completed"], waitingFor: what) {
            printer async throws(PrintTestingError) in
            let wanted = ["job-id", "printq-output-folder"].map { Value.keyword($0) }
            let answer = try await printer.conversation.send(
                printer.conversation.request(
                    .getJobs,
                    [Attribute("which-jobs", .keyword("completed")), Attribute("requested-attributes", wanted)]),
                doing: "listing the jobs")
            return choose(
                printer,
                answer.groups(.job).compactMap { job in
                    guard let id = job.integer("job-id"), let folder = job.string("printq-output-folder") else {
                        return nil
                    }
                    return Ended(id: Int(id), folder: folder)
                })
        }
        return try PrintedJob(folder: chosen.folder)
    }

    /// Calls the function `look` immediately, and again after each event of the printer.
    ///
    /// Returns the first result that is not nil.
    private func until<Result>(
        within span: Duration, events: [String], waitingFor what: String,
        look: (TestPrinter) async throws(PrintTestingError) -> Result?
    ) async throws(PrintTestingError) -> Result {
        let end = ContinuousClock.now + span
        var watch = PrinterWatch(conversation, events: events)
        var trouble: PrintTestingError?
        while true {
            do throws(PrintTestingError) {
                // Subscribe before looking, so that no event is missed.
                try await watch.begin()
                if let result = try await look(self) {
                    await watch.finish()
                    return result
                }
                trouble = nil
            } catch {
                // A fault can break the connection or refuse the request. Such a request is retried.
                trouble = error
            }
            if let ended { throw ended }
            guard ContinuousClock.now < end, !Task.isCancelled else { break }
            if trouble == nil { await watch.news(until: end) } else { try? await Task.sleep(for: .milliseconds(50)) }
        }
        await watch.finish()
        let doing = await activity()
        let cause = trouble.map { "; the last request failed: \($0.message)" } ?? ""
        throw PrintTestingError(
            .timedOut, "timed out after \(span) waiting for \(what): \(doing)\(cause)", cause: trouble)
    }

    private func activity() async -> String {
        guard let status = try? await status else { return "\(name) does not respond" }
        let because = status.reasons.isEmpty ? "" : " (\(status.reasons.joined(separator: ", ")))"
        let message = status.message.isEmpty ? "" : ": \(status.message)"
        var text = "\(name) is \(status.state)\(because)\(message)"
        let wanted = [
            "job-id", "job-name", "job-state", "job-state-message", "job-impressions", "job-impressions-completed",
            "printq-copies",
        ]
        let request = conversation.request(
            .getJobs, [Attribute("requested-attributes", wanted.map { .keyword($0) })])
        let jobs = (try? await conversation.answer(to: request))?.groups(.job) ?? []
        for job in jobs.prefix(3) {
            let state = job.integer("job-state").flatMap { JobState(rawValue: Int($0)) }
            // job-impressions counts one copy, job-impressions-completed counts all copies.
            let copies = max(1, job.integer("printq-copies") ?? 1)
            let pages = job.integer("job-impressions").map { " of \($0 * copies)" } ?? ""
            text += "; job \(job.integer("job-id") ?? 0) (\(job.string("job-name") ?? "")) is \(state ?? .pending), "
            text += "\(job.integer("job-impressions-completed") ?? 0)\(pages) sides printed"
            if let message = job.string("job-state-message"), !message.isEmpty { text += ": \(message)" }
        }
        if jobs.isEmpty { text += "; no job is waiting or printing" }
        return text
    }
}

/// A subscription to a printer's events, polled with Get-Notifications (RFC 3995, RFC 3996).
private struct PrinterWatch {
    private let conversation: PrinterConversation
    private let events: [String]
    private var subscription: Attribute?
    private var seen: Int32 = 0

    init(_ conversation: PrinterConversation, events: [String]) {
        (self.conversation, self.events) = (conversation, events)
    }

    /// Subscribes to the printer's events, unless a subscription exists.
    mutating func begin() async throws(PrintTestingError) {
        guard subscription == nil else { return }
        let request = conversation.request(
            .createPrinterSubscriptions,
            groups: [
                AttributeGroup(
                    .subscription,
                    [
                        Attribute("notify-pull-method", .keyword("ippget")),
                        Attribute("notify-events", events.map { .keyword($0) }),
                    ])
            ])
        let answer = try await conversation.send(request, doing: "subscribing to events")
        subscription = answer[.subscription]?["notify-subscription-id"]
    }

    mutating func news(until end: ContinuousClock.Instant) async {
        guard let subscription else { return }
        let request = conversation.request(
            .getNotifications,
            [
                Attribute("notify-subscription-ids", subscription.values),
                Attribute("notify-sequence-numbers", .integer(seen + 1)), Attribute("notify-wait", .boolean(true)),
            ])
        guard let answer = try? await conversation.answer(to: request, until: end), answer.status.rawValue < 0x0100
        else {
            // A printer that was switched off has lost its subscriptions.
            self.subscription = nil
            seen = 0
            return
        }
        seen = answer.groups(.eventNotification).compactMap { $0.integer("notify-sequence-number") }.max() ?? seen
    }

    func finish() async {
        guard let id = subscription?.values else { return }
        let request = conversation.request(.cancelSubscription, [Attribute("notify-subscription-id", id)])
        _ = try? await conversation.answer(to: request)
    }
}
