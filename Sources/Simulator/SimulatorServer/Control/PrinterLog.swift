// The log of each simulated printer: the requests that it received and the changes of its state.

import IPP
package import PrintIPP
package import PrintModel
import PrinterSimulator
import Synchronization

/// The log of the simulated printers of one process.
///
/// The log keeps at least the newest 1,000 entries of each printer in memory. The log omits subscription requests and
/// successful read-only requests.
///
///     let log = PrinterLog(of: service) { now }
///     let control = SimulatorControl(…, log: log)
///     LoggingResponder(control, log: log)                    // records requests
///     environment.note = { log.record($0) }                 // records events
package final class PrinterLog: Sendable {
    struct Entry: Hashable, Sendable {
        /// The numbers increase across all printers.
        var number: Int
        var time: UnixTime
        /// The name of an IPP operation, or a keyword of a job state or printer state, such as `Send-Document` or
        /// `media-jam-error`.
        var operation: String
        /// The number of the job at the printer; nil if the entry concerns no job.
        var job: Int?
        /// Further details for people; empty if there are no details.
        var text: String
        /// Whether the details are about a job, such as its options and the size of its document.
        ///
        /// Only the owner of the job and administrators may see them.
        var isAboutJob: Bool
    }

    /// A part of a printer's log, with the newest entry first.
    struct Page: Hashable, Sendable {
        var entries: [Entry]
        /// The value of `LogQuery.before` that selects the next, older part of the log; nil if the log has no older
        /// entries.
        var next: Int?
    }

    private struct State {
        var last = 0
        var entries: [String: [Entry]] = [:]
        var states: [String: String] = [:]
    }

    package static let capacity = 1_000

    private let state = Mutex(State())
    private let now: @Sendable () -> UnixTime

    package init(now: @escaping @Sendable () -> UnixTime) { self.now = now }

    /// The function does not record the progress of jobs.
    package func record(_ event: JobEvent) {
        switch event.kind {
        case "job-completed":
            append(event.state.map { "job-\($0)" } ?? event.kind, event.message, job: event.jobID, of: event.printer)
        case "job-state-changed" where event.state == .processingStopped:
            append("job-stopped", event.message, job: event.jobID, of: event.printer)
        case "printer-state-changed": recordState(event)
        default: break
        }
    }

    private func recordState(_ event: JobEvent) {
        let reasons = event.reasons.filter { $0 != "none" }
        let words = reasons.isEmpty ? "none" : reasons.joined(separator: " ")
        let before = state.withLock { state in
            defer { state.states[event.printer] = words }
            return state.states[event.printer] ?? "none"
        }
        guard before != words else { return }
        append(reasons.isEmpty ? "ready" : words, reasons.isEmpty ? "" : event.message, job: nil, of: event.printer)
    }

    func record(command text: String, of printer: String) { append("control", text, job: nil, of: printer) }

    func record(_ operation: Operation, _ text: String, job: Int?, of printer: String) {
        append("\(operation)", text, job: job, isAboutJob: true, of: printer)
    }

    private func append(
        _ operation: String, _ text: String, job: Int?, isAboutJob: Bool = false, of printer: String
    ) {
        let time = now()
        state.withLock { state in
            state.last += 1
            var entries = state.entries[printer] ?? []
            entries.append(
                Entry(
                    number: state.last, time: time, operation: operation, job: job, text: text,
                    isAboutJob: isAboutJob || job != nil))
            if entries.count > Self.capacity + 100 { entries.removeFirst(entries.count - Self.capacity) }
            state.entries[printer] = entries
        }
    }

    func page(of printer: String, _ query: LogQuery) -> Page {
        state.withLock { state in
            let all = state.entries[printer] ?? []
            let older = all.prefix { entry in query.before.map { entry.number < $0 } ?? true }
            let entries = Array(older.suffix(query.limit).reversed())
            return Page(entries: entries, next: older.count > entries.count ? entries.last?.number : nil)
        }
    }
}

struct LogQuery: Hashable, Sendable {
    var limit = 100
    /// An entry number: the query selects only entries with lower numbers.
    ///
    /// If nil, the query selects the newest entries.
    var before: Int?

    static let most = 500

    /// Parses the arguments `LIMIT BEFORE` or `LIMIT`, or an empty list of arguments.
    init(_ words: [String]) throws(SimulatorError) {
        guard words.count <= 2 else { throw Self.wrong }
        if let word = words.first {
            guard let limit = Int(word), (1...Self.most).contains(limit) else { throw Self.wrong }
            self.limit = limit
        }
        if words.count == 2 {
            guard let before = Int(words[1]), before >= 0 else { throw Self.wrong }
            self.before = before
        }
    }

