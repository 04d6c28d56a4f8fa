// Changes, submits and reprints jobs.

import FoundationEssentials
import Glibc
import IPP
import IPPServer
import PrintIPP
package import PrintModel
package import SpoolerClient

/// A command that a user can send for a job.
enum JobCommand: String, Sendable, CaseIterable {
    case cancel, hold, release, move, resume

    /// The commands that apply to several jobs at once.
    static let forSeveral: [JobCommand] = [.cancel, .hold, .release, .move]
}

/// The place of a job in the queue of its printer.
private struct QueuePlace: Comparable {
    var id: Int
    var priority: Int

    init(_ group: AttributeGroup) {
        id = Int(group.integer("job-id") ?? 0)
        priority = Int(group.integer("job-priority") ?? 50)
    }

    static func < (a: QueuePlace, b: QueuePlace) -> Bool { (b.priority, a.id) < (a.priority, b.id) }
}

extension Call {
    /// The maximum number of jobs in one bulk command.
    private static let mostJobs = 500
    /// The bulk command that prints jobs again, with their own options.
    private static let reprintAction = "reprint"

    /// Performs a command for the job in the URL path, and returns the job.
    func change(_ command: JobCommand) async throws -> WebAnswer {
        let id = try number("id")
        try await carryOut(command, job: id, body: try await optionalJSON())
        return .json(.object([("job", try await job(id).json)]))
    }

    /// Performs a command for several jobs, and returns the result for each job.
    func changeSeveral() async throws -> WebAnswer {
        let body = try await json()
        let names = JobCommand.forSeveral.map(\.rawValue) + [Self.reprintAction]
        guard let name = try body.text("action"), names.contains(name) else {
            throw Problem.wrong("action", "'action' must be one of \(names.joined(separator: ", "))")
        }
        let command = JobCommand(rawValue: name)
        let elements = try body.elements("jobs") ?? []
        let ids = elements.compactMap { if case .number(let id) = $0, id > 0 { id } else { nil } }
        guard !ids.isEmpty, ids.count == elements.count, ids.count <= Self.mostJobs else {
            throw Problem.wrong("jobs", "'jobs' must be an array of 1 to \(Self.mostJobs) job numbers")
        }
        if command == .move, try body.text("printer") == nil {
            throw Problem.wrong("printer", "'printer' is missing; specify the new printer of the jobs")
        }
        var results: [JSONText] = []
        for id in ids {
            var detail: String?
            do throws(SpoolerClientError) {
                if let command {
                    try await send(command, job: id, printer: try? body.text("printer"), until: .indefinite)
                } else {
                    _ = try await spooler.reprint(JobReprint(job: id, id: UUID().uuidString))
                }
            } catch {
                detail = error.message
            }
            results.append(
                .object([("job-id", .number(id)), ("done", .bool(detail == nil)), ("detail", .optional(detail))]))
        }
        return .json(.object([("results", .array(results))]))
    }

    private func carryOut(_ command: JobCommand, job id: Int, body: JSONText) async throws {
        let until = try body.text("until").map { text throws(Problem) in try Self.hold(text, now: center.clock()) }
        let printer = try body.text("printer")
        if command == .move, printer == nil {
            throw Problem.wrong("printer", "'printer' is missing; specify the new printer of the job")
        }
        guard command == .resume else {
            return try await send(command, job: id, printer: printer, until: until ?? .indefinite)
        }
        let page = try body.number("page")
        if let page, page < 1 { throw Problem.wrong("page", "'page' must be 1 or more") }
        try await spooler.resume(id, from: page)
    }

    private func send(
        _ command: JobCommand, job id: Int, printer: String?, until: HoldUntil
    ) async throws(SpoolerClientError) {
        switch command {
        case .cancel: try await spooler.ask(.cancelJob, job: id)
        case .hold: try await spooler.ask(.holdJob, job: id, attributes: until.attributes)
        case .release: try await spooler.ask(.releaseJob, job: id)
        case .move: try await spooler.move(id, to: printer ?? "")
        case .resume: try await spooler.resume(id, from: nil)
        }
    }

    /// Returns the hold time in a request: a keyword, a local time of day, or a date and time in UTC.
    private static func hold(_ text: String, now: UnixTime) throws(Problem) -> HoldUntil {
        if text.hasSuffix("Z") {
            guard let moment = universalTime(text) else { throw .wrong("until", "'\(text)' is not a valid time") }
            guard moment > now else { throw .wrong("until", "the hold time must be in the future") }
            return .time(moment)
        }
        do throws(SpoolerClientError) {
            let hold = try HoldUntil(localText: text, now: now)
            guard hold != .noHold else {
                throw SpoolerClientError(
                    .usage, "'no-hold' is not a hold time; to release a job, use the command 'release'")
            }
            return hold
        } catch {
            throw .wrong("until", error.message)
        }
    }

    /// Parses a time such as `2026-11-18T18:30:00Z`.
    ///
    /// Returns nil if the text has another format, or if the date or the time of day does not exist.
    private static func universalTime(_ text: String) -> UnixTime? {
        let numbers = text.dropLast().split { !$0.isNumber }.compactMap { Int32($0) }
        guard (5...6).contains(numbers.count), text.utf8.count <= 24 else { return nil }
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (fields.tm_hour, fields.tm_min) = (numbers[3], numbers[4])
        fields.tm_sec = numbers.count == 6 ? numbers[5] : 0
        let asked = fields
        let time = timegm(&fields)
        // The function timegm converts 31 February to 3 March.
        let isExact =
            (fields.tm_year, fields.tm_mon, fields.tm_mday) == (asked.tm_year, asked.tm_mon, asked.tm_mday)
            && (fields.tm_hour, fields.tm_min, fields.tm_sec) == (asked.tm_hour, asked.tm_min, asked.tm_sec)
        return isExact ? UnixTime(time) : nil
    }

