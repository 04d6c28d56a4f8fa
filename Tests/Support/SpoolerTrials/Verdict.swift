// Journal against evidence: what must never be.

import PrintModel

/// What the comparison of a journal with the evidence says.
package struct Verdict: Sendable {
    /// Something that must never be.
    package struct Violation: Sendable, Hashable, CustomStringConvertible {
        /// What kind it is.
        package enum Kind: String, Sendable, CaseIterable {
            /// An acknowledged job is neither in the queue nor in the history.
            case lost
            /// A number was given twice, or not above those before it.
            case reused
            /// One submission made several jobs.
            case doubled
            /// A job came out more than once without a word.
            case twice
            /// A job that is said to be printed did not come out, or one that is said not to be did.
            case untrue
            /// A job came out after it was said to be canceled.
            case afterCancel
            /// A job has not ended and does not say why, or ended without a cause.
            case unexplained
            /// A file that nothing needs.
            case orphan
            /// A process that nothing needs.
            case stray
            /// A printer's log and its jobs' records do not agree.
            case record
        }

        /// What kind it is.
        package var kind: Kind
        /// What was seen.
        package var words: String

        /// `lost: job 12 …`.
        package var description: String { "\(kind.rawValue): \(words)" }
    }

    /// What must never be, and is.
    package private(set) var violations: [Violation] = []
    /// Jobs in each state, by IPP's keyword; those that wait for a person are `suspended`.
    package private(set) var states: [String: Int] = [:]
    /// What aborted jobs say, numbers left out, and how many do.
    package private(set) var aborted: [String: Int] = [:]
    /// Empty jobs left at a printer because the spooler died before it had noted them; they end by themselves.
    package private(set) var abandoned = 0

    private let journal: Journal
    private let evidence: Evidence

    /// Compares what clients were told with what there is.
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

    /// Each submission has one number, each number one submission, and a client's numbers go up.
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
        for (id, jobs) in queue where jobs.count > 1 { add(.reused, "job \(id) is there \(jobs.count) times") }
        var known: Set<Int> = []
        for accepted in journal.acceptances where known.insert(accepted.job).inserted {
            guard let job = queue[accepted.job]?.first else {
                add(.lost, "job \(accepted.job) (\(accepted.submission)) is not there")
                continue
            }
            guard job.uuid == accepted.uuid, job.name == accepted.submission else {
                add(.reused, "job \(job.id) was \(accepted.submission), and is \(job.name)")
                continue
            }
            states[job.isSuspended ? "suspended" : job.state.description, default: 0] += 1
            judgeState(job, since: accepted.time)
        }
        for job in evidence.queue where !known.contains(job.id) {
            add(.doubled, "nobody was told of job \(job.id) (\(job.name))")
        }
    }

    /// Whether the job has ended, or says why not; and whether there is a cause.
    private mutating func judgeState(_ job: Evidence.QueuedJob, since accepted: UnixTime) {
        let words = "job \(job.id) (\(job.name)) is \(job.state) \(job.reasons): '\(job.message)'"
        func killed(_ victims: Set<Journal.Victim>) -> Bool { journal.kills(of: victims).contains { $0 >= accepted } }
        switch job.state {
        case .completed: break
        case .canceled: if !cancels.contains(job.id) { add(.lost, "\(words), and nobody wanted that") }
        case .aborted:
            aborted[job.message.replacing(/\d+/, with: "…"), default: 0] += 1
            if job.message.isEmpty { add(.unexplained, words) }
            // What a printer gives up waits for a person; what cannot be prepared does not.
            let isGivenUp = evidence.printed.contains { $0.name == job.name && $0.hasDocument && $0.state == "aborted" }
            if isGivenUp || !killed([.workers]) {
                add(.lost, "\(words), and \(isGivenUp ? "its printer gave it up" : "no worker was killed")")
            }
        case _ where job.isSuspended:
            if job.message.isEmpty || !killed([.printsim, .cupsd, .workers]) { add(.unexplained, words) }
        default: add(.unexplained, "\(words), and has not ended")
        }
    }

    private var cancels: Set<Int> {
        Set(journal.lines.compactMap { if case .cancelAsked(let job) = $0.entry { job } else { nil } })
    }

    // MARK: - Paper

    /// Whether each job came out as often as the queue says.
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
                add(.untrue, "\(name) came out, and the queue knows no such job")
                continue
            }
            // What cupsd does by itself nobody can prevent; the queue must say that it may have been done.
            let isTold = evidence.keepsCUPSJobs && job.reasons.contains("job-completed-with-warnings")
            let cupsdsOwn = isTold ? journal.kills(of: [.cupsd]).count : 0
            let where_ = copies.map { "\($0.printer) \($0.state) \($0.impressions)" }
            let resumed = resumptions[job.id, default: 0]
            if copies.count > 1 + releases[job.id, default: 0] + resumed + cupsdsOwn {
                add(.twice, "job \(job.id) (\(name)) came out \(copies.count) times: \(where_)")
            }
            if resumed > 0, releases[job.id] == nil, job.state == .completed, let all = job.impressions {
                let sides = copies.map(\.impressions).reduce(0, +)
                let words = "job \(job.id) (\(name)): \(sides) of \(all) sides came out: \(where_)"
                if sides < all { add(.untrue, words) }
                // The trials print on one side.
                if sides > all { add(.twice, words) }
            }
            let completed = copies.filter { $0.state == "completed" }
            if let said = canceledAt[job.id], completed.contains(where: { ($0.completedAt ?? 0) > said }) {
                add(.afterCancel, "job \(job.id) (\(name)) came out after it was said to be canceled")
            }
            if job.state == .aborted, !completed.isEmpty {
                add(.untrue, "job \(job.id) (\(name)) came out, and is said to be aborted: '\(job.message)'")
            }
        }
        // cupsd may call completed what its printer gave up when it was switched off: nobody can know better.
        let isHearsay = evidence.isThroughCUPS && !journal.kills(of: [.printsim]).isEmpty
        for job in evidence.queue where job.state == .completed && !(isHearsay && prints[job.name] != nil) {
            if prints[job.name]?.contains(where: { $0.state == "completed" }) != true {
                add(.untrue, "job \(job.id) (\(job.name)) is said to be completed, and did not come out")
            }
        }
    }

    // MARK: - Records

    /// Each job of a printer has ended, and has one line in its log that says the same.
    private mutating func judgeRecords() {
        for words in evidence.unreadable { add(.record, "cannot be read: \(words)") }
        let lines = Dictionary(grouping: evidence.log, by: \.uuid)
        for (uuid, jobs) in Dictionary(grouping: evidence.printed, by: \.uuid) {
            let job = jobs[0]
            let words = "\(job.name) at \(job.printer)"
            if jobs.count > 1 { add(.record, "\(words) shares its name \(uuid)") }
            guard job.hasEnded else {
                if job.hasDocument { add(.record, "\(words) is \(job.state)") } else { abandoned += 1 }
                continue
            }
            let found = lines[uuid] ?? []
            if found.count != 1 { add(.record, "\(words) is \(job.state), with \(found.count) lines in the log") }
            for line in found where line.state != job.state || line.impressions != job.impressions {
                add(.record, "\(words) is \(job.state) after \(job.impressions), the log says \(line)")
            }
        }
        let known = Set(evidence.printed.map(\.uuid))
        for line in evidence.log where !known.contains(line.uuid) { add(.record, "no job belongs to \(line)") }
    }
}
