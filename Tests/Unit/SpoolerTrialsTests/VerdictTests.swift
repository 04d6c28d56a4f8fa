import PrintModel
import SpoolerTrials
import Testing

/// Tests of the crash trial's verdict with artificial journals.
///
/// The verdict must report each kind of violation, and must report no violation of a correct run.
struct VerdictTests {
    /// Returns a correct run: two jobs that were acknowledged and printed, and a third job that was canceled.
    private func fine() -> (journal: Journal, evidence: Evidence) {
        var journal = Journal()
        var evidence = Evidence()
        for id in 1...3 {
            journal.append(.accepted(submission: "c1-\(id)", client: 1, job: id, uuid: "urn:uuid:\(id)"), at: 100)
            let state: JobState = id == 3 ? .canceled : .completed
            evidence.queue.append(.init(id: id, uuid: "urn:uuid:\(id)", name: "c1-\(id)", state: state))
        }
        journal.append(.cancelAsked(job: 3), at: 101)
        journal.append(.cancelAnswered(job: 3, state: .canceled), at: 102)
        for id in 1...2 { evidence.print("c1-\(id)", uuid: "urn:uuid:p\(id)") }
        evidence.files = [
            "incoming/", "jobs/1/document-1.pdf", "jobs/1/prepared.pdf", "jobs/2/", "spool.sqlite", "lock",
            "printd.sock", "output/inkjet/job-000001/job.json", "output/inkjet/job-000001/page-0001.png",
            "output/inkjet/incoming/", "output/inkjet/printer.log",
        ]
        return (journal, evidence)
    }

    /// Returns the violations after a change to the correct run.
    private func kinds(
        _ change: (inout Journal, inout Evidence) -> Void
    ) -> [Verdict.Violation.Kind] {
        var (journal, evidence) = fine()
        change(&journal, &evidence)
        return Verdict(journal, evidence).violations.map(\.kind)
    }

    @Test func `the crash trial reports no violations if no job was lost, repeated or reported incorrectly`() {
        #expect(kinds { _, _ in } == [])
    }

    @Test func `the crash trial reports 'lost' if an acknowledged job is missing`() {
        #expect(kinds { _, evidence in evidence.queue.remove(at: 2) } == [.lost])
    }

    @Test func `the crash trial reports 'lost' if a job is canceled without a cancel request`() {
        #expect(kinds { _, evidence in evidence.queue[0].state = .canceled } == [.lost])
    }

    @Test func `the crash trial reports 'lost' if only printd is killed and a job is aborted`() {
        let kinds = kinds { journal, evidence in
            journal.append(.killed([.printd]), at: 103)
            evidence.abort("c1-2", message: "it broke")
        }
        #expect(kinds == [.lost])
    }

    @Test func `the crash trial reports 'lost' if a printer is killed and its job is aborted`() {
        let kinds = kinds { journal, evidence in
            journal.append(.killed([.printsim]), at: 103)
            evidence.abort("c1-2", message: "switched off")
        }
        #expect(kinds == [.lost])
    }

    @Test
    func `after a worker is killed, the crash trial reports 'lost' if a printer received a job that is aborted`() {
        let aborted = kinds { journal, evidence in
            journal.append(.killed([.workers]), at: 103)
            evidence.abort("c1-2", message: "the worker crashed")
            evidence.printed.removeAll { $0.name == "c1-2" }
            evidence.log.removeAll { $0.name == "c1-2" }
        }
        #expect(aborted == [])
        let givenUp = kinds { journal, evidence in
            journal.append(.killed([.workers]), at: 103)
            evidence.abort("c1-2", message: "given up")
        }
        #expect(givenUp == [.lost])
    }

    @Test func `the crash trial reports a violation unless each page of a resumed job is printed exactly once`() {
        func parts(_ first: Int, _ second: Int) -> [Verdict.Violation.Kind] {
            kinds { journal, evidence in
                journal.append(.killed([.printsim]), at: 103)
                journal.append(.doubtResumed(job: 2), at: 104)
                evidence.queue[1].impressions = 3
                evidence.printed.removeAll { $0.name == "c1-2" }
                evidence.log.removeAll { $0.name == "c1-2" }
                evidence.print("c1-2", uuid: "urn:uuid:p8", state: "aborted", impressions: first)
                evidence.print("c1-2", uuid: "urn:uuid:p9", impressions: second)
            }
        }
        #expect(parts(1, 2) == [])
        #expect(parts(1, 1) == [.untrue])
        #expect(parts(1, 3) == [.twice])
    }

    @Test func `the crash trial reports 'reused' if two submissions have the same job number`() {
        let kinds = kinds { journal, _ in
            journal.append(.accepted(submission: "c2-1", client: 2, job: 2, uuid: "urn:uuid:2"), at: 103)
        }
        #expect(kinds == [.reused])
    }

    @Test
    func `the crash trial reports 'reused' if a job number belongs to a different job after the trial`() {
        #expect(kinds { _, evidence in evidence.queue[2].uuid = "urn:uuid:9" } == [.reused])
    }

    @Test func `the crash trial reports 'reused' if the job numbers of one client decrease`() {
        let kinds = kinds { journal, evidence in
            journal.append(.accepted(submission: "c2-1", client: 2, job: 5, uuid: "urn:uuid:5"), at: 103)
            journal.append(.accepted(submission: "c2-2", client: 2, job: 4, uuid: "urn:uuid:4"), at: 104)
            for id in 4...5 {
                evidence.queue.append(.init(id: id, uuid: "urn:uuid:\(id)", name: "c2-\(6 - id)", state: .completed))
                evidence.print("c2-\(6 - id)", uuid: "urn:uuid:p\(id)")
            }
        }
        #expect(kinds == [.reused])
    }

