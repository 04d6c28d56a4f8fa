// Prepares the next job's document while another job prints.

import Logging
import PrintModel
import PrintSpool

/// The preparation of a waiting job's document ahead of the job's turn.
///
/// The result is optional: after a failure the document is prepared again at the job's turn, and the job's message
/// explains an error then. Only a document that can never be printed aborts its job at once.
struct PreparationRun: Sendable {
    let spool: Spool
    let preparer: Preparer
    let logger: Logger

    /// Prepares the document, or stops when the result is no longer required.
    ///
    /// Files that nobody will use are removed before the preparation ends.
    func run(_ preparation: Preparation) async {
        let job = preparation.job
        var prepared: Prepared?
        do {
            prepared = try await preparation.stop.stopping { try await prepare(job) }
        } catch {
            logger.debug("a job could not be prepared ahead", metadata: ["job": "\(job.id)", "error": "\(error)"])
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
        guard try await spool.change(job, ifStillWaiting: .failed(fault, message: message)) != nil else { return }
        logger.info("job ended", metadata: ["job": "\(job.id)", "state": "aborted", "message": "\(message)"])
    }
}
