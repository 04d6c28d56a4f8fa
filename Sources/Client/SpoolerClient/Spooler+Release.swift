// Releases jobs that wait for their PIN.

import IPP
import PrintModel

extension Spooler {
    /// Releases a job with its PIN.
    package func release(_ id: Int, pin: String) async throws(SpoolerClientError) {
        try await ask(.releaseJob, job: id, attributes: .pin(pin))
    }

    /// Releases all jobs of a printer that wait for a PIN, and returns their number.
    package func release(jobsAt printer: String, pin: String) async throws(SpoolerClientError) -> Int {
        let answer = try await ask(.releaseJob, printer: printer, attributes: .pin(pin))
        return answer[.operation]?.integer("printq-job-count").map(Int.init) ?? 0
    }
}
