// The errors of certificates.

/// The reason why there is no usable certificate for TLS.
public struct TLSError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: Sendable, Hashable {
        case noFile
        /// An error for a file without a certificate or without a key, or for a key that does not match the
        /// certificate.
        case badFile
        /// An error for a certificate that could not be created or saved, or for TLS settings that GnuTLS rejects.
        case notMade
    }

    package var code: Code
    /// The explanation for people: what failed, why, and what to do next.
    package var message: String
    package var cause: (any Error)?

    /// The error message for people.
    public var description: String { message }
}

extension TLSError {
    static func noFile(_ path: String, _ what: String, number: String) -> TLSError {
        TLSError(code: .noFile, message: "cannot read the \(what) '\(path)': \(number)")
    }

    static func badCertificate(_ name: String, reason: String) -> TLSError {
        TLSError(
            code: .badFile,
            message: "'\(name)' contains no PEM certificate ('-----BEGIN CERTIFICATE-----'); use another file",
            cause: Reason(reason))
    }

    static func badKey(_ name: String, reason: String) -> TLSError {
        TLSError(
            code: .badFile,
            message: "'\(name)' contains no unencrypted PEM private key; use another file",
            cause: Reason(reason))
    }

    static func mismatch(_ certificate: String, _ key: String, reason: String) -> TLSError {
        TLSError(
            code: .badFile,
            message:
                "the key '\(key)' does not match the certificate '\(certificate)'; use the matching key",
            cause: Reason(reason))
    }

    /// The explanation of GnuTLS.
    private struct Reason: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    static func noTLS(_ reason: String) -> TLSError {
        TLSError(
            code: .notMade,
            message: "GnuTLS rejects the TLS settings of this program: \(reason); check /etc/gnutls/config")
    }

    static func notMade(_ what: String) -> TLSError {
        TLSError(code: .notMade, message: "cannot create a certificate: \(what)")
    }

    static func notKept(_ path: String, number: String) -> TLSError {
        TLSError(
            code: .notMade,
            message:
                "cannot save the certificate as '\(path)': \(number); make the folder writable, or use your own "
                + "certificate"
        )
    }
}
