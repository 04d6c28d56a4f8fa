// Documents that a request references by URI.

import IPP

/// Access to documents that a request references by URI (Print-URI, Send-URI; RFC 8011 §4.2.2, §4.3.2).
public struct DocumentReferences: Sendable {
    /// The supported URI schemes (`reference-uri-schemes-supported`, RFC 8011 §5.4.27).
    package var schemes: [String]
    /// The function returns when the document is complete.
    package var fetch: @Sendable (String) async throws(DocumentAccessError) -> DocumentStream

    package init(
        schemes: [String], fetch: @escaping @Sendable (String) async throws(DocumentAccessError) -> DocumentStream
    ) {
        self.schemes = schemes
        self.fetch = fetch
    }

    /// Returns the document whose URI is in a request.
    ///
    /// - Throws: `IPPFailure` with the status `client-error-bad-request` if `document-uri` is missing,
    ///   `client-error-uri-scheme-not-supported` if the scheme is not supported, or
    ///   `client-error-document-access-error` if the document cannot be fetched (RFC 8011 §4.1.6.4).
    func document(namedBy attributes: AttributeGroup) async throws(IPPFailure) -> DocumentStream {
        guard let attribute = attributes["document-uri"], case .uri(let uri)? = attribute.first else {
            throw .badRequest("the request has no document-uri")
        }
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        guard schemes.contains(scheme) else {
            throw IPPFailure(
                .clientErrorURISchemeNotSupported,
                "the URI scheme '\(scheme)' is not supported; use \(schemes.joined(separator: ", "))",
                unsupported: [attribute])
        }
        do throws(DocumentAccessError) {
            return try await fetch(uri)
        } catch {
            var failure = IPPFailure(.clientErrorDocumentAccessError, "cannot fetch '\(uri)': \(error.message)")
            failure.attributes = [Attribute("document-access-error", .text(error.message.prefixOfUTF8(1023)))]
            throw failure
        }
    }
}

/// The reason why a referenced document cannot be fetched.
public struct DocumentAccessError: Error, Sendable, CustomStringConvertible {
    /// The explanation for people, such as `404 Not Found`.
    package var message: String
    package var cause: (any Error)?

    package init(_ message: String, cause: (any Error)? = nil) {
        self.message = message
        self.cause = cause
    }

    /// The error message for people.
    public var description: String { message }
}
