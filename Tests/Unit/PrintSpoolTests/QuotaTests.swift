import Foundation
import PrintModel
import PrintTestSupport
import Synchronization
import Testing

@testable import PrintSpool

/// Tests of quotas with both stores.
struct QuotaTests {
    private let files = TestSpool()

    private let plan = SheetPlan(media: "iso_a4_210x297mm", isColor: false, sheetsPerCopy: 1)

    private func submit(
        to spool: Spool, owner: String = "ada", copies: Int? = nil, isColor: Bool = false, groups: Set<String> = []
    ) async throws -> Job {
        var submission = Submission(printer: "laser", owner: owner, name: "job")
        submission.ticket.copies = copies
        submission.isColor = isColor
        return try await spool.submit(
            submission, documents: [(spool.document("hello"), name: "job.txt", format: .text)],
            groups: { names in groups.intersection(names) })
    }

    /// Submits a job and stores its number of pages, which are on as many sheets.
    @discardableResult
    private func prepare(_ pages: Int, in spool: Spool, owner: String = "ada") async throws -> Job {
        let id = try await submit(to: spool, owner: owner).id
        try await spool.change(id, .claimed)
        return try await spool.change(id, .prepared(impressions: pages, sheets: pages, notice: nil, plan: plan)).job
    }

    /// Prints a job.
    private func print(_ pages: Int, in spool: Spool, owner: String = "ada") async throws -> Job {
        let id = try await prepare(pages, in: spool, owner: owner).id
        return try await spool.change(id, .delivered(warning: nil)).job
    }

    /// The message of a refused submission; nil for an accepted one.
    private func refusal(_ body: () async throws -> Void) async throws -> String? {
        do {
            try await body()
            return nil
        } catch let error as SpoolError {
            #expect(error.code == .accountLimitReached)
            return error.message
        }
    }

    private func standing(_ spool: Spool, _ owner: String = "ada") async throws -> [QuotaStanding] {
        try await spool.quotaStandings(of: owner) { _ in [] }.standings
    }

    @Test func `printed pages count, a job beyond the limit is refused, and a top-up admits it`() async throws {
        let spool = try await files.open()
        try await spool.changeQuotas(.set(Quota(.everyone, per: .month, pages: 5)))
        #expect(try await print(3, in: spool).state == .completed)
        #expect(try await standing(spool).map(\.remaining) == [2])
        #expect(try await print(2, in: spool).state == .completed)
        let words = try #require(try await refusal { _ = try await submit(to: spool) })
        #expect(words.hasPrefix("the quota of all users is 5 pages per month: ada has printed 5, and this job has at"))
        #expect(try await spool.jobs(JobFilter(.all)).count == 2)
        #expect(try await submit(to: spool, owner: "ben").state == .pending)
        try await spool.changeQuotas(.topUp(user: "ada", pages: 1, sheets: 0))
        #expect(try await print(1, in: spool).state == .completed)
        #expect(try await refusal { _ = try await submit(to: spool) } != nil)
        #expect(try await standing(spool).map(\.added) == [1])
        try spool.close()
    }

