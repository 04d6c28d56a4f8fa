// The error of a request, and its form in the response.

public import IPP

/// The reason why a request is rejected: the status and message of the response (RFC 8011 §4.1.6, appendix B).
public struct IPPFailure: Error, Sendable, CustomStringConvertible {
    /// The status code of the response.
    public var status: Status
    /// The explanation for people: what failed, why, and what to do next (`status-message`).
    public var message: String
    // Both kinds of attributes are in one array. In Swift 6.3, an error of more than four words is corrupted when an
    // async witness throws it with typed throws.
    private var groups: [AttributeGroup]

    /// The unsupported attributes, for the group of unsupported attributes of the response.
    public var unsupported: [Attribute] {
        get { self[.unsupported] }
        set { self[.unsupported] = newValue }
    }

    /// Additional operation attributes of the response.
    public var attributes: [Attribute] {
        get { self[.operation] }
        set { self[.operation] = newValue }
    }

    private subscript(tag: GroupTag) -> [Attribute] {
        get { groups.first { $0.tag == tag }?.attributes ?? [] }
        set { groups = groups.filter { $0.tag != tag } + (newValue.isEmpty ? [] : [AttributeGroup(tag, newValue)]) }
    }

    /// Creates an error for a rejected request.
    public init(_ status: Status, _ message: String, unsupported: [Attribute] = []) {
        self.status = status
        self.message = message
        groups = unsupported.isEmpty ? [] : [AttributeGroup(.unsupported, unsupported)]
    }

    /// The status and the error message.
    public var description: String { "\(status): \(message)" }

    /// Returns an error for an invalid request.
    public static func badRequest(_ message: String) -> IPPFailure { IPPFailure(.clientErrorBadRequest, message) }

    /// Returns an error for an object that does not exist.
    public static func notFound(_ message: String) -> IPPFailure { IPPFailure(.clientErrorNotFound, message) }

    /// Returns an error for an operation that is not possible in the current state.
    public static func notPossible(_ message: String) -> IPPFailure { IPPFailure(.clientErrorNotPossible, message) }

    /// Returns an error for an operation that the requester is not allowed to perform.
    public static func notAuthorized(_ message: String) -> IPPFailure {
        IPPFailure(.clientErrorNotAuthorized, message)
    }
}

extension IPPFailure {
    /// Creates the error of a request whose document was not received or stored completely.
    public init(_ error: DocumentStreamError) {
        let status: Status =
            switch error.code {
            case .badCompression, .excessiveCompression: .clientErrorCompressionError
            case .tooLarge: .clientErrorRequestEntityTooLarge
            case .noSpace, .storage: .serverErrorTemporaryError
            case .timedOut: .clientErrorTimeout
            case .interrupted: .clientErrorBadRequest
            case .alreadyRead: .serverErrorInternalError
            }
        self.init(status, error.message)
    }
}
