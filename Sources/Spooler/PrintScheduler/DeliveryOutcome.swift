// The result of a job's delivery.

import PrintModel
import PrintSpool

/// The result of a job's delivery, which `JobRun` stores in the job's record.
enum DeliveryOutcome: Sendable {
    /// A result that the job's record already contains.
    ///
    /// The job has ended or continues later.
    case recorded
    /// A job that can never be printed.
    case failed(JobStateReason, String)
    /// A failed delivery attempt, after which a later attempt may succeed.
    ///
    /// Nothing was printed. If the prepared document is given, a later attempt can use this document. If the printer
    /// could not be reached, the job waits until the printer responds.
    case retryLater(String, prepared: Prepared? = nil, isUnreachable: Bool = false)
    /// A problem that a person must fix before the job continues.
    ///
    /// Nothing was printed. If the prepared document is given, a later attempt can use this document.
    case awaitsPerson(String, prepared: Prepared? = nil)
    /// A job that was not printed and has no error.
    ///
    /// The job returns to its position in the queue. If a user has requested the cancellation of the job, the job is
    /// canceled.
    case notPrinted
    /// A job whose document is still being prepared, while jobs of other owners overtake the job.
    case overtaken(Preparation)
    /// A job that may have been printed.
    ///
    /// A person must look at the printed sheets.
    case doubtful(String)
    /// A job that was found at the new address of its printer.
    case moved(ConfiguredPrinter, RemoteJob)
}

extension DeliveryOutcome {
    /// Creates the outcome after a failed request to the printer, if nothing was printed.
    ///
    /// - Parameter prepared: The document that the next delivery attempt can use.
    init(_ error: BackendError, prepared: Prepared? = nil) {
        self =
            switch error.code {
            case .refused: .failed(.abortedBySystem, error.message)
            case .authenticationRequired, .untrusted: .awaitsPerson(error.message, prepared: prepared)
            default:
                .retryLater(error.message, prepared: prepared, isUnreachable: error.code == .unreachable)
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
