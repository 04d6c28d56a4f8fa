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
    /// The numbers of jobs that were already compared.
    private var judged: Set<Int> = []
    /// The number of printed jobs.
    private(set) var printed = 0
    /// The names of acknowledged jobs that are missing or were not printed.
    private(set) var lost: [String] = []
    /// The names of jobs that were printed twice.
    private(set) var twice: Set<String> = []
    /// The messages of suspended jobs.
    private(set) var suspended: [String] = []
    private(set) var problems: [String] = []
    /// The number of bytes of each printer's log that were already read.
    private var offsets: [String: Int] = [:]

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
        for (name, ids) in acknowledged.sorted(by: { $0.key < $1.key }) where !ids.isSubset(of: judged) {
            if ids.count > 1 { problems.append("\(name) was accepted as several jobs: \(ids.sorted())") }
            for id in ids { judge(byID[id], id, name) }
            judged.formUnion(ids)
        }
        for (name, count) in printouts where count > 1 && twice.insert(name).inserted {
            problems.append("\(name) was printed \(count) times")
        }
        let names = Dictionary(grouping: queue, by: \.name).filter { $0.value.count > 1 }
        for (name, jobs) in names { problems.append("\(name) has several jobs: \(jobs.map(\.id))") }
    }

    private mutating func judge(_ job: QueuedJob?, _ id: Int, _ name: String) {
        guard let job, job.name == name else {
            lost.append(name)
            return problems.append("\(name) was accepted as job \(id), which is missing")
        }
        let count = printouts[name] ?? 0
        if job.isSuspended {
            suspended.append("job \(id) (\(count) printouts): \(job.message)")
            if job.message.isEmpty { problems.append("job \(id) is suspended without an explanation") }
        } else if job.jobState == .completed {
            if count > 0 {
                printed += 1
            } else {
                lost.append(name)
                problems.append("job \(id) (\(name)) is completed, but was not printed")
            }
        } else {
            problems.append("job \(id) (\(name), \(count) printouts) is \(job.jobState) \(job.reasons): \(job.message)")
        }
    }
}
