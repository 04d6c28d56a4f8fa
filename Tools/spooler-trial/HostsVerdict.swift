// Compares the acknowledged jobs of a trial with several hosts with the queue and the printers.

import Foundation
import PrintModel
import SpoolerTrials

/// The comparison of the acknowledged jobs with the queue and with the printers' logs.
struct HostsVerdict: Sendable {
    /// A job of the queue.
    struct QueuedJob: Decodable, Sendable {
        var id: Int
        var name: String
        var state: Int
        var reasons: String
        var message: String

        var jobState: JobState { JobState(rawValue: state) ?? .aborted }
        var isSuspended: Bool { !jobState.isTerminal && reasons.contains("job-suspended") }
    }

    /// The number of printouts of each job name.
    private(set) var printouts: [String: Int] = [:]
    /// Whether commits waited for the standby, so that a failover loses nothing.
    let isSynchronous: Bool
    /// The names of jobs that were already compared.
    private var judged: Set<String> = []
    /// The number of printed jobs.
    private(set) var printed = 0
    /// The names of acknowledged jobs that are missing and were not printed, or that are completed and were not printed.
    private(set) var lost: [String] = []
    /// The names of acknowledged jobs that were printed, but are missing in the queue.
    private(set) var forgotten: [String] = []
    /// The names of jobs that were printed twice.
    private(set) var twice: Set<String> = []
    /// The number of jobs that have not ended.
    private(set) var stuck = 0
    /// The messages of suspended jobs.
    private(set) var suspended: [String] = []
    /// The violations of the promises.
    private(set) var problems: [String] = []
    /// The effects of failovers to an asynchronous standby, which printq cannot prevent.
    private(set) var losses: [String] = []
    /// The number of bytes of each printer's log that were already read.
    private var offsets: [String: Int] = [:]

    /// Creates a comparison without jobs.
    init(isSynchronous: Bool) { self.isSynchronous = isSynchronous }

    /// Reads the new lines of a printer's log.
    ///
    /// A printer's job without a printed side is not a printout: its host did not send the document.
    mutating func readLog(_ path: String) {
        let data = FileManager.default.contents(atPath: path) ?? Data()
        let new = data.dropFirst(offsets[path] ?? 0)
        guard let end = new.lastIndex(of: UInt8(ascii: "\n")) else { return }
        offsets[path] = end + 1
        for line in new[...end].split(separator: UInt8(ascii: "\n")) {
            guard let job = try? JSONDecoder().decode(Evidence.LogLine.self, from: Data(line)) else {
                problems.append("the log of a printer has an unreadable line: \(String(decoding: line, as: UTF8.self))")
                continue
            }
            if job.impressions > 0 { printouts[job.name, default: 0] += 1 }
        }
    }

    /// Compares the acknowledged jobs that are new since the last call with the queue.
    mutating func judge(_ acknowledged: [String: Set<Int>], queue: [QueuedJob]) {
        let byID = Dictionary(queue.map { ($0.id, $0) }) { $1 }
        let named = Dictionary(grouping: queue, by: \.name)
        for (name, ids) in acknowledged.sorted(by: { $0.key < $1.key }) where judged.insert(name).inserted {
            if ids.count > 1 { noteLoss("\(name) was accepted as several jobs: \(ids.sorted())") }
            let found = ids.compactMap { byID[$0] }.filter { $0.name == name }
            // If a failover lost one of several jobs, the other job counts.
            for job in found { judge(job) }
            if found.isEmpty { judgeMissing(name, ids.sorted()) }
            if let jobs = named[name], jobs.count > 1 { noteLoss("\(name) has several jobs: \(jobs.map(\.id))") }
        }
        for (name, count) in printouts where count > 1 && twice.insert(name).inserted {
            noteLoss("\(name) was printed \(count) times")
        }
    }

    /// Records an effect that only a failover to an asynchronous standby may have.
    private mutating func noteLoss(_ text: String) {
        if isSynchronous { problems.append(text) } else { losses.append(text) }
    }

    private mutating func judgeMissing(_ name: String, _ ids: [Int]) {
        let count = printouts[name] ?? 0
        if count > 0 { forgotten.append(name) } else { lost.append(name) }
        noteLoss("\(name) was accepted as job \(ids), which is missing; printouts: \(count)")
    }

    private mutating func judge(_ job: QueuedJob) {
        let count = printouts[job.name] ?? 0
        if job.isSuspended {
            suspended.append("job \(job.id) (\(count) printouts): \(job.message)")
            if job.message.isEmpty { problems.append("job \(job.id) is suspended without an explanation") }
        } else if job.jobState == .completed {
            if count > 0 {
                printed += 1
            } else {
                lost.append(job.name)
                problems.append("job \(job.id) (\(job.name)) is completed, but was not printed")
            }
        } else {
            if !job.jobState.isTerminal { stuck += 1 }
            problems.append(
                "job \(job.id) (\(job.name), \(count) printouts) is \(job.jobState) \(job.reasons): \(job.message)")
        }
    }
}
