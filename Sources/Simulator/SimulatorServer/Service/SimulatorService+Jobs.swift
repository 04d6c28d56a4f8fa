// Lists, changes and reprints the jobs of a printer.

import Glibc
import IPP
package import PrintIPP
package import PrintModel
import PrinterSimulator

extension SimulatorService {
    package func job(_ id: Int, printer: String?) async throws -> Job {
        if let printer {
            let device = try device(named: printer)
            return try await found(id, at: device).job(at: device.description)
        }
        for device in devices {
            if let job = await device.job(id) { return job.job(at: device.description) }
        }
        throw IPPFailure.notFound("job \(id) does not exist, or was removed")
    }

    private func found(_ id: Int, at device: SimulatedPrinter) async throws -> SimulatedJob {
        guard let job = await device.job(id) else {
            throw IPPFailure.notFound("no job \(id) at \(device.description.name)")
        }
        return job
    }

    package func jobs(_ filter: JobFilter, in range: JobListRange) async throws -> [Job] {
        let devices = try filter.printer.map { [try device(named: $0)] } ?? devices
        let parts = filter.which.parts
        var (unfinished, ended): ([Job], [Job]) = ([], [])
        for device in devices {
            func wanted(_ jobs: [SimulatedJob]) -> [Job] {
                jobs.lazy.filter { job in
                    filter.which.contains(job.state) && (filter.owner == nil || job.owner == filter.owner)
                        && (filter.ids?.contains(job.id) ?? true)
                }.map { $0.job(at: device.description) }
            }
            if parts != [.ended] { unfinished += wanted(await device.unfinishedJobs) }
            if parts.contains(.ended) { ended += wanted(await device.endedJobs) }
        }
        if devices.count > 1 {
            unfinished.sort { $0.id < $1.id }
            ended.sort { $0.completedAt ?? 0 > $1.completedAt ?? 0 }
        }
        return range.jobs(of: unfinished + ended)
    }

    /// Other events are refused.
    package func change(_ job: Job, _ event: JobStateMachine.Event) async throws {
        let device = try device(named: job.printer)
        switch event {
        case .cancelRequested(let byOperator): try await device.cancelJob(job.id, byOperator: byOperator)
        case .holdRequested(let moment):
            try await device.holdJob(job.id, until: moment.map { .time($0) } ?? .indefinite)
        case .releaseRequested: try await device.releaseJob(job.id)
        default:
            throw SimulatorError(.notPossible, "a simulated printer can only hold, release and cancel jobs")
        }
    }

    package func setTicket(_ ticket: JobTicket, name: String?, of job: Job) async throws {
        let device = try device(named: job.printer)
        let before = try await found(job.id, at: device)
        var request = SimulatedJobRequest(
            ticket, received: ticket.attributes, name: name ?? before.name, owner: before.owner,
            for: device.description)
        if case .object(let old) = before.ticket, case .object(let new) = request.ticket {
            let asked = job.ticket.attributes
            let changed = Set(
                ticket.attributes.filter { !asked.contains($0) }.map { $0.name == "media-col" ? "media" : $0.name })
            request.unconverted = before.unconverted.filter { !changed.contains($0.attribute) }
            request.ticket = .object(old.merging(new) { $1 })
        }
        try await device.changeJob(job.id, to: request)
    }

    package func resubmit(_ job: Job, as request: JobRequest) async throws -> Job {
        guard request.resumeFrom == nil else {
            throw IPPFailure(.clientErrorNotPossible, "a simulated printer can reprint only whole jobs")
        }
        let device = try device(named: request.printer.name)
        let source = try self.device(named: job.printer)
        let before = try await found(job.id, at: source)
        guard before.state.isTerminal else {
            throw IPPFailure.notPossible(
                "job \(job.id) is \(job.state); only a job that has ended can be printed again")
        }
        guard !before.documents.isEmpty else {
            throw IPPFailure.notPossible("job \(job.id) has no document; there is nothing to print again")
        }
        let paths = before.documents.map { _ in device.nextDocument() }
        defer { for path in paths { unlink(path) } }
        for (document, path) in zip(before.documents, paths) {
            guard link("\(source.outputFolder)/\(before.folder)/\(document.file)", path) == 0 else {
                throw IPPFailure.notFound("a document of job \(job.id) no longer exists")
            }
        }
        let again = try await device.createJob(request.simulated(for: device.description))
        for (document, path) in zip(before.documents, paths) {
            try await device.addDocument(
                path, format: document.format, name: document.name, to: again.id, isLast: false)
        }
        return try await device.closeJob(again.id).job(at: device.description)
    }

    /// Throws an error, because a simulated printer cannot move jobs to another printer.
    package func move(_ job: Job, to printer: ServedPrinter) async throws { throw Self.unsupported }

    static let unsupported = IPPFailure(
        .serverErrorOperationNotSupported, "simulated printers do not support this operation; see operations-supported")
}
