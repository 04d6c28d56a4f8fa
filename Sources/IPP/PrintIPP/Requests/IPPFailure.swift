// The error of a request, and its form in the response.

package import IPP

/// The reason why a request is rejected: the status and message of the response (RFC 8011 §4.1.6, appendix B).
public struct IPPFailure: Error, Sendable, CustomStringConvertible {
    package var status: Status
    /// The explanation for people: what failed, why, and what to do next (`status-message`).
    package var message: String
    // Both kinds of attributes are in one array. In Swift 6.3, an error of more than four words is corrupted when an
    // async witness throws it with typed throws.
    private var groups: [AttributeGroup]

    /// The unsupported attributes, for the group of unsupported attributes of the response.
    package var unsupported: [Attribute] {
        get { self[.unsupported] }
        set { self[.unsupported] = newValue }
    }

    package var attributes: [Attribute] {
        get { self[.operation] }
        set { self[.operation] = newValue }
    }

    private subscript(tag: GroupTag) -> [Attribute] {
        get { groups.first { $0.tag == tag }?.attributes ?? [] }
        set { groups = groups.filter { $0.tag != tag } + (newValue.isEmpty ? [] : [AttributeGroup(tag, newValue)]) }
    }

    package init(_ status: Status, _ message: String, unsupported: [Attribute] = []) {
        self.status = status
        self.message = message
        groups = unsupported.isEmpty ? [] : [AttributeGroup(.unsupported, unsupported)]
    }

    /// The status and the error message.
    public var description: String { "\(status): \(message)" }

    package static func badRequest(_ message: String) -> IPPFailure { IPPFailure(.clientErrorBadRequest, message) }

    package static func notFound(_ message: String) -> IPPFailure { IPPFailure(.clientErrorNotFound, message) }

    package static func notPossible(_ message: String) -> IPPFailure { IPPFailure(.clientErrorNotPossible, message) }

    /// Returns an error for an operation that the requester is not allowed to perform.
    package static func notAuthorized(_ message: String) -> IPPFailure {
        IPPFailure(.clientErrorNotAuthorized, message)
    }

    /// Returns an error for a client on the network that must prove its identity.
    package static func notAuthenticated(_ message: String) -> IPPFailure {
        IPPFailure(.clientErrorNotAuthenticated, message)
    }
}

/// An error of a service, with the status of the response to the failed request.
///
/// Only `PrinterOperations` converts the errors of services to responses.
package protocol ServiceError: Error {
    var status: Status { get }
    /// The explanation for people (`status-message`).
    var message: String { get }
}

extension IPPFailure {
    package init(_ error: any Error) {
        switch error {
        case let failure as IPPFailure: self = failure
        case let error as any ServiceError: self.init(error.status, error.message)
        default: self.init(.serverErrorInternalError, "\(error)")
        }
    }
}

extension DocumentStreamError: ServiceError {
    package var status: Status {
        switch code {
        case .badCompression, .excessiveCompression: .clientErrorCompressionError
        case .tooLarge: .clientErrorRequestEntityTooLarge
        case .noSpace, .storage: .serverErrorTemporaryError
        case .timedOut: .clientErrorTimeout
        case .interrupted: .clientErrorBadRequest
        case .alreadyRead: .serverErrorInternalError
        }
    }
}
