// Tests one cell of the crash matrix.

import Foundation
import IPP
import IPPClient
import PrintModel
import PrintSpool
import PrintTestSupport
import SpoolerClient
import SpoolerTrials

/// A test that prints two jobs, kills programs at a step of the first job, restarts them, and checks both jobs.
final class MatrixCell {
    /// The result of a cell.
    struct Outcome: Sendable {
        /// A short description.
        var words: String
        /// The violations.
        var problems: [String]
    }

    static let printer = "net"

    let step: MatrixStep
    let column: CrashMatrix.Column
    let documents: MatrixDocuments
    var random: SeededRandom
    private let spooler: TrialSpooler
    private let device: MatrixPrinter
    /// The cupsd between spooler and printer; nil if there is none.
    private let cups: MatrixCupsd?
    private var journal = Journal()

    init(
        _ step: MatrixStep, killing column: CrashMatrix.Column, on way: CrashMatrix.Way, documents: MatrixDocuments,
        random: SeededRandom, folder: String
    ) throws {
        (self.step, self.column, self.documents, self.random) = (step, column, documents, random)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        cups = way == .cups ? try MatrixCupsd(isDurable: column.isDurable) : nil
        spooler = try TrialSpooler(folder: folder, arguments: cups.map { ["--cups", $0.socket] } ?? [])
        device = MatrixPrinter(folder: folder)
    }

    /// The error for a cell that does not end in time.
    struct Stuck: Error, CustomStringConvertible { var description: String }

    func run() async throws -> Outcome {
        defer {
            spooler.stop(SIGKILL)
            TrialSpooler.endAll(of: spooler.folder)
            device.reap()
            cups?.kill()
        }
        try await startDevice()
        try await addPrinter()
        try await spooler.start()
        let client = TrialClient(spooler.client())
        let first = try await submit("first", to: client)
        var second = step.mark.passesQuickly ? nil : try await submit("second", to: client)
        if step.isCanceled {
            try await until("the job prints", toldBy: .queue(client)) { try await stoppedPrinting(first, client) }
            note(.cancelAsked(job: first))
            _ = try await client.insist(.cancelJob, job: first)
        }
        try await until("the step is reached", toldBy: step.mark.isOfJob ? .queue(client) : .nothing) {
            try await isReached(first, client)
        }
        try await killAndRestart()
        if second == nil { second = try await submit("second", to: client) }
        let words = try await settle(first, client)
        let verdict = try await verdict(client)
        await client.close()
        return Outcome(words: words, problems: verdict.violations.map(\.description))
    }

    private func startDevice() async throws {
        guard let cups else { return try await device.start(faults: step.faults) }
        try await device.start()
        try await cups.start(onto: device.uri)
        try await device.plan(step.faults)
        if step.queueIsStopped { try await cups.stopQueue() }
    }

    private func killAndRestart() async throws {
        note(.killed(column.victims))
        try await spooler.kill(column.victims)
        if column.victims.contains(.cupsd) { cups?.kill() }
        if column.victims.contains(.printsim) {
            if column.forgets { device.forget() }
            try await device.start()
        } else {
            try await device.clear()
        }
        if column.victims.contains(.cupsd) {
            // cupsd records the start of a job in whole seconds, which is the only sign of a second start.
            if column.isDurable { try await Task.sleep(for: .milliseconds(1100)) }
            try cups?.restart()
        }
        if column.victims.contains(.printd) { try await spooler.start() }
    }

    private func note(_ entry: Journal.Entry) { journal.append(entry, at: Date().timeIntervalSince1970) }

    private func addPrinter() async throws {
        let spool = try Spool(folder: spooler.spool)
        let uri = cups == nil ? device.uri : "cups:\(MatrixCupsd.queue)"
        try await spool.addPrinter(ConfiguredPrinter(name: Self.printer, deviceURI: uri, isDefault: true))
        try spool.close()
    }

