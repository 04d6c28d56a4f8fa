// Prints many jobs with one printd and one printsim, to detect resource leaks.

import Foundation
import IPP
import PrintModel
import SpoolerClient
import SpoolerTrials

/// A trial that prints jobs, a few at a time, and measures the daemons between them.
///
/// The printers are instant and the documents small. Some jobs are large, some are canceled, and sometimes another
/// connection lists the queue.
struct LeakTrial {
    private static let printers = ["color-laser", "mono-laser"]
    private static let lanes = 4

    private let options: TrialOptions
    private let spooler: TrialSpooler
    private let documents = TrialDocuments()

    /// Runs the trial.
    static func run(_ options: TrialOptions, folder: String) async throws -> LeakReport {
        let spooler = try TrialSpooler(folder: folder, arguments: ["--simulator-speed", "instant"])
        return try await LeakTrial(options: options, spooler: spooler).run()
    }

    private func run() async throws -> LeakReport {
        // With this limit the history is full before the first measurement.
        try "{ keepJobs: 50 }".write(toFile: "\(spooler.spool)/printd.json5", atomically: false, encoding: .utf8)
        try await spooler.start()
        try await print(options.warmUp)
        let start = ContinuousClock.now
        var samples = [try sample()]
        // Measure about forty times, so that each quarter has enough values.
        let step = max(1, options.jobs / 40)
        var printed = 0
        while printed < options.jobs {
            let count = min(step, options.jobs - printed)
            try await print(count)
            printed += count
            samples.append(try sample())
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return LeakReport(
            jobs: printed, warmUp: options.warmUp, seconds: seconds, samples: samples, leftovers: try await leftovers())
    }

    /// Returns the files that belong to no job.
    private func leftovers() async throws -> [String] {
        let client = TrialClient(spooler.client())
        let known = Set(try await client.jobs(.all).map(\.id))
        await client.close()
        return Evidence(spool: spooler.spool).files.filter { !SpoolFiles.belongs($0, jobs: known) }
    }

    // MARK: - Printing

    /// Prints a number of jobs, and returns when all jobs have ended.
    private func print(_ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<Self.lanes {
                group.addTask {
                    let client = TrialClient(spooler.client())
                    for index in stride(from: lane, to: count, by: Self.lanes) {
                        try await printOne(index, by: client)
                    }
                    await client.close()
                }
            }
            try await group.waitForAll()
        }
    }

    private func printOne(_ index: Int, by client: TrialClient) async throws {
        let name = "job \(index)"
        let attributes = [
            Attribute("job-name", .name(name)), Attribute("printq-submission-id", .name(UUID().uuidString)),
            Attribute("document-format", .mimeMediaType("application/pdf")),
        ]
        let answer = try await client.insist(
            .printJob, printer: Self.printers[index % 2], attributes: attributes,
            document: index % 25 == 3 ? documents.large : documents.small)
        guard answer.status.isSuccess, let id = answer[.job]?.integer("job-id").map(Int.init) else {
            throw CrashClient.Refused(description: "\(name) was rejected: \(answer)")
        }
        if index % 20 == 7 { _ = try await client.insist(.cancelJob, job: id) }
        if index % 10 == 9 {
            let other = TrialClient(spooler.client())
            _ = try await other.jobs(.all)
            await other.close()
        }
        _ = try await client.queue.follow(id) { _ in }
    }

    // MARK: - Measuring

    private func sample() throws -> LeakReport.Sample {
        let simulator = spooler.processes.first { $0.victim == .printsim }?.pid
        guard let pid = spooler.pid, let printd = ProcessSample(of: pid), let simulator,
            let printsim = ProcessSample(of: simulator)
        else { throw CrashClient.Refused(description: "a daemon has ended") }
        return LeakReport.Sample(
            printd: printd, printsim: printsim, walKiB: Self.kibibytes("\(spooler.spool)/spool.sqlite-wal"),
            databaseKiB: Self.kibibytes("\(spooler.spool)/spool.sqlite"))
    }

    private static func kibibytes(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return ((attributes?[.size] as? Int) ?? 0) >> 10
    }
}