    @Test func `the crash trial reports 'doubled' if one submission created two jobs`() {
        let kinds = kinds { journal, evidence in
            journal.append(.accepted(submission: "c1-1", client: 1, job: 4, uuid: "urn:uuid:4"), at: 103)
            evidence.queue.append(.init(id: 4, uuid: "urn:uuid:4", name: "c1-1", state: .completed))
        }
        #expect(kinds == [.doubled])
    }

    @Test func `the crash trial reports 'doubled' if a job was never acknowledged`() {
        let kinds = kinds { _, evidence in
            evidence.queue.append(.init(id: 4, uuid: "urn:uuid:4", name: "c1-4", state: .canceled))
        }
        #expect(kinds == [.doubled])
    }

    @Test
    func `the crash trial reports 'twice' if a job is printed twice, unless a user released the job`() {
        let again: (inout Evidence) -> Void = { $0.print("c1-2", uuid: "urn:uuid:p9") }
        #expect(kinds { _, evidence in again(&evidence) } == [.twice])
        let released = kinds { journal, evidence in
            journal.append(.doubtReleased(job: 2), at: 103)
            again(&evidence)
        }
        #expect(released == [])
    }

    @Test func `the crash trial reports 'twice' if a job is aborted at the printer and is also printed completely`() {
        let kinds = kinds { _, evidence in
            evidence.print("c1-2", uuid: "urn:uuid:p9", state: "aborted")
        }
        #expect(kinds == [.twice])
    }

    @Test func `the crash trial reports 'afterCancel' if a job is printed after its cancellation was acknowledged`() {
        let kinds = kinds { _, evidence in evidence.print("c1-3", uuid: "urn:uuid:p3", at: 103) }
        #expect(kinds == [.afterCancel])
        let before = self.kinds { _, evidence in evidence.print("c1-3", uuid: "urn:uuid:p3", at: 101) }
        #expect(before == [])
    }

    @Test func `the crash trial reports 'untrue' if the state of a job contradicts the printed pages`() {
        #expect(
            kinds { _, evidence in
                evidence.printed.removeLast()
                evidence.log.removeLast()
            } == [.untrue])
        let aborted = kinds { journal, evidence in
            journal.append(.killed([.workers]), at: 103)
            evidence.queue[0].state = .aborted
            evidence.queue[0].message = "it broke"
        }
        #expect(aborted == [.untrue])
    }

    @Test func `the crash trial reports 'unexplained' if a job does not end and has no reason for waiting`() {
        #expect(kinds { _, evidence in evidence.queue[2].state = .processing } == [.unexplained])
        let suspended: (inout Evidence) -> Void = { evidence in
            evidence.queue[2].state = .processingStopped
            evidence.queue[2].reasons = ["job-suspended"]
            evidence.queue[2].message = "check the printed sheets"
        }
        #expect(kinds { _, evidence in suspended(&evidence) } == [.unexplained], "no printer was killed")
        let killed = kinds { journal, evidence in
            journal.append(.killed([.printsim]), at: 103)
            suspended(&evidence)
        }
        #expect(killed == [])
    }

    @Test(arguments: [
        "incoming/7f0a", "jobs/9/document-1.pdf", "jobs/1/x/", "jobs/1/document-1.pdf.7f0a",
        ".printd/", ".printd/s", "output/inkjet/job-000001/", "output/inkjet/job-000001/job.json.new",
        "output/inkjet/job-000001/unprinted/", "output/inkjet/incoming/7f0a", "core",
    ])
    func `the crash trial reports 'orphan' if a file belongs to no job`(path: String) {
        #expect(kinds { _, evidence in evidence.files.append(path) } == [.orphan])
    }

    @Test func `the crash trial reports 'stray' if a worker process continues after its parent program has ended`() {
        #expect(kinds { _, evidence in evidence.strays.append("print-worker 123 of 1") } == [.stray])
    }

    @Test func `the crash trial reports 'record' if a printer log lacks a job, has a wrong count or is unreadable`() {
        #expect(kinds { _, evidence in evidence.log.removeLast() } == [.record])
        #expect(kinds { _, evidence in evidence.log[0].impressions = 7 } == [.record])
        #expect(kinds { _, evidence in evidence.unreadable.append("{ torn") } == [.record])
    }

    @Test func `the crash trial counts an empty job at a printer as abandoned, but not as a violation`() {
        var (journal, evidence) = fine()
        journal.append(.killed([.printd]), at: 103)
        evidence.printed.append(
            .init(
                printer: "inkjet", uuid: "urn:uuid:e", name: "c1-1", state: "pending-held", impressions: 0,
                hasDocument: false))
        let verdict = Verdict(journal, evidence)
        #expect(verdict.violations == [] && verdict.abandoned == 1)
    }
}

extension Evidence {
    /// Adds a printed job, complete or partial, to the output and to the printer's log.
    fileprivate mutating func print(
        _ name: String, uuid: String, state: String = "completed", impressions: Int = 1, at time: UnixTime = 101
    ) {
        printed.append(
            .init(
                printer: "inkjet", uuid: uuid, name: name, state: state, impressions: impressions, completedAt: time))
        log.append(.init(uuid: uuid, name: name, state: state, impressions: impressions))
    }

    /// Marks a job as aborted at its printer and at the spooler.
    fileprivate mutating func abort(_ name: String, message: String) {
        for index in queue.indices where queue[index].name == name {
            (queue[index].state, queue[index].message) = (.aborted, message)
        }
        for index in printed.indices where printed[index].name == name { printed[index].state = "aborted" }
        for index in log.indices where log[index].name == name { log[index].state = "aborted" }
    }
}
