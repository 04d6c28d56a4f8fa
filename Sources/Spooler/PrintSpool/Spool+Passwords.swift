// Releases jobs with their passwords.

import AsyncPrimitives
package import PrintModel

/// The password of a job that waits for its release, as stored.
package struct ReleasePassword: Hashable, Sendable {
    package var job: Int
    package var hash: PasswordHash
    /// The number of wrong passwords since the last release by the owner.
    package var failures: Int
}

extension Spool {
    /// Releases a job with its password.
    ///
    /// The third wrong password locks the job for its owner. The count is stored, so that all hosts of a queue agree
    /// after a restart.
    ///
    /// - Throws: `noSuchJob`, `wrongPassword`, or `notPossible` if the job does not wait for a password.
    package func release(_ id: Int, with password: JobPassword) async throws(SpoolError) {
        try await passwordChecks.admit()
        defer { passwordChecks.leave() }
        let (job, stored) = try await read { snapshot in
            (try snapshot.existingJob(id), try snapshot.releasePassword(of: id))
        }
        try Self.refuse(unlessWaiting: job, stored)
        let isRight = await BlockingThreads.shared.run { stored?.hash.matches(password) ?? false }
        let failures = try await write { [self] transaction in
            let job = try transaction.existingJob(id)
            // Another host may have counted a wrong password in the meantime.
            let current = try transaction.releasePassword(of: id)
            try Self.refuse(unlessWaiting: job, current)
            if isRight, current?.hash == stored?.hash {
                try apply(.releaseRequested, to: job, in: transaction)
                return 0
            }
            let failures = (current?.failures ?? 0) + 1
            try transaction.setPasswordFailures(failures, of: id)
            try appendEvent(
                "job-config-changed", of: job, message: "A wrong PIN was entered (\(failures))", in: transaction)
            if failures >= ReleaseAttempts.most { try apply(.passwordLocked, to: job, in: transaction) }
            return failures
        }
        if failures > 0 { throw .wrongPassword(ofJob: id, left: ReleaseAttempts.most - failures) }
    }

    /// Releases all jobs of a printer that wait for a password.
    ///
    /// - Returns: The number of released jobs, which is not 0.
    /// - Throws: `noSuchPrinter`, `noSuchJob` if no job waits for the password, or `notPossible` after too many wrong
    ///   passwords.
    package func releaseJobs(of printer: String, with password: JobPassword) async throws(SpoolError) -> Int {
        try await passwordChecks.admit()
        defer { passwordChecks.leave() }
        let now = clock()
        let (attempts, waiting) = try await read { snapshot in
            guard try snapshot.printer(named: printer) != nil else { throw SpoolError.noSuchPrinter(printer) }
            return (try snapshot.releaseAttempts(at: printer), try snapshot.releasePasswords(at: printer))
        }
        if let wait = attempts.wait(at: now) { throw .tooManyWrongPasswords(at: printer, wait: wait) }
        let matching = await BlockingThreads.shared.run { waiting.filter { $0.hash.matches(password) }.map(\.job) }
        let count = try await write { [self] transaction in
            var count = 0
            for id in matching {
                guard let job = try transaction.job(id), job.waitsForPassword, job.printer == printer else { continue }
                try apply(.releaseRequested, to: job, in: transaction)
                count += 1
            }
            guard count == 0 else { return count }
            var attempts = try transaction.releaseAttempts(at: printer)
            attempts.noteFailure(at: now)
            try transaction.store(attempts, at: printer)
            return 0
        }
        guard count > 0 else { throw .noJobWithPassword(at: printer) }
        return count
    }

    private static func refuse(unlessWaiting job: Job, _ password: ReleasePassword?) throws(SpoolError) {
        if job.isLockedForOwner { throw .lockedForOwner(job.id) }
        guard job.waitsForPassword else {
            throw .notPossible("job \(job.id) is \(job.state) and does not wait for a PIN")
        }
        // A backup contains no passwords.
        guard password != nil else {
            throw .notPossible(
                "the PIN of job \(job.id) is not stored any more; its owner can release the job with "
                    + "'printq release \(job.id)'")
        }
    }
}

/// The checks of passwords in this process, one at a time, so that guesses cannot occupy all processors.
struct PasswordChecks: Sendable {
    private let semaphore = AsyncSemaphore(places: 1, waiting: 100)

    func admit() async throws(SpoolError) {
        do {
            try await semaphore.enter()
        } catch {
            throw SpoolError(code: .unavailable, message: "too many PINs are being checked; try again later")
        }
    }

    func leave() { semaphore.leave() }
}
