// Reads a certificate again when its files have changed.

import Dispatch
import Glibc
import SafeFiles
import Synchronization

/// A certificate and a key in files that another program renews, such as a client of an ACME server.
///
///     let certificate = try ReloadedIdentity(certificateFile: "server.crt", keyFile: "server.key")
///     configuration.channelSetup = OptionalTLS(identity: { certificate.current }).stand
///
/// Connections keep the certificate with which they began, so a change closes no connection.
public final class ReloadedIdentity: Sendable {
    private struct State {
        var identity: TLSIdentity
        var versions: [FileVersion?]
        /// The time of the next comparison of the files.
        var next: ContinuousClock.Instant
    }

    private let files: (certificate: String, key: String)
    private let onChange: @Sendable (TLSError?) -> Void
    private let state: Mutex<State>

    /// The minimum time between two comparisons of the files.
    private let pause: Duration

    /// Compares the files, one comparison after the other, so that each change is reported once.
    private let comparisons = DispatchQueue(label: "certificate")

    /// Reads the certificate and the key.
    ///
    /// - Parameters:
    ///   - pause: The minimum time between two comparisons of the files.
    ///   - onChange: A function that is called after a change of the files: with nil if the new certificate is used, and
    ///     with the error if the new files cannot be used. The earlier certificate then stays in use.
    /// - Throws: `TLSError`, as ``TLSIdentity/init(certificateFile:keyFile:)``.
    package init(
        certificateFile: String, keyFile: String, pause: Duration = .seconds(1),
        onChange: @escaping @Sendable (TLSError?) -> Void = { _ in }
    ) throws(TLSError) {
        files = (certificateFile, keyFile)
        self.pause = pause
        self.onChange = onChange
        // The versions are read first, so that a change during the reading is noticed.
        let versions = [certificateFile, keyFile].map { FileVersion($0) }
        let identity = try TLSIdentity(certificateFile: certificateFile, keyFile: keyFile)
        state = Mutex(State(identity: identity, versions: versions, next: .now + pause))
    }

    /// The certificate for the next connection.
    ///
    /// Another thread compares the files, because the comparison waits for the disk. After a change, the first
    /// connection can still get the earlier certificate.
    package var current: TLSIdentity {
        let (identity, isDue) = state.withLock { state in
            let isDue = ContinuousClock.now >= state.next
            // Another connection does not begin a second comparison.
            if isDue { state.next = .now + pause }
            return (state.identity, isDue)
        }
        if isDue { comparisons.async { self.compare() } }
        return identity
    }

    private func compare() {
        let versions = [files.certificate, files.key].map { FileVersion($0) }
        guard versions != state.withLock(\.versions) else { return }
        do throws(TLSError) {
            let identity = try TLSIdentity(certificateFile: files.certificate, keyFile: files.key)
            state.withLock { ($0.identity, $0.versions) = (identity, versions) }
            onChange(nil)
        } catch {
            // Between the replacements of the two files, they do not belong together; the next comparison follows.
            state.withLock { $0.versions = versions }
            onChange(error)
        }
    }
}
