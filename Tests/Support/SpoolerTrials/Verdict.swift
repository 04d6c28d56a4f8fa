// Compares the journal with the evidence and reports violations.

import PrintModel

/// The result of comparing a journal with the evidence.
package struct Verdict: Sendable {
    /// A violation of the spooler's guarantees.
    package struct Violation: Sendable, Hashable, CustomStringConvertible {
        /// The kinds of violations.
        package enum Kind: String, Sendable, CaseIterable {
            /// An acknowledged job is neither in the queue nor in the history.
            case lost
            /// A job number was assigned twice, or is not greater than the earlier numbers.
            case reused
            /// One submission created several jobs.
            case doubled
            /// A job was printed more than once without a notice.
            case twice
            /// A job reported as printed was not printed, or a job reported as not printed was printed.
            case untrue
            /// A job was printed after it was reported as canceled.
            case afterCancel
            /// A job has not ended and reports no reason, or ended without a cause.
            case unexplained
            /// An unnecessary file remains.
            case orphan
            /// An unnecessary process remains.
            case stray
            /// A printer's log differs from the records of its jobs.
            case record
        }

        /// The kind of the violation.
        package var kind: Kind
        /// The description of the violation.
        package var words: String

        /// The kind and the description: `lost: job 12 …`.
        package var description: String { "\(kind.rawValue): \(words)" }
    }

    /// The violations found.
    package private(set) var violations: [Violation] = []
    /// The number of jobs in each state, by IPP keyword; suspended jobs are counted as `suspended`.
    package private(set) var states: [String: Int] = [:]
    /// The messages of aborted jobs without numbers, and how often each message occurs.
    package private(set) var aborted: [String: Int] = [:]
    /// The number of empty jobs that remained at a printer because the spooler was killed before it recorded the jobs.
    ///
    /// The printer aborts such a job after a timeout.
    package private(set) var abandoned = 0

    private let journal: Journal
    private let evidence: Evidence

    /// Compares the responses to clients with the evidence.
    package init(_ journal: Journal, _ evidence: Evidence) {
        self.journal = journal
        self.evidence = evidence
        judgeNumbers()
        judgeQueue()
        judgePaper()
        judgeRecords()
        let known = Set(evidence.queue.map(\.id))
        for path in evidence.files where !SpoolFiles.belongs(path, jobs: known) { add(.orphan, path) }
        for process in evidence.strays { add(.stray, process) }
    }

    private mutating func add(_ kind: Violation.Kind, _ words: String) {
        violations.append(Violation(kind: kind, words: words))
    }

    // MARK: - Numbers

    /// Checks that submissions and job numbers match one to one, and that each client's numbers increase.
    private mutating func judgeNumbers() {
        var jobs: [String: (id: Int, uuid: String)] = [:]
        var submissions: [Int: String] = [:]
        var last: [Int: Int] = [:]
        for accepted in journal.acceptances {
            let name = accepted.submission
            if let known = jobs[name] {
                guard known.id != accepted.job || known.uuid != accepted.uuid else { continue }
                add(.doubled, "\(name) is job \(known.id) and job \(accepted.job)")
                continue
            }
            jobs[name] = (accepted.job, accepted.uuid)
            if let other = submissions.updateValue(name, forKey: accepted.job) {
                add(.reused, "job \(accepted.job) is \(other) and \(name)")
            }
            if let before = last.updateValue(accepted.job, forKey: accepted.client), before >= accepted.job {
                add(.reused, "client \(accepted.client) got job \(accepted.job) after job \(before)")
            }
        }
    }

    // MARK: - The queue

    private mutating func judgeQueue() {
        let queue = Dictionary(grouping: evidence.queue, by: \.id)
        for (id, jobs) in queue where jobs.count > 1 { add(.reused, "job \(id) is listed \(jobs.count) times") }
        var known: Set<Int> = []
        for accepted in journal.acceptances where known.insert(accepted.job).inserted {
            guard let job = queue[accepted.job]?.first else {
                add(.lost, "job \(accepted.job) (\(accepted.submission)) is missing")
                continue
            }
            guard job.uuid == accepted.uuid, job.name == accepted.submission else {
                add(.reused, "job \(job.id) was \(accepted.submission) and is now \(job.name)")
                continue
            }
            states[job.isSuspended ? "suspended" : job.state.description, default: 0] += 1
            judgeState(job, since: accepted.time)
        }
        for job in evidence.queue where !known.contains(job.id) {
            add(.doubled, "job \(job.id) (\(job.name)) was not acknowledged to any client")
        }
    }

    /// Checks that the job has ended for a known cause, or reports why it has not ended.
    private mutating func judgeState(_ job: Evidence.QueuedJob, since accepted: UnixTime) {
        let words = "job \(job.id) (\(job.name)) is \(job.state) \(job.reasons): '\(job.message)'"
        func killed(_ victims: Set<Journal.Victim>) -> Bool { journal.kills(of: victims).contains { $0 >= accepted } }
        switch job.state {
        case .completed: break
        case .canceled: if !cancels.contains(job.id) { add(.lost, "\(words), but no client canceled it") }
        case .aborted:
            aborted[job.message.replacing(/\d+/, with: "…"), default: 0] += 1
            if job.message.isEmpty { add(.unexplained, words) }
            // A job that its printer aborted is suspended; a job that cannot be prepared is aborted.
            let isGivenUp = evidence.printed.contains { $0.name == job.name && $0.hasDocument && $0.state == "aborted" }
            if isGivenUp || !killed([.workers]) {
                add(.lost, "\(words), but \(isGivenUp ? "its printer aborted it" : "no worker was killed")")
            }
        case _ where job.isSuspended:
            if job.message.isEmpty || !killed([.printsim, .cupsd, .workers]) { add(.unexplained, words) }
        default: add(.unexplained, "\(words), which is not a final state")
        }
    }

    private var cancels: Set<Int> {
        Set(journal.lines.compactMap { if case .cancelAsked(let job) = $0.entry { job } else { nil } })
    }

    // MARK: - Paper

    /// Checks that the number of prints of each job matches the queue.
    private mutating func judgePaper() {
        let prints = Dictionary(grouping: evidence.printed.filter { $0.impressions > 0 }, by: \.name)
        let states = Dictionary(evidence.queue.map { ($0.name, $0) }) { first, _ in first }
        var releases: [Int: Int] = [:]
        var resumptions: [Int: Int] = [:]
        var canceledAt: [Int: UnixTime] = [:]
        for line in journal.lines {
            switch line.entry {
            case .doubtReleased(let job): releases[job, default: 0] += 1
            case .doubtResumed(let job): resumptions[job, default: 0] += 1
            case .cancelAnswered(let job, .canceled): canceledAt[job] = canceledAt[job] ?? line.time
            default: break
            }
        }
        for (name, copies) in prints {
            guard let job = states[name] else {
                add(.untrue, "\(name) was printed, but is not in the queue")
                continue
            }
            // cupsd may print a job again by itself. The queue must then report that possibility.
            let isReported = evidence.keepsCUPSJobs && job.reasons.contains("job-completed-with-warnings")
            let cupsdsOwn = isReported ? journal.kills(of: [.cupsd]).count : 0
            let where_ = copies.map { "\($0.printer) \($0.state) \($0.impressions)" }
            let resumed = resumptions[job.id, default: 0]
            if copies.count > 1 + releases[job.id, default: 0] + resumed + cupsdsOwn {
                add(.twice, "job \(job.id) (\(name)) was printed \(copies.count) times: \(where_)")
            }
            if resumed > 0, releases[job.id] == nil, job.state == .completed, let all = job.impressions {
                let sides = copies.map(\.impressions).reduce(0, +)
                let words = "job \(job.id) (\(name)): \(sides) of \(all) sides were printed: \(where_)"
                if sides < all { add(.untrue, words) }
                // The trials print one-sided.
                if sides > all { add(.twice, words) }
            }
            let completed = copies.filter { $0.state == "completed" }
            if let said = canceledAt[job.id], completed.contains(where: { ($0.completedAt ?? 0) > said }) {
                add(.afterCancel, "job \(job.id) (\(name)) was printed after it was reported as canceled")
            }
            if job.state == .aborted, !completed.isEmpty {
                add(.untrue, "job \(job.id) (\(name)) was printed, but is reported as aborted: '\(job.message)'")
            }
        }
        // cupsd may report a job as completed that its printer lost when it was switched off.
        let isHearsay = evidence.isThroughCUPS && !journal.kills(of: [.printsim]).isEmpty
        for job in evidence.queue where job.state == .completed && !(isHearsay && prints[job.name] != nil) {
            if prints[job.name]?.contains(where: { $0.state == "completed" }) != true {
                add(.untrue, "job \(job.id) (\(job.name)) is reported as completed, but was not printed")
            }
        }
    }

    // MARK: - Records

    /// Checks that each job of a printer has ended, and has one matching line in the printer's log.
    private mutating func judgeRecords() {
        for words in evidence.unreadable { add(.record, "cannot be read: \(words)") }
        let lines = Dictionary(grouping: evidence.log, by: \.uuid)
        for (uuid, jobs) in Dictionary(grouping: evidence.printed, by: \.uuid) {
            let job = jobs[0]
            let words = "\(job.name) at \(job.printer)"
            if jobs.count > 1 { add(.record, "\(words) shares its UUID \(uuid)") }
            guard job.hasEnded else {
                if job.hasDocument { add(.record, "\(words) is \(job.state)") } else { abandoned += 1 }
                continue
            }
            let found = lines[uuid] ?? []
            if found.count != 1 { add(.record, "\(words) is \(job.state), with \(found.count) lines in the log") }
            for line in found where line.state != job.state || line.impressions != job.impressions {
                add(.record, "\(words) is \(job.state) after \(job.impressions) sides, but the log has \(line)")
            }
        }
        let known = Set(evidence.printed.map(\.uuid))
        for line in evidence.log where !known.contains(line.uuid) { add(.record, "no job matches \(line)") }
    }
}
