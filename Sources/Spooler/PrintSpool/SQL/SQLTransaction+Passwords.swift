// Reads and writes the passwords of jobs that wait for their release.

package import PrintModel

extension SQLTransaction {
    package func releasePassword(of jobID: Int) throws -> ReleasePassword? {
        try rows(
            "SELECT job_id, hash, encryption, failures FROM job_passwords WHERE job_id = $1", [jobID],
            Self.releasePassword
        ).first
    }

    package func releasePasswords(at printer: String) throws -> [ReleasePassword] {
        try rows(
            """
            SELECT p.job_id, p.hash, p.encryption, p.failures FROM job_passwords p JOIN jobs j ON j.id = p.job_id
            WHERE j.printer = $1 AND j.state = \(JobState.pendingHeld.rawValue) AND p.failures < $2 ORDER BY p.job_id
            """, [printer, ReleaseAttempts.most], Self.releasePassword)
    }

    private static func releasePassword(_ row: Row) throws -> ReleasePassword {
        ReleasePassword(
            job: try row.int(0),
            // No password matches a form that this version does not support.
            hash: PasswordHash(
                hash: try row.string(1), encryption: JobPassword.Encryption(rawValue: try row.string(2)) ?? .none),
            failures: try row.int(3))
    }

    package func insert(_ password: PasswordHash, of jobID: Int) throws {
        try run(
            "INSERT INTO job_passwords (job_id, hash, encryption) VALUES ($1, $2, $3)",
            [jobID, password.hash, password.encryption.rawValue])
    }

    package func setPasswordFailures(_ failures: Int, of jobID: Int) throws {
        try run("UPDATE job_passwords SET failures = $1 WHERE job_id = $2", [failures, jobID])
    }

    package func releaseAttempts(at printer: String) throws -> ReleaseAttempts {
        try rows("SELECT failures, last_at FROM release_attempts WHERE printer = $1", [printer]) { row in
            ReleaseAttempts(failures: try row.int(0), lastAt: try row.double(1))
        }.first ?? ReleaseAttempts()
    }

    package func store(_ attempts: ReleaseAttempts, at printer: String) throws {
        try run(
            """
            INSERT INTO release_attempts (printer, failures, last_at) VALUES ($1, $2, $3)
            ON CONFLICT (printer) DO UPDATE SET failures = excluded.failures, last_at = excluded.last_at
            """, [printer, attempts.failures, attempts.lastAt])
    }
}
