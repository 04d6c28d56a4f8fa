// The errors of requests to the Print Center, as problem details (RFC 9457).

package import HTTPTypes
import IPP
import IPPServer
package import SpoolerClient

/// An HTTP error: the reason why a request is refused.
package struct Problem: Error, Sendable, CustomStringConvertible {
    /// An invalid field of the request.
    package struct Field: Sendable, Hashable {
        /// The name of the JSON member, print option or attribute.
        package var name: String
        package var detail: String

        /// Creates the description of an invalid field.
        package init(_ name: String, _ detail: String) { (self.name, self.detail) = (name, detail) }
    }

    package var status: HTTPResponse.Status
    /// A sentence that explains what failed and what the user can do.
    package var detail: String
    /// The keyword of the IPP status if the server refused an IPP request, such as
    /// `client-error-document-password-error`; otherwise nil.
    package var code: String?
    /// The invalid fields of the request; empty if the error has another cause.
    package var fields: [Field]
    /// Additional header fields of the response.
    package var headers: HTTPFields

    package init(
        _ status: HTTPResponse.Status, _ detail: String, fields: [Field] = [], headers: HTTPFields = [:]
    ) {
        (self.status, self.detail, self.fields, self.headers) = (status, detail, fields, headers)
    }

    /// The error as text for logs, with the same content as `detail`.
    package var description: String { detail }

    /// The response with the error as `application/problem+json`.
    var answer: WebAnswer {
        var members: [(name: String, value: JSONText)] = [
            ("type", .string("about:blank")), ("title", .string(status.reasonPhrase)),
            ("status", .number(status.code)), ("detail", .string(detail)),
        ]
        if let code { members.append(("code", .string(code))) }
        if !fields.isEmpty {
            let errors = fields.map { JSONText.object([("field", .string($0.name)), ("detail", .string($0.detail))]) }
            members.append(("errors", .array(errors)))
        }
        var answer = WebAnswer.json(.object(members), status: status)
        answer.headers[.contentType] = "application/problem+json"
        for field in headers { answer.headers[field.name] = field.value }
        return answer
    }
}

extension Problem {
    /// Returns the error for an object or a path that does not exist.
    package static func notFound(_ detail: String) -> Problem { Problem(.notFound, detail) }

    package static func malformed(_ detail: String) -> Problem { Problem(.badRequest, detail) }

    /// Returns the error for an invalid field of the request.
    package static func wrong(_ field: String, _ detail: String) -> Problem {
        Problem(.unprocessableContent, detail, fields: [Field(field, detail)])
    }

    /// Returns the error for a request body that is too large.
    package static func tooLarge(limit: Int) -> Problem {
        Problem(.contentTooLarge, "the body of the request must not be larger than \(limit) bytes")
    }

    /// Returns the error for a request that a page of another origin sent.
    static func crossSite(_ detail: String) -> Problem { Problem(.forbidden, detail) }

    /// The error for a request that has no session.
    static let noSession = Problem(
        .unauthorized, "you are signed out; run 'printq center' on the print server",
        headers: [.wwwAuthenticate: "Printq-Session"])

    /// The error for a request of a client on the network that has no session.
    static let noLogin = Problem(
        .unauthorized, "you are signed out; sign in at '\(Route.loginPath)'",
        headers: [.wwwAuthenticate: "Printq-Session"])

    /// The time in seconds after which a client can repeat a request that a busy server refused.
    private static let retrySeconds = 2

    /// Returns the error for a server that is busy.
    package static func busy(_ detail: String) -> Problem {
        Problem(.serviceUnavailable, detail, headers: [.retryAfter: "\(retrySeconds)"])
    }

    /// Creates the HTTP error for an error of the IPP client.
    ///
    /// If the server refused the IPP request, the IPP status determines the HTTP status.
    package init(_ error: SpoolerClientError) {
        let status = error.refusal.map { HTTPResponse.Status($0.status) } ?? HTTPResponse.Status(error.code)
        self.init(status, error.message)
        code = error.refusal?.status.description
        if status == .serviceUnavailable { headers[.retryAfter] = "\(Self.retrySeconds)" }
        guard status == .unprocessableContent, let refusal = error.refusal else { return }
        let names = refusal.groups(.unsupported).flatMap(\.attributes).map(\.name)
        fields = names.filter { $0 != "requested-attributes" }.map { Field($0, error.message) }
    }
}

extension HTTPResponse.Status {
    /// Creates the HTTP status that corresponds to an IPP status.
    init(_ status: Status) {
        self =
            switch status {
            case .clientErrorNotFound, .clientErrorGone: .notFound
            case .clientErrorNotAuthorized, .clientErrorForbidden, .clientErrorNotAuthenticated: .forbidden
            case .clientErrorNotPossible: .conflict
            case .clientErrorAccountLimitReached: .tooManyRequests
            case .clientErrorAttributesOrValuesNotSupported, .clientErrorConflictingAttributes,
                .clientErrorRequestValueTooLong:
                .unprocessableContent
            case .clientErrorDocumentFormatNotSupported, .clientErrorCompressionNotSupported: .unsupportedMediaType
            case .clientErrorDocumentFormatError, .clientErrorCompressionError, .clientErrorDocumentPasswordError,
                .clientErrorDocumentPermissionError, .clientErrorDocumentSecurityError,
                .clientErrorDocumentUnprintableError:
                .unprocessableContent
            case .clientErrorRequestEntityTooLarge: .contentTooLarge
            case .clientErrorTooManySubscriptions: .tooManyRequests
            case .clientErrorTimeout, .serverErrorTemporaryError, .serverErrorBusy, .serverErrorNotAcceptingJobs,
                .serverErrorServiceUnavailable, .serverErrorTooManyJobs, .serverErrorTooManyDocuments,
                .serverErrorPrinterIsDeactivated:
                .serviceUnavailable
            case .serverErrorOperationNotSupported: .notImplemented
            default: status.rawValue & 0xFF00 == 0x0400 ? .badRequest : .internalServerError
            }
    }

    /// Creates the HTTP status for an error code of the IPP client.
    ///
    /// For a request that the server refused, use the initializer with the IPP status.
    init(_ code: SpoolerClientError.Code) {
        self =
            switch code {
            case .notDone: .conflict
            case .usage: .badRequest
            case .badDocument, .noInput: .unprocessableContent
            case .unavailable, .temporary: .serviceUnavailable
            case .noPermission: .forbidden
            case .software, .output, .badAnswer, .configuration: .internalServerError
            }
    }
}
