// Keeps a self-signed certificate, so that clients recognize a server they trusted before.

import Dispatch
import Glibc
import SafeFiles
import Synchronization

/// The self-signed certificate of a server in a directory, which is renewed before it expires.
///
///     let certificate = try RenewedIdentity(in: folder, for: .thisMachine)
///     configuration.channelSetup = OptionalTLS(identity: { certificate.current }).stand
///
/// Connections keep the certificate with which they began, so a renewal closes no connection.
public final class RenewedIdentity: Sendable {
    private struct State {
        let identity: TLSIdentity
        /// The end of the certificate's validity, in seconds since 1970.
        let expiration: Int
        /// The time of the next renewal, in seconds since 1970.
        var renewal: Int

        init(_ identity: TLSIdentity) {
            self.identity = identity
            expiration = identity.expiration
            renewal = expiration - TLSIdentity.renewal
        }
    }

    private let folder: String
    private let names: CertificateNames
    private let clock: @Sendable () -> Int
    private let onFailure: @Sendable (TLSError) -> Void
    private let state: Mutex<State>

    /// The time until a failed renewal is repeated, in seconds.
    private static let pause = 3600

    /// Reads or creates the certificate, as ``TLSIdentity/kept(in:for:now:)`` does.
    ///
    /// - Parameters:
    ///   - clock: A function that returns the current time in seconds since 1970; `nil` means the system's time.
    ///   - onFailure: A function that receives the error of a failed renewal. The renewal is repeated after one hour.
    package init(
        in folder: String, for names: CertificateNames, clock: (@Sendable () -> Int)? = nil,
        onFailure: @escaping @Sendable (TLSError) -> Void = { _ in }
    ) throws(TLSError) {
        let clock = clock ?? { time(nil) }
        (self.folder, self.names, self.clock, self.onFailure) = (folder, names, clock, onFailure)
        state = Mutex(State(try TLSIdentity.stored(in: folder, for: names, now: clock())))
    }

    /// The certificate for the next connection.
    ///
    /// If the certificate must be renewed, another thread renews it, because a renewal waits for the disk. The property
    /// returns the old certificate until then, which is still valid for ``TLSIdentity/renewal`` seconds. Only if no
    /// connection was made in this time, the property waits for the renewal, because clients refuse the old certificate.
    package var current: TLSIdentity {
        let now = clock()
        let (state, isDue) = state.withLock { state in
            let isDue = now >= state.renewal
            // Another connection does not begin a second renewal.
            if isDue { state.renewal = now + Self.pause }
            return (state, isDue)
        }
        guard isDue else { return state.identity }
        if now >= state.expiration {
            renew(at: now)
            return self.state.withLock(\.identity)
        }
        DispatchQueue.global().async { self.renew(at: now) }
        return state.identity
    }

    private func renew(at now: Int) {
        do throws(TLSError) {
            let identity = try TLSIdentity.stored(in: folder, for: names, now: now)
            state.withLock { $0 = State(identity) }
        } catch {
            onFailure(error)
        }
    }
}

extension TLSIdentity {
    /// The validity of a self-signed certificate in seconds: ten years, as in CUPS.
    ///
    /// The validity is long because clients that trust the old certificate do not trust a replacement.
    static let lifetime = 3650 * 86_400
    /// The time in seconds before the end of its validity at which a self-signed certificate is renewed.
    static let renewal = 30 * 86_400

    /// Returns the certificate in a directory (`certificate.pem` and `key.pem`).
    ///
    /// The method creates a certificate if the directory has no certificate. The method renews a certificate that
    /// expires within 30 days or lacks a current name of the machine. A renewed certificate has the same key and the
    /// same authority, so that clients that trust either also trust the renewed certificate.
    ///
    /// Only the owner can read the files. Several programs can call this method at the same time and receive the same
    /// certificate.
    ///
    /// - Parameter now: The current time in seconds since 1970; `nil` means the system's time.
    /// - Throws: `notMade` if there is no valid certificate and a new certificate cannot be saved.
    package static func stored(
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
        let kept = try? TLSIdentity(certificateFile: files.certificate, keyFile: files.key)
        if let kept, kept.isGood(for: names, at: now), kept.expiration > now + renewal { return kept }
        // The certificate is valid from yesterday, for clients whose clocks are slow.
        let (from, until) = (now - 86_400, now + lifetime)
        let made: TLSIdentity
        if let renewed = try kept?.renewed(for: names, from: from, until: until) {
            made = renewed
        } else {
            made = try selfSigned(for: names, from: from, until: until)
        }
        if made.key != kept?.key { try write(made.key, to: files.key) }
        try write(made.certificate, to: files.certificate)
        return made
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(TLSError) {
        do throws(SystemFailure) {
            try AtomicFile.write(bytes, to: path, temporaryName: .new, sync: .content)
        } catch {
            throw .notKept(path, number: error.description)
        }
    }
}