    // MARK: - Reprinting, changing and submitting

    /// Prints the documents of the job in the URL path again, and returns the resulting job.
    ///
    /// An ended job is printed as a new job, with the status 201. A suspended job keeps its number, and the status is
    /// 200.
    func reprint() async throws -> WebAnswer {
        let body = try await optionalJSON()
        var reprint = JobReprint(job: try number("id"), id: UUID().uuidString)
        (reprint.printer, reprint.title) = (try body.text("printer"), try body.text("name"))
        reprint.ticket = try Self.ticket(body["options"], now: center.clock())
        reprint.documentPassword = try body.documentPassword
        reprint.from = try body.number("from")
        if let from = reprint.from, from < 1 { throw Problem.wrong("from", "'from' must be 1 or more") }
        let id = try await spooler.reprint(reprint)
        return .json(.object([("job", try await job(id).json)]), status: id == reprint.job ? .ok : .created)
    }

    /// Changes the name and the options of the job in the URL path, and returns the job.
    func changeOptions() async throws -> WebAnswer {
        let id = try number("id")
        let body = try await json()
        let ticket = try Self.ticket(body["options"], now: center.clock())
        let name = try body.text("name")
        guard name != nil || !ticket.attributes.isEmpty else {
            throw Problem.wrong("options", "nothing to change; specify a new name or at least one option")
        }
        try await spooler.change(id, to: ticket, title: name)
        return .json(.object([("job", try await job(id).json)]))
    }

    /// Prints the job in the URL path before the job directly ahead of it, and returns the job.
    ///
    /// The jobs of a printer are printed in the order of their priorities, and jobs of equal priority in the order of
    /// their arrival. The job gets the lowest priority that is sufficient. It therefore also passes the other jobs with
    /// the priority of the job ahead; the response contains the number of passed jobs.
    func advance() async throws -> WebAnswer {
        let id = try number("id")
        let group = try await spooler.job(id, JobView.tableNames + ["job-priority"])
        let (view, own) = (JobView(group), QueuePlace(group))
        guard user.isAdministrator || view.owner == user.name else {
            throw Problem(.forbidden, "only the owner of job \(id) and administrators may change its place")
        }
        guard view.state == .pending || view.state == .pendingHeld else {
            throw Problem(.conflict, "job \(id) is not waiting; only waiting jobs can move up in the queue")
        }
        let list = try await spooler.jobs(
            JobListQuery(.notCompleted, printer: view.printer), ["job-id", "job-state", "job-priority"])
        let ahead = list.filter { JobView($0).state == .pending }.map(QueuePlace.init).filter { $0 < own }.sorted()
        guard let before = ahead.last else {
            throw Problem(.conflict, "job \(id) is already the next job of \(view.printer)")
        }
        var new = own
        new.priority = before.id > id ? before.priority : before.priority + 1
        guard new.priority <= 100 else {
            throw Problem(.conflict, "the jobs before job \(id) have the highest priority, 100")
        }
        var ticket = JobTicket()
        ticket.priority = new.priority
        try await spooler.change(id, to: ticket, title: nil)
        return .json(
            .object([
                ("job", try await job(id).json), ("passed", .number(ahead.count { new < $0 })),
                ("priority-before", .number(own.priority)),
            ]))
    }

    /// Submits uploaded documents as one job, and returns the job.
    func submit() async throws -> WebAnswer {
        guard let uploads = center.ports.uploads else { throw Problem.notFound("this server does not accept uploads") }
        let body = try await json()
        let elements = try body.elements("uploads") ?? []
        let ids = elements.compactMap { if case .string(let id) = $0 { id } else { nil } }
        guard !ids.isEmpty, ids.count == elements.count else {
            throw Problem.wrong("uploads", "'uploads' must be an array with at least one upload")
        }
        let password = try body.documentPassword
        var submission = JobSubmission(
            documents: try await uploads.documents(ids, hasPassword: password != nil, of: user), id: UUID().uuidString)
        submission.documentPassword = password
        (submission.printer, submission.title) = (try body.text("printer"), try body.text("name"))
        submission.ticket = try Self.ticket(body["options"], now: center.clock())
        let id = try await spooler.submit(submission)
        await uploads.remove(ids, of: user)
        return .json(.object([("job", try await job(id).json)]), status: .created)
    }

    /// Returns the print options in a JSON object such as `{"copies":"2"}`.
    ///
    /// - Throws: `Problem` with status 422 and a list of the invalid options.
    package static func ticket(_ options: JSONText?, now: UnixTime) throws(Problem) -> JobTicket {
        guard let options else { return JobTicket() }
        guard case .object(let members) = options else { throw .wrong("options", "'options' must be a JSON object") }
        var ticket = JobTicket()
        var wrong: [Problem.Field] = []
        for (name, value) in members {
            do throws(OptionError) {
                switch value {
                case .string(let text): try ticket.set(name, to: text, at: now)
                case .number(let number): try ticket.set(name, to: "\(number)", at: now)
                case .bool(let truth): try ticket.set(name, to: "\(truth)", at: now)
                default: wrong.append(Problem.Field(name, "the value must be a string, a number or a boolean"))
                }
            } catch {
                wrong.append(Problem.Field(name, error.description.printable))
            }
        }
        if wrong.isEmpty, let conflict = ticket.layoutConflict {
            wrong.append(Problem.Field(conflict.option, conflict.description.printable))
        }
        guard let first = wrong.first else { return ticket }
        throw Problem(.unprocessableContent, first.detail, fields: wrong)
    }
}
