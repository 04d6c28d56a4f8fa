// Keeps a self-signed certificate, so that clients recognize a server they trusted before.

import Glibc

extension TLSIdentity {
    /// The validity of a self-signed certificate in seconds: ten years, as in CUPS.
    ///
    /// The validity is long because clients that trust the old certificate do not trust a replacement.
    static let lifetime = 3650 * 86_400

    /// Returns the certificate in a directory (`certificate.pem` and `key.pem`).
    ///
    /// The method creates a certificate if the directory has no certificate. The method replaces a certificate that has
    /// expired, is invalid or lacks a current name of the machine.
    ///
    /// Only the owner can read the files. Several programs can call this method at the same time and receive the same
    /// certificate.
    ///
    /// - Parameter now: The current time in seconds since 1970; `nil` means the system's time.
    /// - Throws: `notMade` if there is no valid certificate and a new certificate cannot be saved.
    public static func kept(
        in folder: String, for names: CertificateNames, now: Int? = nil
    ) throws(TLSError) -> TLSIdentity {
        let now = now ?? time(nil)
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw .notKept(folder, number: String(cString: strerror(errno))) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .notKept(folder, number: String(cString: strerror(errno))) }
        }
        let files = (certificate: "\(folder)/certificate.pem", key: "\(folder)/key.pem")
        if let kept = try? TLSIdentity(certificateFile: files.certificate, keyFile: files.key),
            kept.isGood(for: names, at: now)
        {
            return kept
        }
        // The certificate is valid from yesterday, for clients whose clocks are slow.
        let made = try selfSigned(for: names, from: now - 86_400, until: now + lifetime)
        try write(made.key, to: files.key)
        try write(made.certificate, to: files.certificate)
        return made
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(TLSError) {
        let new = "\(path).new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .notKept(path, number: String(cString: strerror(errno))) }
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        let number = errno
        close(descriptor)
        guard isWritten, rename(new, path) == 0 else {
            throw .notKept(path, number: String(cString: strerror(isWritten ? errno : number)))
        }
    }
}
