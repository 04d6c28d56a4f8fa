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
    public init(keyword: String) {
        self.init(rawValue: Self.names.first { $0.value == keyword }?.key ?? Self.serverErrorInternalError.rawValue)
    }

    /// Whether the server performed the request, completely or in part (0x0000 to 0x00FF).
    public var isSuccess: Bool { rawValue < 0x0100 }

    /// The registered keyword, such as `client-error-bad-request`, or `0x…` for a number without a keyword.
    public var description: String {
        Self.names[rawValue] ?? "0x" + String(rawValue, radix: 16)
    }
}

// The registered status codes, in the order of their numbers.
extension Status {
    /// `successful-ok` (RFC 8011).
    public static let successfulOk = Status(rawValue: 0x0000)
    /// `successful-ok-ignored-or-substituted-attributes` (RFC 8011).
    public static let successfulOkIgnoredOrSubstitutedAttributes = Status(rawValue: 0x0001)
    /// `successful-ok-conflicting-attributes` (RFC 8011).
    public static let successfulOkConflictingAttributes = Status(rawValue: 0x0002)
    /// `successful-ok-ignored-subscriptions` (RFC 3995).
    public static let successfulOkIgnoredSubscriptions = Status(rawValue: 0x0003)
    /// `successful-ok-too-many-events` (RFC 3995).
    public static let successfulOkTooManyEvents = Status(rawValue: 0x0005)
    /// `successful-ok-events-complete` (RFC 3996).
    public static let successfulOkEventsComplete = Status(rawValue: 0x0007)
    /// `redirection-other-site` (RFC 8011).
    public static let redirectionOtherSite = Status(rawValue: 0x0200)
    /// `cups-see-other` (CUPS).
    public static let cupsSeeOther = Status(rawValue: 0x0280)
    /// `client-error-bad-request` (RFC 8011).
    public static let clientErrorBadRequest = Status(rawValue: 0x0400)
    /// `client-error-forbidden` (RFC 8011).
    public static let clientErrorForbidden = Status(rawValue: 0x0401)
    /// `client-error-not-authenticated` (RFC 8011).
    public static let clientErrorNotAuthenticated = Status(rawValue: 0x0402)
    /// `client-error-not-authorized` (RFC 8011).
    public static let clientErrorNotAuthorized = Status(rawValue: 0x0403)
    /// `client-error-not-possible` (RFC 8011).
    public static let clientErrorNotPossible = Status(rawValue: 0x0404)
    /// `client-error-timeout` (RFC 8011).
    public static let clientErrorTimeout = Status(rawValue: 0x0405)
    /// `client-error-not-found` (RFC 8011).
    public static let clientErrorNotFound = Status(rawValue: 0x0406)
    /// `client-error-gone` (RFC 8011).
    public static let clientErrorGone = Status(rawValue: 0x0407)
    /// `client-error-request-entity-too-large` (RFC 8011).
    public static let clientErrorRequestEntityTooLarge = Status(rawValue: 0x0408)
    /// `client-error-request-value-too-long` (RFC 8011).
    public static let clientErrorRequestValueTooLong = Status(rawValue: 0x0409)
    /// `client-error-document-format-not-supported` (RFC 8011).
    public static let clientErrorDocumentFormatNotSupported = Status(rawValue: 0x040A)
    /// `client-error-attributes-or-values-not-supported` (RFC 8011).
    public static let clientErrorAttributesOrValuesNotSupported = Status(rawValue: 0x040B)
    /// `client-error-uri-scheme-not-supported` (RFC 8011).
    public static let clientErrorURISchemeNotSupported = Status(rawValue: 0x040C)
    /// `client-error-charset-not-supported` (RFC 8011).
    public static let clientErrorCharsetNotSupported = Status(rawValue: 0x040D)
    /// `client-error-conflicting-attributes` (RFC 8011).
    public static let clientErrorConflictingAttributes = Status(rawValue: 0x040E)
    /// `client-error-compression-not-supported` (RFC 8011).
    public static let clientErrorCompressionNotSupported = Status(rawValue: 0x040F)
    /// `client-error-compression-error` (RFC 8011).
    public static let clientErrorCompressionError = Status(rawValue: 0x0410)
    /// `client-error-document-format-error` (RFC 8011).
    public static let clientErrorDocumentFormatError = Status(rawValue: 0x0411)
    /// `client-error-document-access-error` (RFC 8011).
    public static let clientErrorDocumentAccessError = Status(rawValue: 0x0412)
    /// `client-error-attributes-not-settable` (RFC 3380).
    public static let clientErrorAttributesNotSettable = Status(rawValue: 0x0413)
    /// `client-error-ignored-all-subscriptions` (RFC 3995).
    public static let clientErrorIgnoredAllSubscriptions = Status(rawValue: 0x0414)
    /// `client-error-too-many-subscriptions` (RFC 3995).
    public static let clientErrorTooManySubscriptions = Status(rawValue: 0x0415)
    /// `client-error-document-password-error` (PWG 5100.13).
    public static let clientErrorDocumentPasswordError = Status(rawValue: 0x0418)
    /// `client-error-document-permission-error` (PWG 5100.13).
    public static let clientErrorDocumentPermissionError = Status(rawValue: 0x0419)
    /// `client-error-document-security-error` (PWG 5100.13).
    public static let clientErrorDocumentSecurityError = Status(rawValue: 0x041A)
    /// `client-error-document-unprintable-error` (PWG 5100.13).
    public static let clientErrorDocumentUnprintableError = Status(rawValue: 0x041B)
    /// `client-error-account-info-needed` (PWG 5100.16).
    public static let clientErrorAccountInfoNeeded = Status(rawValue: 0x041C)
    /// `client-error-account-closed` (PWG 5100.16).
    public static let clientErrorAccountClosed = Status(rawValue: 0x041D)
    /// `client-error-account-limit-reached` (PWG 5100.16).
    public static let clientErrorAccountLimitReached = Status(rawValue: 0x041E)
    /// `client-error-account-authorization-failed` (PWG 5100.16).
    public static let clientErrorAccountAuthorizationFailed = Status(rawValue: 0x041F)
    /// `client-error-not-fetchable` (PWG 5100.18).
    public static let clientErrorNotFetchable = Status(rawValue: 0x0420)
    /// `cups-error-account-info-needed` (CUPS).
    public static let cupsErrorAccountInfoNeeded = Status(rawValue: 0x049C)
    /// `cups-error-account-closed` (CUPS).
    public static let cupsErrorAccountClosed = Status(rawValue: 0x049D)
    /// `cups-error-account-limit-reached` (CUPS).
    public static let cupsErrorAccountLimitReached = Status(rawValue: 0x049E)
    /// `cups-error-account-authorization-failed` (CUPS).
    public static let cupsErrorAccountAuthorizationFailed = Status(rawValue: 0x049F)
    /// `server-error-internal-error` (RFC 8011).
    public static let serverErrorInternalError = Status(rawValue: 0x0500)
    /// `server-error-operation-not-supported` (RFC 8011).
    public static let serverErrorOperationNotSupported = Status(rawValue: 0x0501)
    /// `server-error-service-unavailable` (RFC 8011).
    public static let serverErrorServiceUnavailable = Status(rawValue: 0x0502)
    /// `server-error-version-not-supported` (RFC 8011).
    public static let serverErrorVersionNotSupported = Status(rawValue: 0x0503)
    /// `server-error-device-error` (RFC 8011).
    public static let serverErrorDeviceError = Status(rawValue: 0x0504)
    /// `server-error-temporary-error` (RFC 8011).
    public static let serverErrorTemporaryError = Status(rawValue: 0x0505)
    /// `server-error-not-accepting-jobs` (RFC 8011).
    public static let serverErrorNotAcceptingJobs = Status(rawValue: 0x0506)
    /// `server-error-busy` (RFC 8011).
    public static let serverErrorBusy = Status(rawValue: 0x0507)
    /// `server-error-job-canceled` (RFC 8011).
    public static let serverErrorJobCanceled = Status(rawValue: 0x0508)
    /// `server-error-multiple-document-jobs-not-supported` (RFC 8011).
    public static let serverErrorMultipleDocumentJobsNotSupported = Status(rawValue: 0x0509)
    /// `server-error-printer-is-deactivated` (RFC 3998).
    public static let serverErrorPrinterIsDeactivated = Status(rawValue: 0x050A)
    /// `server-error-too-many-jobs` (PWG 5100.11).
    public static let serverErrorTooManyJobs = Status(rawValue: 0x050B)
    /// `server-error-too-many-documents` (PWG 5100.5).
    public static let serverErrorTooManyDocuments = Status(rawValue: 0x050C)
    /// `cups-authentication-canceled` (CUPS).
    public static let cupsAuthenticationCanceled = Status(rawValue: 0x1000)
    /// `cups-pki-error` (CUPS).
    public static let cupsPKIError = Status(rawValue: 0x1001)
    /// `cups-upgrade-required` (CUPS).
    public static let cupsUpgradeRequired = Status(rawValue: 0x1002)
}
