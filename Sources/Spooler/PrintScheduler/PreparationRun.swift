// The next job's document, prepared while another one prints.

import Logging
import PrintModel
import PrintSpool

/// Prepares a waiting job's document ahead of its turn.
///
/// Nothing depends on it: whatever goes wrong, the document is prepared again at the job's turn, and what cannot be cured
/// is said then. Only a document that can never be printed is given up at once.
struct PreparationRun: Sendable {
    let spool: Spool
    let preparer: Preparer
    let logger: Logger

    /// Does the work, or stops it when it is not wanted any more; a file without use is removed before it is over.
    func see(_ preparation: Preparation) async {
        let job = preparation.job
        var made: Prepared?
        do {
            made = try await preparation.stop.stopping { try await prepare(job) }
        } catch {
            logger.debug("a job could not be prepared ahead", metadata: ["job": "\(job.id)", "error": "\(error)"])
        }
        if made == nil { await spool.removePrepared(of: job.id) }
        preparation.end(made)
    }

    private func prepare(_ job: Job) async throws -> Prepared {
        do {
            let prepared = try await preparer.prepare(job, try await preparer.plan(for: job))
            try await spool.change(job, ifStillWaiting: prepared.event)
            return prepared
        } catch JobRun.Failure.final(let reason, let message) where reason.isDocumentsOwn {
            let ended = try await spool.change(job, ifStillWaiting: .failed(reason, message: message))
            if ended != nil {
                logger.info("job ended", metadata: ["job": "\(job.id)", "state": "aborted", "message": "\(message)"])
            }
            throw JobRun.Failure.final(reason, message)
        }
    }
}

extension JobStateReason {
    /// Whether it is a fault of the document, and none of the moment or the means.
    fileprivate var isDocumentsOwn: Bool {
        [.unsupportedDocumentFormat, .documentFormatError, .documentPasswordError].contains(self)
    }
}
