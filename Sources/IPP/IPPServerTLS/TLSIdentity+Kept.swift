// The certificate that a server made, kept for the next time: clients remember whom they trusted.

import Glibc

extension TLSIdentity {
    /// How long a certificate of our own is good: ten years, as those that CUPS makes, since a new one is a stranger to
    /// every client that trusted the old.
    static let lifetime = 3650 * 86_400

    /// The certificate kept in a folder as `certificate.pem` and `key.pem`; made at the first start, and anew when it has
    /// expired, is broken, or does not name the machine as it is called now.
    ///
    /// Only their owner may read the files. Several programs may do this at once; they get the same.
    ///
    /// - Parameter now: seconds since 1970; nil for this moment.
    /// - Throws: `notMade` when there is none that is good and none can be kept.
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
        // Good since yesterday, for clients whose clocks are late.
        let made = try selfMade(for: names, from: now - 86_400, until: now + lifetime)
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
