// The result of a job's delivery.

import PrintModel
import PrintSpool

/// The result of a job's delivery, which `JobRun` stores in the job's record.
enum DeliveryOutcome: Sendable {
    /// The job's record is up to date: the job has ended, or continues later.
    case recorded
    /// The job can never be printed.
    case failed(JobStateReason, String)
    /// A later attempt may succeed. Nothing was printed. The prepared document, if given, can be used again.
    case retryLater(String, prepared: Prepared? = nil)
    /// The job continues after a person has fixed a problem. Nothing was printed. The prepared document, if given, can
    /// be used again.
    case awaitsPerson(String, prepared: Prepared? = nil)
    /// Nothing was printed, and nothing is wrong with the job. The job returns to its position in the queue. If its
    /// cancellation was requested, the job is canceled.
    case notPrinted
    /// Only a person can find out whether the job was printed.
    case doubtful(String)
    /// The printer has a new address, and the job was found at the new address.
    case moved(ConfiguredPrinter, RemoteJob)
}

extension DeliveryOutcome {
    /// Creates the outcome for a request that the printer rejected or did not receive, if nothing was printed.
    ///
    /// - Parameter prepared: The document that the next attempt can use.
    init(_ error: BackendError, prepared: Prepared? = nil) {
        self =
            switch error.code {
            case .refused: .failed(.abortedBySystem, error.message)
            case .authenticationRequired, .untrusted: .awaitsPerson(error.message, prepared: prepared)
            default: .retryLater(error.message, prepared: prepared)
            }
    }

    /// Creates the outcome for documents that the spool cannot provide.
    init(_ error: SpoolError) {
        self = error.mayPass ? .retryLater(error.message) : .failed(.abortedBySystem, error.message)
    }

    /// Creates the outcome for a document that could not be prepared.
    init(_ error: PreparationError) {
        self =
            switch error {
            case .printer(let error): DeliveryOutcome(error)
            case .spool(let error): DeliveryOutcome(error)
            case .worker(let error) where error.code == .sandboxIncomplete: .awaitsPerson(error.message)
            case .worker(let error) where [.workerUnavailable, .writeFailed, .canceled].contains(error.code):
                .retryLater(error.message)
            case .worker, .noCommonFormat, .tooManyPages:
                .failed(error.documentFault ?? .abortedBySystem, error.message)
            }
    }
}
