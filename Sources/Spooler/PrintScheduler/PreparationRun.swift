// Prepares the next job's document while another job prints.

import Logging
import PrintModel
import PrintSpool

/// The preparation of a waiting job's document before the job starts.
///
/// If the preparation fails, the document is prepared again when the job starts. If that preparation fails too, the
/// job's message explains the error. The preparation aborts a job immediately only if the document can never be
/// printed.
struct PreparationRun: Sendable {
    let spool: Spool
    let preparer: Preparer
    let logger: Logger

    /// Prepares the document, or stops when the result is no longer required.
    ///
    /// If the preparation has produced no document, the function removes the files of the preparation.
    func run(_ preparation: Preparation) async {
        let job = preparation.job
        var prepared: Prepared?
        do {
            prepared = try await preparation.stop.stopping { try await prepare(job) }
        } catch {
            logger.debug(
                "a job could not be prepared in advance", metadata: job.logFields.merging(["error": "\(error)"]) { $1 })
        }
        if prepared == nil { await spool.removePrepared(of: job.id) }
        preparation.end(prepared)
    }

    private func prepare(_ job: Job) async throws -> Prepared {
        do {
            let prepared = try await preparer.prepare(job)
            try await spool.change(job, ifStillWaiting: prepared.event)
            return prepared
        } catch let error as PreparationError {
            if let fault = error.documentFault { try await abort(job, fault, error.message) }
            throw error
        }
    }

    private func abort(_ job: Job, _ fault: JobStateReason, _ message: String) async throws(SpoolError) {
        try await spool.change(job, ifStillWaiting: .failed(fault, message: message))
    }
}
