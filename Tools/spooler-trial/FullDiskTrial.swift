// Tests a spool on a full disk.

import Foundation
import Glibc
import IPP
import PrintModel
import PrintTestSupport
import ProcessLaunch
import SpoolerTrials

/// A trial that fills the disk of a spool, prints and kills programs while the disk is full, and then frees space.
///
/// All jobs must be printed after that. The disk is that of the spool, or that of the PostgreSQL database.
struct FullDiskTrial {
    private static let printers = ["color-laser", "mono-laser"]

    private let disk: SmallDisk
    private let documents = TrialDocuments()
    private var journal = Journal()
    private var report = FullDiskReport()

    /// Starts this program again in a separate mount namespace.
    private static func enter(_ options: TrialOptions, folder: String) throws -> Never {
        guard let command = PrivateMounts.command else {
            throw Failed("cannot mount a file system: neither root privileges nor user namespaces are available")
        }
        let arguments =
            command + [
                Programs.beside("spooler-trial"), "full-disk", "--folder", folder, "--disk", options.disk.rawValue,
                "--inside", "yes",
            ]
        let copies = arguments.map { strdup($0) } + [nil]
        execv(command[0], copies)
        throw Failed("cannot start unshare: \(String(cString: strerror(errno)))")
    }

    /// Runs the trial in a separate mount namespace; restarts the program in such a namespace if necessary.
    static func run(_ options: TrialOptions, folder: String) async throws -> FullDiskReport {
        if !options.isInside { try enter(options, folder: folder) }
        var trial = FullDiskTrial(disk: try await SmallDisk(options.disk, folder: folder))
        return try await trial.run()
    }

    struct Failed: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private init(disk: SmallDisk) { self.disk = disk }

    private var spooler: TrialSpooler { disk.spooler }

    private mutating func run() async throws -> FullDiskReport {
        try await spooler.start()
        let client = TrialClient(spooler.client())
        // printd requests the printers' capabilities before the disk is full.
        for printer in Self.printers { try await submit(documents.small, to: printer, by: client) }
        try await untilEnded(client, within: .seconds(60))
        for printer in Self.printers { _ = try await client.insist(.pausePrinter, printer: printer) }

        try await fill(client)
        try await submitByCommand()
        if disk.content == .spool { try await administer(client) }
        try await die([.printd], client)
        try await printOnFullDisk(client)
        try await die([.printd, .printsim], client)

        disk.freeAll()
        if spooler.pid == nil { try await spooler.start() }
        let start = ContinuousClock.now
        try await submit(documents.large, to: Self.printers[0], by: client)
        report.secondsUntilAccepted = (ContinuousClock.now - start) / .seconds(1)
        try await untilEnded(client, within: .seconds(120))
        report.secondsUntilPrinted = (ContinuousClock.now - start) / .seconds(1)
        try await compare(client)
        await client.close()
        return report
    }

    // MARK: - Filling

    /// Leaves a few MiB free, and submits jobs until even the smallest job is rejected.
    private mutating func fill(_ client: TrialClient) async throws {
        try disk.fill(leaving: 3 << 20)
        var index = 0
        for document in [documents.large, documents.middle, documents.small] {
            // Several rejections in a row show that the disk is full.
            var refusals = 0
            while refusals < 3 {
                refusals = try await submit(document, to: Self.printers[index % 2], by: client) ? 0 : refusals + 1
                index += 1
                guard index < 5000 else { throw Failed("the disk does not become full") }
            }
        }
        report.freeBytesWhenFull = disk.freeBytes
        let incoming = (try? FileManager.default.contentsOfDirectory(atPath: "\(spooler.spool)/incoming")) ?? []
        if !incoming.isEmpty { report.problems.append("files of rejected documents remain: \(incoming)") }
    }