    private func submit(_ name: String, to client: TrialClient) async throws -> Int {
        let document = name == "first" && step.document == .heavy ? documents.heavy : documents.pages
        let answer = try await client.insist(
            .printJob, printer: Self.printer,
            attributes: [
                Attribute("job-name", .name(name)), Attribute("printq-submission-id", .name(name)),
                Attribute("document-format", .mimeMediaType("application/pdf")),
            ], document: document)
        guard answer.status.isSuccess, let id = answer[.job]?.integer("job-id").map(Int.init),
            let uuid = answer[.job]?.string("job-uuid")
        else { throw Stuck(description: "\(name) was rejected: \(answer)") }
        note(.accepted(submission: name, client: 1, job: id, uuid: uuid))
        return id
    }

    // MARK: - Waiting

    /// The source of notifications about a condition.
    private enum Teller {
        /// printd sends notifications.
        case queue(TrialClient)
        /// There are no notifications.
        case nothing
    }

    private func until(
        _ what: String, toldBy teller: Teller, within limit: Duration = .seconds(60), _ isSo: () async throws -> Bool
    ) async throws {
        do {
            switch teller {
            case .queue(let client): try await client.queue.eventually(what, within: limit, isSo)
            case .nothing: try await eventually(what, within: limit, every: .milliseconds(1), isSo)
            }
        } catch let never as NeverSo {
            let jobs = try await TrialClient(spooler.client()).jobs(.all)
            let faults = try? await device.faults()
            throw Stuck(
                description: "\(step.name), \(column.title): \(never); \(jobs); \(faults ?? []) \(cups?.log ?? "")")
        }
    }

    private func job(_ id: Int, _ client: TrialClient) async throws -> Evidence.QueuedJob? {
        try await client.jobs(.all).first { $0.id == id }
    }

    private func stoppedPrinting(_ id: Int, _ client: TrialClient) async throws -> Bool {
        let job = try await job(id, client)
        return job?.state == .processingStopped && job?.reasons.contains("printer-stopped") == true
    }

