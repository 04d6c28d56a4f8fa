// `printsim wait`: waits until a printer's jobs have ended.

import ArgumentParser
import FoundationEssentials
import Glibc
import IPP
import IPPClient
import AsyncPrimitives
import SpoolerClient

struct WaitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Wait until jobs have ended, and show their final states.",
        discussion: "The exit code is 0 when all jobs completed, 1 when a job did not complete, 75 after a timeout.")

    @OptionGroup var address: PrinterAddress

    @Option(help: "The job number of the job to wait for (default: any job).")
    var job: Int?

    @Option(help: "The number of jobs that must have ended.")
    var jobs = 1

    @Option(help: "The timeout in seconds (default: 60).", transform: Seconds.parse)
    var timeout = Seconds(60)

    func run() async throws {
        do throws(StartError) {
            let ended = try await wait()
            if address.json {
                Notice.print(JSONText.array(ended.map { JSONText($0.attributes) }).text)
            } else {
                for job in ended { Notice.print(Self.line(job)) }
            }
            guard ended.allSatisfy({ $0.integer("job-state") == 9 }) else {
                throw StartError(description: "", exitCode: 1)
            }
        } catch {
            if !error.description.isEmpty { Notice.write("printsim: \(error.description)") }
            throw ExitCode(error.exitCode)
        }
    }

    private func wait() async throws(StartError) -> [AttributeGroup] {
        let end = ContinuousClock.now + timeout.duration
        // Subscribe before looking, so that no event is missed.
        var subscribe = try address.request(.createPrinterSubscriptions)
        subscribe.groups.append(
            AttributeGroup(
                .subscription,
                [
                    Attribute("notify-pull-method", .keyword("ippget")),
                    Attribute("notify-events", .keyword("job-completed")),
                ]))
        let made = try await send(subscribe)
        guard let subscription = made[.subscription]?["notify-subscription-id"] else {
            throw .unavailable("cannot subscribe to the printer's events: \(made.status)")
        }
        var seen: Int32 = 0
        while true {
            let found = try await ended()
            if found.count >= (job == nil ? jobs : 1) { return found }
            guard ContinuousClock.now < end else {
                throw .temporaryFailure(
                    "timed out after \(timeout) waiting for \(goal): \(try await activity(ended: found.count))")
            }
            let news = try await news(subscription, after: seen, until: end)
            seen = news?.groups(.eventNotification).compactMap { $0.integer("notify-sequence-number") }.max() ?? seen
        }
    }

    private var goal: String {
        job.map { "job \($0) to end" } ?? (jobs == 1 ? "a job to end" : "\(jobs) jobs to end")
    }

    /// Returns what the printer and its unfinished jobs are doing.
    ///
    /// If a job is requested, the text describes only this job.
    private func activity(ended count: Int) async throws(StartError) -> String {
        let printer = try await send(
            try address.request(
                .getPrinterAttributes,
                [
                    Attribute(
                        "requested-attributes",
                        ["printer-name", "printer-state", "printer-state-reasons", "printer-state-message"]
                            .map { .keyword($0) })
                ]))[.printer]
        let waiting = try await list("not-completed")
        var parts = [printer.map(PrinterAddress.line) ?? ""]
        for job in waiting.prefix(3) {
            let states: [Int32: String] = [3: "pending", 4: "held", 5: "processing", 6: "stopped"]
            let message = job.string("job-state-message") ?? ""
            parts.append(
                "job \(job.integer("job-id") ?? 0) (\(job.string("job-name") ?? "")) is "
                    + "\(states[job.integer("job-state") ?? 0] ?? "unknown"), \(Self.sides(job)) printed"
                    + (message.isEmpty ? "" : ": \(message)"))
        }
        if waiting.count > 3 { parts.append("\(waiting.count - 3) more jobs have not ended") }
        if let job, waiting.isEmpty { parts.append("the printer has no job \(job)") }
        if job == nil { parts.append("ended jobs: \(count)\(waiting.isEmpty ? "; no other job has arrived" : "")") }
        return parts.joined(separator: "; ")
    }

    /// Returns the ended jobs, sorted by job number.
    ///
    /// If a job is requested, the result contains only this job.
    private func ended() async throws(StartError) -> [AttributeGroup] { try await list("completed") }

    private func list(_ which: String) async throws(StartError) -> [AttributeGroup] {
        let wanted = ["job-id", "job-name", "job-state", "job-state-message", "job-impressions-completed"]
        let answer = try await send(
            try address.request(
                .getJobs,
                [
                    Attribute("which-jobs", .keyword(which)),
                    Attribute("requested-attributes", wanted.map { .keyword($0) }),
                ]))
        let jobs = answer.groups(.job).sorted { ($0.integer("job-id") ?? 0) < ($1.integer("job-id") ?? 0) }
        guard let job else { return jobs }
        return jobs.filter { $0.integer("job-id") == Int32(clamping: job) }
    }

    /// Returns the printer's next events; nil if the deadline passes first.
    private func news(
        _ subscription: Attribute, after number: Int32, until end: ContinuousClock.Instant
    ) async throws(StartError) -> Message? {
        let request = try address.request(
            .getNotifications,
            [
                Attribute("notify-subscription-ids", subscription.values),
                Attribute("notify-sequence-numbers", .integer(number + 1)), Attribute("notify-wait", .boolean(true)),
            ])
        let left = ContinuousClock.now.duration(to: end)
        let client = try address.client()
        // The canceled request closes its connection, which releases the printer.
        let answer = await outcome(within: left) { () async -> Result<Message, StartError> in
            do throws(StartError) {
                return .success(try await PrinterAddress.answer(of: client, to: request))
            } catch {
                return .failure(error)
            }
        }
        return try answer?.get()
    }

    private func send(_ request: Message) async throws(StartError) -> Message {
        try await PrinterAddress.answer(of: try address.client(), to: request)
    }

    private static func line(_ job: AttributeGroup) -> String {
        let states: [Int32: String] = [7: "canceled", 8: "aborted", 9: "completed"]
        let message = job.string("job-state-message") ?? ""
        let state = states[job.integer("job-state") ?? 0] ?? "unknown"
        return "job \(job.integer("job-id") ?? 0) (\(job.string("job-name") ?? "")): \(state), \(sides(job))"
            + (message.isEmpty ? "" : ": \(message)")
    }

    private static func sides(_ job: AttributeGroup) -> String {
        let count = job.integer("job-impressions-completed") ?? 0
        return "\(count) side\(count == 1 ? "" : "s")"
    }
}
