// Releases jobs that wait for their PIN.

import IPP
import PrintModel

extension Spooler {
    /// Releases a job with its PIN, also a job of another user.
    ///
    /// - Throws: `SpoolerClientError`: `noPermission` for a wrong PIN; `notDone` if the job does not wait for a PIN.
    public func release(_ id: Int, pin: String) async throws(SpoolerClientError) {
        try await ask(.releaseJob, job: id, attributes: .pin(pin))
    }

    /// Releases all jobs of a printer that wait for a PIN, and returns their number.
    ///
    /// - Throws: `SpoolerClientError`: `noPermission` if no job waits for the PIN, or after too many wrong PINs; `usage` if
    ///   there is no such printer.
    @discardableResult
    public func release(jobsAt printer: String, pin: String) async throws(SpoolerClientError) -> Int {
        let answer = try await ask(.releaseJob, printer: printer, attributes: .pin(pin))
        return answer[.operation]?.integer("printq-job-count").map(Int.init) ?? 0
    }
}