    private func isReached(_ id: Int, _ client: TrialClient) async throws -> Bool {
        switch step.mark {
        case .acknowledged: return true
        case .reason(let reason):
            // If the reason was missed, continue at a random moment.
            let job = try await job(id, client)
            return job?.reasons.contains(reason) == true || job?.state.isTerminal != false
        case .waiting(let reason):
            guard try await job(id, client)?.reasons.contains(reason) == true else { return false }
            // There is no notification that a request was sent. The printer does not respond, so there is enough time.
            try await Task.sleep(for: .milliseconds(200))
            return true
        case .met:
            // A fault planned once is no longer listed when it has occurred or is occurring.
            guard try await device.faults().allSatisfy({ !$0.hasSuffix(" once") }) else { return false }
            // There is no notification that the fault has occurred.
            try await Task.sleep(for: .milliseconds(100))
            return true
        case .stopped: return try await stoppedPrinting(id, client)
        case .printed: return FileManager.default.contents(atPath: device.log)?.isEmpty == false
        case .atCUPS:
            let job = try await job(id, client)
            return cups?.hasDocument == true || job?.state.isTerminal != false
        case .postponed:
            let job = try await job(id, client)
            return job?.state == .pending && job?.message.isEmpty == false
        case .chance(let most):
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...most, using: &random)))  // a random moment
            return true
        }
    }

    // MARK: - Comparing

    /// The printed jobs and the files of the spool.
    private var evidence: Evidence {
        var evidence = Evidence(spool: spooler.spool, output: device.output)
        for folder in device.forgotten {
            // The printer has lost the final states of these jobs, so count the sides that were printed.
            let before = Evidence(spool: spooler.spool, output: folder)
            evidence.log += before.log
            for var job in before.printed where job.hasEnded || job.impressions > 0 {
                if !job.hasEnded {
                    job.state = "aborted"
                    evidence.log.append(
                        .init(uuid: job.uuid, name: job.name, state: "aborted", impressions: job.impressions))
                }
                evidence.printed.append(job)
            }
        }
        return evidence
    }

    /// Lets both jobs end, and returns a description of the first job's result.
    private func settle(_ first: Int, _ client: TrialClient) async throws -> String {
        var doubt: String?
        var sidesBefore: Int?
        try await until("all jobs have ended", toldBy: .queue(client), within: .seconds(100)) {
            let open = try await client.jobs(.notCompleted)
            for job in open where job.isSuspended {
                note(.doubtShown(job: job.id, words: job.message))
                if cups == nil, job.message.contains("gave the job up"), sidesBefore == nil {
                    // The printed sides were counted, so print the rest.
                    if job.id == first { sidesBefore = sidesOut }
                    if try await client.insist(.resumeJob, job: job.id).status.isSuccess {
                        note(.doubtResumed(job: job.id))
                        continue
                    }
                }
                // A person who has checked the paper cancels the rest.
                if job.id == first { doubt = job.message }
                note(.cancelAsked(job: job.id))
                _ = try await client.insist(.cancelJob, job: job.id)
            }
            if open.contains(where: { $0.message.contains("cupsenable") }) { try await cups?.startQueue() }
            return open.isEmpty
        }
        try await until("the printer has ended its jobs", toldBy: .nothing) {
            evidence.printed.allSatisfy { !$0.hasDocument || $0.hasEnded }
        }
        let end = try await job(first, client)
        guard let sidesBefore, doubt == nil else { return became(of: end, doubt) }
        let isWhole = end?.state == .completed && sidesOut == step.sides
        return "suspended after \(sidesBefore) of \(step.sides) sides, "
            + (isWhole ? "printed in full once resumed" : "\(end?.state.description ?? "lost") with \(sidesOut) sides")
    }

    /// The number of printed sides of the first job, in all its parts.
    private var sidesOut: Int { evidence.printed.filter { $0.name == "first" }.map(\.impressions).reduce(0, +) }

    /// Returns a short description of the first job's result.
    private func became(of job: Evidence.QueuedJob?, _ doubt: String?) -> String {
        let paper = evidence.printed.filter { $0.name == "first" && $0.impressions > 0 }
        let sides = paper.map(\.impressions).reduce(0, +)
        let out = "\(sides) of \(step.sides) sides out"
        if let doubt {
            let words = doubt.isEmpty ? "doubtful without a message" : "doubtful"
            return cups == nil ? words : "\(words), \(out)"
        }
        if cups != nil, paper.count > 1 {
            let isReported = job?.reasons.contains("job-completed-with-warnings") == true
            return "printed, and again by cupsd, which the job \(isReported ? "reports" : "does not report")"
        }
        switch job?.state {
        case .completed?: return sides == step.sides ? "printed once" : "printed, \(out)"
        case .canceled? where column.forgets: return "canceled"
        case .canceled?: return "canceled, \(out)"
        case .aborted?: return "aborted by the printer, \(out)"
        default: return "\(job?.state.description ?? "lost")"
        }
    }

    private func verdict(_ client: TrialClient) async throws -> Verdict {
        var strays: [String] = []
        do {
            // Poll, because the strays are not children of this process.
            try await eventually("the strays are gone", within: .seconds(15), every: .milliseconds(50)) {
                strays = spooler.strays.map(\.description)
                return strays.isEmpty
            }
        } catch is NeverSo {}
        var evidence = self.evidence
        evidence.isThroughCUPS = cups != nil
        evidence.keepsCUPSJobs = cups != nil && column.isDurable
        evidence.queue = try await client.jobs(.all)
        evidence.strays = strays
        return Verdict(journal, evidence)
    }
}

extension MatrixStep.Mark {
    /// Whether the mark is a state of the job at printd, which sends notifications about it.
    var isOfJob: Bool {
        switch self {
        case .reason, .waiting, .stopped, .postponed: true
        case .acknowledged, .met, .printed, .atCUPS, .chance: false
        }
    }

    /// Whether the step is too short for submitting a second job before it.
    var passesQuickly: Bool {
        switch self {
        case .acknowledged, .reason, .atCUPS: true
        default: false
        }
    }
}

extension MatrixStep {
    /// The number of sides of the document.
    var sides: Int { document == .heavy ? 1 : 3 }
}
