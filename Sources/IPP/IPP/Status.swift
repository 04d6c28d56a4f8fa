// The status codes of IPP responses.

/// The result of a request.
///
/// The number is the `status-code` in the third and fourth bytes of a response (RFC 8010 §3.1.2).
public struct Status: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The registered number of the status.
    public var rawValue: UInt16

    /// Creates a status with any number, registered or not.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Creates a status from a registered keyword such as `server-error-busy`.
    ///
    /// An unregistered keyword becomes `server-error-internal-error`.
    package init(keyword: String) {
        self.init(rawValue: Self.names.first { $0.value == keyword }?.key ?? Self.serverErrorInternalError.rawValue)
    }

    /// Whether the server performed the request, completely or in part (0x0000 to 0x00FF).
    package var isSuccess: Bool { rawValue < 0x0100 }

    /// The registered keyword, such as `client-error-bad-request`, or `0x…` for a number without a keyword.
    public var description: String {
        Self.names[rawValue] ?? "0x" + String(rawValue, radix: 16)
    }
}

// The registered status codes, in the order of their numbers.
extension Status {
    // RFC 8011
    package static let successfulOk = Status(rawValue: 0x0000)
    package static let successfulOkIgnoredOrSubstitutedAttributes = Status(rawValue: 0x0001)

    // RFC 3995
    package static let successfulOkIgnoredSubscriptions = Status(rawValue: 0x0003)
    package static let successfulOkTooManyEvents = Status(rawValue: 0x0005)

    // RFC 3996
    package static let successfulOkEventsComplete = Status(rawValue: 0x0007)

    // RFC 8011
    package static let redirectionOtherSite = Status(rawValue: 0x0200)
    package static let clientErrorBadRequest = Status(rawValue: 0x0400)
    package static let clientErrorForbidden = Status(rawValue: 0x0401)
    package static let clientErrorNotAuthenticated = Status(rawValue: 0x0402)
    package static let clientErrorNotAuthorized = Status(rawValue: 0x0403)
    package static let clientErrorNotPossible = Status(rawValue: 0x0404)
    package static let clientErrorTimeout = Status(rawValue: 0x0405)
    package static let clientErrorNotFound = Status(rawValue: 0x0406)
    package static let clientErrorGone = Status(rawValue: 0x0407)
    package static let clientErrorRequestEntityTooLarge = Status(rawValue: 0x0408)
    package static let clientErrorRequestValueTooLong = Status(rawValue: 0x0409)
    package static let clientErrorDocumentFormatNotSupported = Status(rawValue: 0x040A)
    package static let clientErrorAttributesOrValuesNotSupported = Status(rawValue: 0x040B)
    package static let clientErrorURISchemeNotSupported = Status(rawValue: 0x040C)
    package static let clientErrorCharsetNotSupported = Status(rawValue: 0x040D)
    package static let clientErrorConflictingAttributes = Status(rawValue: 0x040E)
    package static let clientErrorCompressionNotSupported = Status(rawValue: 0x040F)
    package static let clientErrorCompressionError = Status(rawValue: 0x0410)
    package static let clientErrorDocumentFormatError = Status(rawValue: 0x0411)
    package static let clientErrorDocumentAccessError = Status(rawValue: 0x0412)

    // RFC 3380
    package static let clientErrorAttributesNotSettable = Status(rawValue: 0x0413)

    // RFC 3995
    package static let clientErrorIgnoredAllSubscriptions = Status(rawValue: 0x0414)
    package static let clientErrorTooManySubscriptions = Status(rawValue: 0x0415)

    // PWG 5100.13
    package static let clientErrorDocumentPasswordError = Status(rawValue: 0x0418)
    package static let clientErrorDocumentPermissionError = Status(rawValue: 0x0419)
    package static let clientErrorDocumentSecurityError = Status(rawValue: 0x041A)
    package static let clientErrorDocumentUnprintableError = Status(rawValue: 0x041B)

    // PWG 5100.16
    package static let clientErrorAccountLimitReached = Status(rawValue: 0x041E)

    // RFC 8011
    package static let serverErrorInternalError = Status(rawValue: 0x0500)
    package static let serverErrorOperationNotSupported = Status(rawValue: 0x0501)
    package static let serverErrorServiceUnavailable = Status(rawValue: 0x0502)
    package static let serverErrorVersionNotSupported = Status(rawValue: 0x0503)
    package static let serverErrorDeviceError = Status(rawValue: 0x0504)
    package static let serverErrorTemporaryError = Status(rawValue: 0x0505)
    package static let serverErrorNotAcceptingJobs = Status(rawValue: 0x0506)
    package static let serverErrorBusy = Status(rawValue: 0x0507)
    package static let serverErrorJobCanceled = Status(rawValue: 0x0508)

    // RFC 3998
    package static let serverErrorPrinterIsDeactivated = Status(rawValue: 0x050A)

    // PWG 5100.11
    package static let serverErrorTooManyJobs = Status(rawValue: 0x050B)

    // PWG 5100.5
    package static let serverErrorTooManyDocuments = Status(rawValue: 0x050C)
}
