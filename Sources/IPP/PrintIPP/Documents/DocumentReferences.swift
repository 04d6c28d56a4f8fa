// Documents that a request only names.

import IPP

/// How documents are fetched that a request only names (Print-URI, Send-URI; RFC 8011 §4.2.2, §4.3.2).
public struct DocumentReferences: Sendable {
    /// The schemes of the URIs that are fetched (`reference-uri-schemes-supported`, RFC 8011 §5.4.27).
    public var schemes: [String]
    /// Fetches a document; when it returns, all of it is here.
    public var fetch: @Sendable (String) async throws(DocumentAccessError) -> DocumentStream

    /// A way to fetch documents.
    public init(
        schemes: [String], fetch: @escaping @Sendable (String) async throws(DocumentAccessError) -> DocumentStream
    ) {
        self.schemes = schemes
        self.fetch = fetch
    }

    /// The document of a request.
    ///
    /// - Throws: `client-error-bad-request` without a `document-uri`, `client-error-uri-scheme-not-supported`, or
    ///   `client-error-document-access-error` with `document-access-error` (RFC 8011 §4.1.6.4).
    func document(namedBy attributes: AttributeGroup) async throws(IPPFailure) -> DocumentStream {
        guard let attribute = attributes["document-uri"], case .uri(let uri)? = attribute.first else {
            throw .badRequest("the request names no document-uri")
        }
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        guard schemes.contains(scheme) else {
            throw IPPFailure(
                .clientErrorURISchemeNotSupported,
                "documents are not fetched by '\(scheme)'; use \(schemes.joined(separator: ", "))",
                unsupported: [attribute])
        }
        do throws(DocumentAccessError) {
            return try await fetch(uri)
        } catch {
            var failure = IPPFailure(.clientErrorDocumentAccessError, "'\(uri)' cannot be fetched: \(error.message)")
            failure.told = [Attribute("document-access-error", .text(error.message.prefixOfUTF8(1023)))]
            throw failure
        }
    }
}

/// Why a document that a request only names cannot be had.
public struct DocumentAccessError: Error, Sendable, CustomStringConvertible {
    /// What failed, in words: `404 Not Found`.
    public var message: String
    /// The failure underneath, for whoever debugs.
    public var cause: (any Error)?

    /// A failure.
    public init(_ message: String, cause: (any Error)? = nil) {
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}
