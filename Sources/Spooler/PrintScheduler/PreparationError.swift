// Defines the errors of document preparation.

import PrintModel
import PrintSpool

/// The reason why a document could not be prepared for a printer.
enum PreparationError: Error {
    /// A printer that has never reported its capabilities.
    case printer(BackendError)
    /// An error for documents that the spool cannot provide.
    case spool(SpoolError)
    /// An error of the worker, or a document that the worker refused.
    case worker(WorkError)
    /// A printer that accepts no format that `printd` can produce.
    case noCommonFormat(ConfiguredPrinter, accepted: [DocumentFormat])
    /// A job with several pages for a printer that accepts only one image per job.
    case tooManyPages(ConfiguredPrinter, count: Int)

    /// The job state reason for a permanent error in the document; nil for any other error.
    var documentFault: JobStateReason? {
        switch self {
        case .printer, .spool: nil
        case .worker(let error):
            switch error.code {
            case .unsupportedFormat: .unsupportedDocumentFormat
            case .damaged, .noPages: .documentFormatError
            case .passwordRequired: .documentPasswordError
            case .documentTooLarge: .documentUnprintableError
            default: nil
            }
        case .noCommonFormat, .tooManyPages: .unsupportedDocumentFormat
        }
    }

    /// The job state reason for an error that another attempt cannot fix; nil for any other error.
    ///
    /// An exceeded time limit is such an error, because it applies to all attempts together.
    var permanentFault: JobStateReason? {
        if let documentFault { return documentFault }
        guard case .worker(let error) = self else { return nil }
        return [.timeExceeded, .processorTimeExceeded].contains(error.code) ? .abortedBySystem : nil
    }

    var message: String {
        switch self {
        case .printer(let error): return error.message
        case .spool(let error): return error.message
        case .worker(let error): return error.message
        case .noCommonFormat(let printer, let accepted):
            let names = accepted.prefix(8).map(\.rawValue).joined(separator: ", ")
            return "\(printer.name) does not accept PDF, PWG raster, Apple raster or JPEG, only \(names); "
                + "add a CUPS queue with a driver for the printer, or print on another printer"
        case .tooManyPages(let printer, let count):
            return "\(printer.name) accepts only JPEG with one image per job, and this job has \(count) pages; "
                + "print each page as a separate job with --pages"
        }
    }
}