    private static let wrong = SimulatorError(
        .badFault, "invalid arguments after 'log'; use log [LIMIT [BEFORE]] with a limit from 1 to \(most)")
}

/// A responder that forwards requests, and records the requests in the log after the response.
package struct LoggingResponder: IPPResponder {
    private let responder: any IPPResponder
    private let service: SimulatorService
    private let log: PrinterLog

    package init(_ responder: any IPPResponder, service: SimulatorService, log: PrinterLog) {
        (self.responder, self.service, self.log) = (responder, service, log)
    }

    package func answer(to request: IPPRequest) async -> IPPAnswer {
        let answer = await responder.answer(to: request)
        guard let printer = service.device(meantBy: request.message),
            Self.isLogged(request.message, isSuccess: answer.message.status.rawValue < 0x0100)
        else { return answer }
        await record(request.message, answer.message, at: printer)
        return answer
    }

    private func record(_ request: Message, _ answer: Message, at printer: SimulatedPrinter) async {
        let name = printer.description.name
        let isSuccess = answer.status.rawValue < 0x0100
        if request.operation == .controlPrinter {
            let words = (request[.operation]?.strings("printq-control") ?? []).joined(separator: " ")
            return log.record(command: isSuccess ? words : "\(words): \(answer.status)", of: name)
        }
        let number = answer[.job]?.integer("job-id") ?? request[.operation]?.integer("job-id")
        let job = number.map(Int.init)
        let simulated: SimulatedJob? = if let job { await printer.job(job) } else { nil }
        var words: [String] = []
        switch request.operation {
        case .printJob, .sendDocument, .createJob:
            if request.operation != .createJob, let document = simulated?.documents.last, isSuccess {
                words += [document.format.rawValue, Self.size(document.bytes)]
            }
            if request.operation != .sendDocument { words += Self.options(request) }
        default: break
        }
        if !isSuccess { words.append("\(answer.status)") }
        log.record(request.operation, words.joined(separator: ", "), job: job, of: name)
    }

    private static func isLogged(_ message: Message, isSuccess: Bool) -> Bool {
        switch message.operation {
        case .controlPrinter:
            return !["status", "log", "leave"].contains(message[.operation]?.strings("printq-control").first)
        case .createPrinterSubscriptions, .createJobSubscriptions, .renewSubscription, .cancelSubscription,
            .getNotifications, .getSubscriptions, .getSubscriptionAttributes:
            return false
        default:
            let name = "\(message.operation)"
            return !isSuccess || !(name.hasPrefix("Get-") || name.hasPrefix("CUPS-Get-"))
        }
    }

    /// Returns the paper, sides, copies and color mode that a request sets, such as `sides two-sided-long-edge`.
    private static func options(_ request: Message) -> [String] {
        let names = ["media", "sides", "copies", "print-color-mode"]
        var words = names.compactMap { name -> String? in
            let value = request[.job]?[name]?.first
            return (value?.stringValue ?? value?.intValue.map { "\($0)" }).map { "\(name) \($0)" }
        }
        if let paper = request[.job]?.collection("media-col")?.collection("media-size"),
            let width = paper.integer("x-dimension"), let height = paper.integer("y-dimension"), width > 0, height > 0
        {
            let media = Media.of(width: Length(hundredths: Int(width)), height: Length(hundredths: Int(height)))
            words.insert("media \(media.name)", at: 0)
        }
        return words
    }

    private static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) bytes"
        case ..<1_000_000: "\((bytes + 500) / 1_000) KB"
        default: "\((bytes + 500_000) / 1_000_000) MB"
        }
    }
}

extension PrinterLog.Entry {
    /// Returns the entry as an IPP collection, with the job's number and name.
    ///
    /// Private values of a job are in `log-job-name` and `log-job-text`, all other details in `log-text`.
    ///
    /// For a printer of a spool, the number is the job number in the spool's queue.
    func collection(at printer: SimulatedPrinter) async -> Collection {
        var members = [
            Attribute("log-number", .integer(Int32(clamping: number))),
            Attribute("log-time", .dateTime(DateTime(of: time))),
            Attribute("log-operation", .text(operation)),
            Attribute(isAboutJob ? "log-job-text" : "log-text", .text(text)),
        ]
        if let job {
            let simulated = await printer.job(job)
            members.append(Attribute("log-job", .integer(Int32(clamping: simulated?.queueNumber ?? job))))
            if let name = simulated?.name { members.append(Attribute("log-job-name", .name(name))) }
        }
        return Collection(members)
    }
}
