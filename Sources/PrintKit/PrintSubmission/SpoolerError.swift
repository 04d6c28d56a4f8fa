// The reason why the spooler refused a request.

import IPP
import PrintKit
import SpoolerClient

/// The response with which the spooler refused a request: the `cause` of a `PrintError`.
///
///     catch let error as PrintError {
///         if let refusal = error.cause as? SpoolerError, refusal.keyword == "server-error-too-many-jobs" { … }
///     }
public struct SpoolerError: Error, Hashable, CustomStringConvertible {
    /// The IPP status (RFC 8011 §B.1), such as 0x040B.
    public var status: Int
    /// The keyword of the status, such as `client-error-attributes-or-values-not-supported`.
    public var keyword: String
    /// The spooler's explanation, for people (IPP `detailed-status-message`).
    public var message: String
    /// The names of the attributes that the spooler does not support; empty for other reasons.
    public var unsupportedAttributes: [String]

    /// The keyword of the status.
    public var description: String { keyword }

    init?(_ error: SpoolerClientError) {
        guard let refusal = error.refusal else { return nil }
        (status, keyword) = (Int(refusal.status.rawValue), "\(refusal.status)")
        message = error.message
        unsupportedAttributes = refusal[.unsupported]?.attributes.map(\.name) ?? []
    }
}

extension PrintError {
    init(_ error: SpoolerClientError) {
        self.init(
            error.code == .unavailable ? .printingNotAvailable : .jobFailed, error.message,
            cause: SpoolerError(error) ?? error.cause)
    }
}
