// What keeps a server from speaking TLS.

/// Why there is no certificate to speak TLS with.
public struct TLSError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it was.
    public enum Code: Sendable, Hashable {
        /// A file is not there, or cannot be read.
        case noFile
        /// A file holds no certificate or no key, or the two do not belong together.
        case badFile
        /// A certificate could not be made or kept.
        case notMade
    }

    /// What kind of failure it was.
    public var code: Code
    /// What failed, on what, and what to do next, for people.
    public var message: String
    /// The failure underneath, for whoever debugs.
    public var cause: (any Error)?

    /// The message.
    public var description: String { message }
}

extension TLSError {
    static func noFile(_ path: String, _ what: String, number: String) -> TLSError {
        TLSError(code: .noFile, message: "the \(what) '\(path)' cannot be read: \(number)")
    }

    static func badCertificate(_ name: String, cause: any Error) -> TLSError {
        TLSError(
            code: .badFile,
            message: "'\(name)' holds no certificate in PEM form ('-----BEGIN CERTIFICATE-----'); give another file",
            cause: cause)
    }

    static func badKey(_ name: String, cause: any Error) -> TLSError {
        TLSError(
            code: .badFile,
            message: "'\(name)' holds no private key in PEM form without a passphrase; give another file",
            cause: cause)
    }

    static func mismatch(_ certificate: String, _ key: String, cause: any Error) -> TLSError {
        TLSError(
            code: .badFile,
            message:
                "the key '\(key)' does not belong to the certificate '\(certificate)'; give the one it was made with",
            cause: cause)
    }

    static func notMade(_ what: String) -> TLSError {
        TLSError(code: .notMade, message: "no certificate can be made: \(what)")
    }

    static func notKept(_ path: String, number: String) -> TLSError {
        TLSError(
            code: .notMade,
            message: "the certificate cannot be kept as '\(path)': \(number); mend that, or bring one of your own")
    }
}
