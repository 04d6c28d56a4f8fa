// Why a request is not met, as its answer says it.

public import IPP

/// Why a request is not met: the status and words of the answer (RFC 8011 §4.1.6, appendix B).
public struct IPPFailure: Error, Sendable, CustomStringConvertible {
    /// The status code.
    public var status: Status
    /// One sentence for people: what failed, on what, what to do next (`status-message`).
    public var message: String
    // One list for both kinds of attributes: an error of more than four words, thrown by its type from an async witness,
    // arrives damaged (Swift 6.3).
    private var groups: [AttributeGroup]

    /// The attributes that are not supported, for the answer's group of that name.
    public var unsupported: [Attribute] {
        get { self[.unsupported] }
        set { self[.unsupported] = newValue }
    }

    /// What else the answer's operation attributes tell.
    public var told: [Attribute] {
        get { self[.operation] }
        set { self[.operation] = newValue }
    }

    private subscript(tag: GroupTag) -> [Attribute] {
        get { groups.first { $0.tag == tag }?.attributes ?? [] }
        set { groups = groups.filter { $0.tag != tag } + (newValue.isEmpty ? [] : [AttributeGroup(tag, newValue)]) }
    }

    /// A failure.
    public init(_ status: Status, _ message: String, unsupported: [Attribute] = []) {
        self.status = status
        self.message = message
        groups = unsupported.isEmpty ? [] : [AttributeGroup(.unsupported, unsupported)]
    }

    /// The status and the message.
    public var description: String { "\(status): \(message)" }

    /// The request itself is wrong.
    public static func badRequest(_ message: String) -> IPPFailure { IPPFailure(.clientErrorBadRequest, message) }

    /// What the request is about does not exist.
    public static func notFound(_ message: String) -> IPPFailure { IPPFailure(.clientErrorNotFound, message) }

    /// The state of things does not allow it.
    public static func notPossible(_ message: String) -> IPPFailure { IPPFailure(.clientErrorNotPossible, message) }

    /// The requester may not do it.
    public static func notAuthorized(_ message: String) -> IPPFailure {
        IPPFailure(.clientErrorNotAuthorized, message)
    }
}

extension IPPFailure {
    /// What a document that did not come whole means to a client.
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