    /// Submits a document once.
    ///
    /// A rejection must have a temporary status and a reason.
    @discardableResult
    private mutating func submit(_ document: [UInt8], to printer: String, by client: TrialClient) async throws -> Bool {
        let name = "job \(report.accepted + report.refused)"
        let attributes = [
            Attribute("job-name", .name(name)), Attribute("printq-submission-id", .name(name)),
            Attribute("document-format", .mimeMediaType("application/pdf")),
        ]
        let answer = try await client.insist(.printJob, printer: printer, attributes: attributes, document: document)
        if answer.status.isSuccess, let id = answer[.job]?.integer("job-id"),
            let uuid = answer[.job]?.string("job-uuid")
        {
            journal.append(.accepted(submission: name, client: 1, job: Int(id), uuid: uuid), at: now)
            report.accepted += 1
            return true
        }
        let words = answer[.operation]?.string("status-message") ?? ""
        report.refused += 1
        report.refusals.insert("\(answer.status): \(Self.withoutPaths(words))")
        if answer.status != .serverErrorTemporaryError || !words.contains("space") {
            report.problems.append("\(name) was rejected with \(answer.status): '\(words)'")
        }
        return false
    }

    /// Checks that printq reports the same with exit code 75.
    private mutating func submitByCommand() async throws {
        let path = "\(spooler.folder)/large.pdf"
        try Data(documents.large).write(to: URL(fileURLWithPath: path))
        let run = try await ProgramRun(
            Programs.beside("printq"), ["submit", "-d", Self.printers[0], path],
            environment: ["PRINTQ_SPOOL": spooler.spool, "PATH": "/usr/bin:/bin", "HOME": spooler.folder],
            in: spooler.folder)
        report.command = run.complaints.trimmingCharacters(in: .whitespacesAndNewlines)
        if run.code != 75 || !run.complaints.contains("space") {
            report.problems.append("printq ended with \(run.code): \(run.output)\(run.complaints)")
        }
    }

    // MARK: - Full disk

    /// Cancels a job and changes the printers while not even a small job is accepted.
    private mutating func administer(_ client: TrialClient) async throws {
        guard let job = try await client.jobs(.notCompleted).first?.id else { throw Failed("no job waits") }
        journal.append(.cancelAsked(job: job), at: now)
        var answers = [("Cancel-Job", try await client.insist(.cancelJob, job: job))]
        for printer in Self.printers {
            for operation in [Operation.disablePrinter, .enablePrinter, .resumePrinter, .pausePrinter] {
                answers.append(("\(operation)", try await client.insist(operation, printer: printer)))
            }
        }
        for (what, answer) in answers where !answer.status.isSuccess {
            report.problems.append("\(what) was rejected on a full disk: \(answer)")
        }
    }

    /// Kills programs and starts printd again on the full disk; a failed start must report the reason.
    private mutating func die(_ victims: Set<Journal.Victim>, _ client: TrialClient) async throws {
        journal.append(.killed(victims), at: now)
        try await spooler.kill(victims)
        do {
            try await spooler.start()
            report.startsOnFullDisk += 1
        } catch let error as TrialSpooler.StartError {
            report.startRefusals.append(error.description)
            // The server may refuse the connection, and reports only the file that it cannot write.
            let isRefusedByServer = disk.content == .database && error.description.contains("could not write")
            if !error.description.contains("space"), !isRefusedByServer {
                report.problems.append("printd did not start and did not report a reason: \(error)")
            }
            // With some free space printd must start.
            try disk.free(1 << 20)
            try await spooler.start()
        }
        let known = Set(try await client.jobs(.all).map(\.uuid))
        for accepted in journal.acceptances where !known.contains(accepted.uuid) {
            report.problems.append("\(accepted.submission) is lost after the restart")
        }
    }

