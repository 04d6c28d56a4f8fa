// Tests the release of jobs with their passwords.

import Foundation
import PrintModel
import Testing

@testable import PrintSpool

struct ReleasePasswordTests {
    private let files = TestSpool()

    private func submit(
        to spool: Spool, _ password: JobPassword? = JobPassword(pin: "48151623"), printer: String = "laser",
        lifetime: Double = 86_400
    ) async throws -> Job {
        var submission = Submission(printer: printer, owner: "ada", name: "salaries")
        if let password { submission.releasePassword = try await PasswordHash(password) }
        submission.passwordLifetime = lifetime
        return try await spool.submit(submission, documents: [(spool.document("hello"), name: "a.txt", format: .text)])
    }

    private func pin(_ digits: String) throws -> JobPassword { try #require(JobPassword(pin: digits)) }

    private func error<Value>(_ call: () async throws -> Value) async -> SpoolError? {
        do {
            _ = try await call()
            return nil
        } catch {
            return error as? SpoolError
        }
    }

    @Test func `a job waits for its password over a restart, and the password is in no file`() async throws {
        var spool = try await files.open()
        let job = try await submit(to: spool)
        #expect(job.state == .pendingHeld && job.waitsForPassword)
        #expect(try await spool.claim(fromPrinters: ["laser"]) == nil)
        try spool.close()
        let names = try #require(FileManager.default.enumerator(atPath: files.folder)).compactMap { $0 as? String }
        for name in names {
            let data = try? Data(contentsOf: URL(fileURLWithPath: files.folder + "/" + name))
            #expect(data?.range(of: Data("48151623".utf8)) == nil, "\(name)")
        }
        spool = try await files.open()
        try await spool.release(job.id, with: pin("48151623"))
        let released = try #require(try await spool.job(job.id))
        #expect(released.state == .pending && released.reasons == [] && released.heldUntil == nil)
        #expect(try await spool.claim(fromPrinters: ["laser"])?.id == job.id)
        #expect(await error { try await spool.release(job.id, with: pin("48151623")) }?.code == .notPossible)
        #expect(await error { try await spool.release(99, with: pin("48151623")) }?.code == .noSuchJob)
    }

    @Test func `the third wrong password locks the job until its owner releases the job`() async throws {
        var spool = try await files.open()
        let job = try await submit(to: spool)
        for attempt in 1...3 {
            let refusal = await error { try await spool.release(job.id, with: pin("00000000")) }
            #expect(refusal?.code == .wrongPassword, "\(attempt)")
            try spool.close()
            spool = try await files.open()
        }
        let locked = try #require(try await spool.job(job.id))
        #expect(locked.isLockedForOwner && !locked.waitsForPassword && locked.reasons == [.jobHoldUntilSpecified])
        #expect(await error { try await spool.release(job.id, with: pin("48151623")) }?.code == .notPossible)
        #expect(await error { try await spool.releaseJobs(of: "laser", with: pin("48151623")) }?.code == .wrongPassword)
        // A hold does not unlock the job.
        try await spool.change(job.id, .holdRequested(until: nil))
        #expect(try await spool.job(job.id)?.isLockedForOwner == true)

        try await spool.change(job.id, .releaseRequested)
        #expect(try await spool.job(job.id)?.state == .pending)
        // Held again, the job permits three wrong passwords again.
        try await spool.change(job.id, .holdRequested(until: nil))
        #expect(await error { try await spool.release(job.id, with: pin("0000")) }?.code == .wrongPassword)
        try await spool.release(job.id, with: pin("48151623"))
        let log = try await spool.events(after: 0, limit: 100)
        #expect(log.filter { $0.message.contains("wrong PIN") }.count >= 4 && !"\(log)".contains("48151623"))
    }

    @Test func `guesses at the same time do not permit more than three wrong passwords`() async throws {
        let spool = try await files.open()
        let job = try await submit(to: spool)
        let codes = await withTaskGroup(of: SpoolError.Code?.self) { group in
            for guess in 1000..<1020 {
                group.addTask { await error { try await spool.release(job.id, with: pin("\(guess)")) }?.code }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == .wrongPassword } == 3 && codes.count { $0 == .notPossible } == 17)
    }

    @Test func `a PIN releases a job whose client sent a digest of the PIN`() async throws {
        let spool = try await files.open()
        var digest = SHA256()
        digest.update(Array("48151623".utf8))
        let hashed = try #require(JobPassword(Array(digest.digest().utf8), .sha256))
        let (one, two) = (try await submit(to: spool, hashed), try await submit(to: spool, hashed))
        try await spool.release(one.id, with: pin("48151623"))
        try await spool.release(two.id, with: hashed)
        // The digest is not the PIN.
        let three = try await submit(to: spool)
        #expect(await error { try await spool.release(three.id, with: hashed) }?.code == .wrongPassword)
    }

    @Test func `a station releases all jobs of its printer with the PIN, and no other job`() async throws {
        let spool = try await files.open()
        try await spool.addPrinter(ConfiguredPrinter(name: "office", deviceURI: "test:office"))
        var jobs: [Job] = []
        for (digits, printer) in [("1234", "laser"), ("1234", "laser"), ("5678", "laser"), ("1234", "office")] {
            jobs.append(try await submit(to: spool, pin(digits), printer: printer))
        }
        #expect(try await spool.releaseJobs(of: "laser", with: pin("1234")) == 2)
        var states: [JobState?] = []
        for job in jobs { states.append(try await spool.job(job.id)?.state) }
        #expect(states == [.pending, .pending, .pendingHeld, .pendingHeld])
        #expect(await error { try await spool.releaseJobs(of: "nosuch", with: pin("1234")) }?.code == .noSuchPrinter)
        for _ in 1...3 {
            #expect(await error { try await spool.releaseJobs(of: "laser", with: pin("1234")) }?.code == .wrongPassword)
        }
        #expect(await error { try await spool.releaseJobs(of: "laser", with: pin("5678")) }?.code == .notPossible)
        #expect(try await spool.releaseJobs(of: "office", with: pin("1234")) == 1)
        files.clock.advance(by: 60)
        #expect(try await spool.releaseJobs(of: "laser", with: pin("5678")) == 1)
    }

    @Test func `a job that nobody releases in time ends with a reason, and its documents are deleted`() async throws {
        let spool = try await files.open()
        let (job, other) = (try await submit(to: spool), try await submit(to: spool, lifetime: 7 * 86_400))
        #expect(try await spool.nextDueTime() == job.createdAt + 86_400)
        files.clock.advance(by: 86_399)
        #expect(try await spool.releaseDueJobs().isEmpty)
        files.clock.advance(by: 1)
        #expect(try await spool.hasDueJobs())
        #expect(try await spool.releaseDueJobs().map(\.id) == [job.id])
        let ended = try #require(try await spool.job(job.id))
        #expect(ended.state == .aborted && ended.reasons == [.abortedBySystem])
        #expect(
            ended.message
                == "Nobody released the job with its PIN within 24 hours, so its documents were deleted; "
                + "submit the job again")
        #expect(try await spool.jobsWithDocuments(among: [job.id, other.id]) == [other.id])
        #expect(try await spool.read { try $0.releasePassword(of: job.id) } == nil)
        #expect(try await spool.job(other.id)?.waitsForPassword == true)
    }

    @Test func `the documents of a printed job are deleted even if the options keep documents`() async throws {
        let spool = try await files.open()
        let job = try await submit(to: spool)
        var ticket = job.ticket
        ticket.keepsDocuments = true
        _ = try await spool.update(job.id, ticket: ticket)
        try await spool.release(job.id, with: pin("48151623"))
        try await spool.complete(job.id)
        #expect(try await !spool.keepsDocuments(of: job.id))
        #expect(try await spool.read { try $0.releasePassword(of: job.id) } == nil)
        #expect(
            await error {
                try await spool.resubmit(job.id, as: Submission(printer: "laser", owner: "ada", name: "again"))
            }?.code == .documentMissing)
    }
}
