// Selects the certificate of the spooler.

import FoundationEssentials
import Glibc
import IPPServerTLS
import Logging
import PrintModel
import PrintSpool
import SpoolConfiguration

/// The certificate with which the spooler proves its identity to clients on TCP.
struct ServerCertificate: Sendable {
    /// The function that returns the present certificate and its key; nil if TLS is unavailable.
    let identity: (@Sendable () -> TLSIdentity)?
    /// The reason why TLS is unavailable although the settings enable TLS; nil if TLS is available or not enabled.
    let problem: String?

    /// Reads the configured certificate, or reads or creates a self-signed certificate.
    ///
    /// - Throws: `StartError` if the configured certificate cannot be used.
    init(
        _ settings: SpoolerDaemon.Settings, _ listening: Listening, _ logger: Logger
    ) throws(SpoolerDaemon.StartError) {
        let named = try Self.namedIdentity(settings.spoolSettings.tls) { error in
            if let error {
                logger.warning("cannot read the changed certificate", metadata: ["reason": "\(error.message)"])
            } else {
                logger.notice("the changed certificate is used")
            }
        }
        if let named {
            identity = { named.current }
            problem = nil
            return
        }
        let isOff = settings.spoolSettings.tls == .off && listening.network.isEmpty
        guard !(listening.addresses + listening.network).isEmpty, !isOff else {
            (identity, problem) = (nil, nil)
            return
        }
        do throws(TLSError) {
            let own = try Self.ownIdentity(in: settings.spool, for: Self.names(settings)) {
                logger.warning("cannot renew the certificate", metadata: ["reason": "\($0.message)"])
            }
            identity = { own.current }
            problem = nil
        } catch {
            // A full disk must not prevent printing. Clients that require TLS fail in the handshake.
            logger.warning("TLS is unavailable", metadata: ["reason": "\(error.message)"])
            (identity, problem) = (nil, error.message)
        }
    }

    /// The SHA-256 fingerprint of the certificate, in groups of two hexadecimal digits; nil without a certificate.
    var fingerprint: String? {
        let lines = String(decoding: identity?().certificate ?? [], as: UTF8.self).split(separator: "\n")
        // The certificate of the server comes first (PEM, RFC 7468).
        let text = lines.drop { !$0.hasPrefix("-----BEGIN") }.dropFirst().prefix { !$0.hasPrefix("-----END") }
        guard let bytes = Data(base64Encoded: text.joined()), !bytes.isEmpty else { return nil }
        var hash = SHA256()
        hash.update(Array(bytes))
        let digits = Array(hash.digest().uppercased())
        return stride(from: 0, to: digits.count, by: 2).map { String(digits[$0...($0 + 1)]) }.joined(separator: ":")
    }

    /// Reads the certificate and the key in the files of the setting `tls`, which are read again after a change.
    private static func namedIdentity(
        _ setting: TLSSetting, onChange: @escaping @Sendable (TLSError?) -> Void
    ) throws(SpoolerDaemon.StartError) -> ReloadedIdentity? {
        guard case .files(let certificate, let key) = setting else { return nil }
        do throws(TLSError) {
            return try ReloadedIdentity(certificateFile: certificate, keyFile: key, onChange: onChange)
        } catch {
            throw SpoolerDaemon.StartError(description: "tls in 'printd.json5': \(error.message)", exitCode: 78)
        }
    }

    /// Reads or creates the spool's self-signed certificate in the folder `tls`.
    private static func ownIdentity(
        in spool: String, for names: CertificateNames, onFailure: @escaping @Sendable (TLSError) -> Void
    ) throws(TLSError) -> RenewedIdentity {
        let folder = "\(spool)/tls"
        // If the folder cannot be created, the error is reported when the files are written.
        mkdir(folder, 0o700)
        return try RenewedIdentity(in: folder, for: names, onFailure: onFailure)
    }

    /// Returns the names of this server in its certificate.
    private static func names(_ settings: SpoolerDaemon.Settings) -> CertificateNames {
        var names = CertificateNames.loopback(and: settings.tcp?.host)
        guard !settings.spoolSettings.networkAddresses.isEmpty else { return names }
        let own = networkNames(settings)
        names.add(own)
        names.add(settings.spoolSettings.networkAddresses.filter { !$0.isWildcard }.map(\.host))
        // Clients show the first name.
        if let first = own.first(where: { IPNetwork(address: $0) == nil }) {
            names.hosts = [first] + names.hosts.filter { $0 != first }
        }
        return names
    }

    /// Returns the names and addresses by which clients on the network call this server.
    static func networkNames(_ settings: SpoolerDaemon.Settings) -> [String] {
        let configured = settings.spoolSettings.networkNames
        return configured.isEmpty ? CertificateNames.thisMachine.hosts.filter { $0 != "localhost" } : configured
    }
}