    @Test func `a job that turns out to be too long ends with account-limit-reached, and can be printed again`()
        async throws
    {
        let spool = try await files.open()
        try await spool.changeQuotas(.set(Quota(.user("ada"), per: .day, sheets: 5)))
        let job = try await prepare(6, in: spool)
        #expect(job.state == .aborted && job.reasons == [.accountLimitReached, .abortedBySystem])
        #expect(
            job.message.hasPrefix("the quota of user 'ada' is 5 sheets per day: ada has printed 0, and this job has 6"))
        #expect(job.message.hasSuffix("Then 'printq reprint \(job.id)' prints the job"))
        #expect(try await standing(spool).map(\.used) == [0])
        try await spool.changeQuotas(.topUp(user: "ada", pages: 0, sheets: 1))
        let again = try await spool.resubmit(job.id, as: Submission(printer: "laser", owner: "ada", name: "again"))
        try await spool.change(again.id, .claimed)
        let printed = try await spool.change(again.id, .prepared(impressions: 6, sheets: 6, notice: nil, plan: plan))
        #expect(printed.job.state == .processing)
        try spool.close()
    }

    @Test func `a waiting job that is prepared in advance is checked, and a held job is checked when its turn comes`()
        async throws
    {
        let spool = try await files.open()
        try await spool.changeQuotas(.set(Quota(.everyone, per: .day, pages: 5)))
        let event = JobStateMachine.Event.prepared(impressions: 6, sheets: 6, notice: nil, plan: plan)
        let ahead = try await submit(to: spool)
        #expect(try await spool.change(ahead, ifStillWaiting: event)?.state == .aborted)
        let held = try await submit(to: spool)
        try await spool.change(held.id, .holdRequested(until: nil))
        #expect(try await spool.change(held.id, event).job.state == .pendingHeld)
        #expect(try await spool.job(held.id)?.impressions == nil)
        try await spool.change(held.id, .releaseRequested)
        try await spool.change(held.id, .claimed)
        #expect(try await spool.change(held.id, event).job.reasons.first == .accountLimitReached)
        try spool.close()
    }

    @Test func `unfinished jobs are reserved, and canceled jobs return their pages`() async throws {
        let spool = try await files.open()
        try await spool.changeQuotas(.set(Quota(.everyone, per: .week, pages: 10)))
        let first = try await prepare(7, in: spool)
        _ = try await submit(to: spool)  // reserves one page until its length is known
        #expect(try await standing(spool).map(\.reserved) == [8])
        #expect(try await prepare(3, in: spool).state == .aborted, "only two pages are left")
        #expect(try await prepare(2, in: spool).state == .processing)
        #expect(try await refusal { _ = try await submit(to: spool) }?.contains("unfinished jobs print 10") == true)
        try await spool.change(first.id, .cancelRequested(byOperator: false))
        try await spool.change(first.id, .backendStopped)
        #expect(try await standing(spool).map(\.remaining) == [7])
        #expect(try await standing(spool).map(\.used) == [0])
        try spool.close()
    }

    @Test func `blank backs are no pages, and each copy counts`() async throws {
        let spool = try await files.open()
        try await spool.changeQuotas(.set(Quota(.everyone, per: .month, pages: 6, sheets: 100)))
        let id = try await submit(to: spool).id
        try await spool.change(id, .claimed)
        let duplex = SheetPlan(
            media: "iso_a4_210x297mm", isColor: false, copies: 2, sheetsPerCopy: 2, blankBacks: [1])
        try await spool.change(id, .prepared(impressions: 8, sheets: 4, notice: nil, plan: duplex))
        #expect(try await standing(spool).map(\.reserved) == [6, 4])
        try await spool.change(id, .delivered(warning: nil))
        #expect(try await standing(spool).map(\.used) == [6, 4])
        try spool.close()
    }

    @Test func `many submissions and preparations at once never pass the limit`() async throws {
        let spool = try await files.open()
        try await spool.changeQuotas(.set(Quota(.everyone, per: .day, pages: 10)))
        let accepted = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<40 {
                group.addTask { try? await submit(to: spool).id }
            }
            return await group.reduce(into: [Int]()) { ids, id in if let id { ids.append(id) } }
        }
        #expect(accepted.count == 10)
        // Each job has three pages, so that the preparation admits only some of the jobs.
        let states = await withTaskGroup(of: JobState?.self) { group in
            for id in accepted {
                group.addTask { [plan] in
                    try? await spool.change(
                        id, [.claimed, .prepared(impressions: 3, sheets: 3, notice: nil, plan: plan)]
                    ).job.state
                }
            }
            return await group.reduce(into: [JobState]()) { states, state in if let state { states.append(state) } }
        }
        #expect(states.count == 10)
        #expect((1...3).contains(states.count { $0 == .processing }), "\(states)")
        #expect(states.count { $0 == .processing } * 3 <= 10 && states.contains(.aborted))
        try spool.close()
    }

    @Test func `the counts survive a restart`() async throws {
        let spool = try await files.open()
        try await spool.changeQuotas(.set(Quota(.everyone, per: .month, pages: 5)))
        _ = try await print(3, in: spool)
        _ = try await submit(to: spool)
        try spool.close()
        let later = try await files.open()
        #expect(try await standing(later).map(\.used) == [3])
        #expect(try await standing(later).map(\.remaining) == [1])
        #expect(try await later.quotas() == [Quota(.everyone, per: .month, pages: 5)])
        try later.close()
    }

    @Test func `each period begins again, and a top-up ends with its period`() async throws {
        let spool = try await files.open()
        for period in [Quota.Period.day, .week, .month] {
            try await spool.changeQuotas(.set(Quota(.everyone, per: period, pages: 5)))
        }
        _ = try await print(2, in: spool)
        try await spool.changeQuotas(.topUp(user: "ada", pages: 1, sheets: 0))
        func remaining() async throws -> [Int] { try await standing(spool).map(\.remaining) }
        #expect(try await remaining() == [4, 4, 4])
        for (index, period) in [Quota.Period.day, .week, .month].enumerated() {
            let bounds = try #require(period.bounds(at: files.clock.now))
            files.clock.advance(by: bounds.upperBound - files.clock.now - 1)
            #expect(try await remaining()[index] == 4, "the last second of the \(period)")
            files.clock.advance(by: 1)
            #expect(try await remaining()[index] == 5, "the next \(period)")
        }
        try spool.close()
    }

    @Test func `a job is refunded once, and a reset lets a user begin again`() async throws {
        let spool = try await files.open()
        try await spool.changeQuotas(.set(Quota(.everyone, per: .month, pages: 5)))
        let job = try await print(4, in: spool)
        try await spool.changeQuotas(.refund(job: job.id))
        #expect(try await standing(spool).map(\.remaining) == [5])
        #expect(await code { try await spool.changeQuotas(.refund(job: job.id)) } == .notPossible)
        #expect(await code { try await spool.changeQuotas(.refund(job: 99)) } == .notPossible)
        files.clock.advance(by: 1)
        _ = try await print(5, in: spool)
        #expect(try await standing(spool).map(\.remaining) == [0])
        try await spool.changeQuotas(.reset(user: "ada"))
        #expect(try await standing(spool).map { [$0.used, $0.added, $0.remaining] } == [[0, 0, 5]])
        try spool.close()
    }

    @Test func `copies, color and pages of each job are limited for members of a group`() async throws {
        let spool = try await files.open()
        try await spool.changeQuotas(.set(Quota(.group("kids"), per: .job, pages: 3, copies: 2, color: .never)))
        let kids: Set = ["kids"]
        #expect(
            try await refusal { _ = try await submit(to: spool, copies: 3, groups: kids) }?.contains("2 copies") == true
        )
        #expect(
            try await refusal { _ = try await submit(to: spool, isColor: true, groups: kids) }?.contains("no color")
                == true)
        #expect(try await submit(to: spool, copies: 3, isColor: true).ticket.limitedGroups == nil)
        let job = try await submit(to: spool, copies: 2, groups: kids)
        #expect(job.ticket.limitedGroups == ["kids"])
        var more = job.ticket
        more.copies = 3
        #expect(await code { _ = try await spool.update(job.id, ticket: more) } == .accountLimitReached)
        try await spool.change(job.id, .claimed)
        #expect(
            try await spool.change(job.id, .prepared(impressions: 4, sheets: 4, notice: nil, plan: plan)).job.message
                .hasPrefix("the quota of the group 'kids' is 3 pages per job, and this job has 4"))
        #expect(try await spool.quotaStandings(of: "ada") { _ in kids }.perJob.count == 1)
        #expect(
            await code {
                _ = try await spool.submit(
                    Submission(printer: "laser", owner: "a", name: "b"), documents: [],
                    groups: { _ in throw CancellationError() })
            } == .unavailable)
        try spool.close()
    }

    @Test func `guests with one address share a quota under all names`() async throws {
        let spool = try await files.open()
        try await spool.changeQuotas(.set(Quota(.guests, per: .day, pages: 2)))
        _ = try await print(1, in: spool, owner: "anna@192.0.2.7")
        _ = try await submit(to: spool, owner: "ben@192.0.2.7")
        #expect(try await refusal { _ = try await submit(to: spool, owner: "eve@192.0.2.7") } != nil)
        #expect(try await submit(to: spool, owner: "eve@192.0.2.70").state == .pending)
        try await spool.changeQuotas(.topUp(user: "ben@192.0.2.7", pages: 1, sheets: 0))
        #expect(try await submit(to: spool, owner: "eve@192.0.2.7").state == .pending)
        try spool.close()
    }

    @Test func `quotas are replaced and removed, and the entries that they count are kept`() async throws {
        let spool = try await files.open()
        try await spool.changeQuotas(.set(Quota(.everyone, per: .month, pages: 5)))
        try await spool.changeQuotas(.set(Quota(.everyone, per: .month, sheets: 7)))
        try await spool.changeQuotas(.set(Quota(.user("ada"), per: .day, pages: 1)))
        #expect(
            try await spool.quotas() == [
                Quota(.everyone, per: .month, sheets: 7), Quota(.user("ada"), per: .day, pages: 1),
            ])
        _ = try await print(1, in: spool)
        try await spool.purgeAccounting(keepSeconds: 0, now: files.clock.now + 60)
        #expect(try await standing(spool).map(\.used) == [1, 1])
        try await spool.changeQuotas(.remove(.user("ada"), .day))
        #expect(await code { try await spool.changeQuotas(.remove(.user("ada"), nil)) } == .notPossible)
        try await spool.changeQuotas(.remove(.everyone, nil))
        #expect(try await spool.quotas().isEmpty)
        try await spool.purgeAccounting(keepSeconds: 0, now: files.clock.now + 60)
        #expect(try await spool.accounting().isEmpty)
        try spool.close()
    }

    @Test(.requiresSQLite("the test counts statements of SQLite"))
    func `without quotas, a submission runs no statement about them except the one that admits it`() async throws {
        let trace = StatementTrace()
        let spool = try await files.open { trace.note($0) }
        _ = try await submit(to: spool)
        trace.clear()
        _ = try await submit(to: spool)
        #expect(trace.statements.filter { $0.contains("quota") }.count == 1, "\(trace.statements)")
        try spool.close()
    }
}

/// A record of the statements that a spool runs.
private final class StatementTrace: Sendable {
    private let all = Mutex<[String]>([])
    var statements: [String] { all.withLock(\.self) }
    func note(_ statement: String) { all.withLock { $0.append(statement) } }
    func clear() { all.withLock { $0 = [] } }
}