    /// Lets printers print while little space is free, until the disk is full again.
    ///
    /// This is repeated, so that the disk becomes full at different steps of a job.
    private mutating func printOnFullDisk(_ client: TrialClient) async throws {
        try disk.free(512 << 10)
        for printer in Self.printers {
            let answer = try await client.insist(.resumePrinter, printer: printer)
            if !answer.status.isSuccess { report.problems.append("\(printer) was not resumed: \(answer.status)") }
        }
        for _ in 0..<10 {
            let open = try await untilStuck(client)
            report.unfinishedWhenFull.append(open.count)
            if open.isEmpty { return }
            let words = open.map(\.message).filter { $0.lowercased().contains("space") }
            report.waitingWords.formUnion(words.map(Self.withoutPaths))
            // If there is no space for the message, printq doctor must report it. printd does not know the disk of a
            // database.
            if words.isEmpty, disk.content == .spool {
                let doctor = try await client.insist(.getPrinterAttributes, requested: ["printq-doctor"])
                let lines = doctor[.printer]?.strings("printq-doctor") ?? []
                guard let line = lines.first(where: { $0.contains("only 0 MiB are free") }) else {
                    report.problems.append("no message explains why jobs wait: \(open) \(lines)")
                    continue
                }
                report.waitingWords.insert(line)
            }
            try disk.free(90 << 10)
        }
    }

    /// Waits until nothing has changed for a while; returns the jobs that have not ended.
    private func untilStuck(_ client: TrialClient) async throws -> [Evidence.QueuedJob] {
        var last: [String] = []
        var since = ContinuousClock.now
        while true {
            let open = try await client.jobs(.notCompleted)
            let now = open.map { "\($0.id) \($0.state)" }
            if now != last { (last, since) = (now, .now) }
            let isSaid = open.contains { $0.message.lowercased().contains("space") }
            if open.isEmpty || since.duration(to: .now) > .seconds(isSaid ? 1 : 3) { return open }
            // Poll, because there is no notification that nothing happens anymore.
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private static func withoutPaths(_ words: String) -> String { words.replacing(/'\/[^']*'/, with: "'…'") }

    // MARK: - Comparing

    private func untilEnded(_ client: TrialClient, within limit: Duration) async throws {
        let end = ContinuousClock.now + limit
        while true {
            let open = try await client.jobs(.notCompleted)
            if open.isEmpty { return }
            guard ContinuousClock.now < end else {
                throw Failed(
                    "these jobs have not ended: \(open.map { "\($0.id) \($0.state) \($0.reasons) \($0.message)" })")
            }
            // Resume the printers repeatedly, because the request may be rejected on a full disk.
            for printer in Self.printers { _ = try await client.insist(.resumePrinter, printer: printer) }
            // Poll, because there is no notification that a printer was not resumed.
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private mutating func compare(_ client: TrialClient) async throws {
        var evidence = Evidence(spool: spooler.spool)
        evidence.queue = try await client.jobs(.all)
        evidence.strays = spooler.strays.map(\.description)
        let verdict = Verdict(journal, evidence)
        report.states = verdict.states
        report.aborted = verdict.aborted
        report.problems += verdict.violations.map(\.description)
        // No printer and no worker was killed, so no job may be aborted.
        for (words, count) in verdict.aborted { report.problems.append("\(count) jobs were aborted: \(words)") }
    }

    private var now: UnixTime { Date().timeIntervalSince1970 }
}

/// The results of the trial.
struct FullDiskReport: TrialReport {
    var accepted = 0
    var refused = 0
    /// The messages of the rejections.
    var refusals: Set<String> = []
    /// The output of printq.
    var command = ""
    var freeBytesWhenFull = 0
    /// The number of starts of printd on the full disk, and the messages of the failed starts.
    var startsOnFullDisk = 0
    var startRefusals: [String] = []
    /// The messages of jobs that waited for free space.
    var waitingWords: Set<String> = []
    var unfinishedWhenFull: [Int] = []
    var secondsUntilAccepted = 0.0
    var secondsUntilPrinted = 0.0
    var states: [String: Int] = [:]
    var aborted: [String: Int] = [:]
    var problems: [String] = []

    var text: String { json }
}
