// A certificate authority for printers, created with openssl.

import Foundation
import PrintTestSupport
import Testing

/// A certificate authority of a test.
///
/// The certificate of the authority and the signed certificates are files in a folder.
struct CertificateAuthority {
    private let name: String
    private let spooler: TestSpooler

    /// The path of the authority's certificate (PEM).
    var certificate: String { spooler.folder.path("\(name).pem") }

    /// Creates an authority in the folder of a spooler.
    init(_ name: String, in spooler: TestSpooler) async throws {
        (self.name, self.spooler) = (name, spooler)
        try await makeKey(name)
        try await openssl(
            "req", "-x509", "-new", "-key", "\(name).key", "-subj", "/CN=\(name)", "-days", "30", "-out", "\(name).pem")
    }

    /// Signs a server certificate, and returns the paths of the certificate and the key.
    ///
    /// - Parameters:
    ///   - names: The subject alternative names, such as `DNS:localhost,IP:127.0.0.1`.
    ///   - days: The validity in days; a negative value creates an expired certificate.
    func sign(
        _ server: String, for names: String = "DNS:localhost,IP:127.0.0.1", days: Int = 7
    ) async throws -> (certificate: String, key: String) {
        try await makeKey(server)
        try await openssl("req", "-new", "-key", "\(server).key", "-subj", "/CN=printer", "-out", "\(server).csr")
        _ = try spooler.file("\(server).ext", Array("subjectAltName=\(names)\n".utf8))
        try await openssl(
            "x509", "-req", "-in", "\(server).csr", "-CA", "\(name).pem", "-CAkey", "\(name).key", "-CAcreateserial",
            "-days", "\(days)", "-extfile", "\(server).ext", "-out", "\(server).pem")
        return (spooler.folder.path("\(server).pem"), spooler.folder.path("\(server).key"))
    }

    private func makeKey(_ name: String) async throws {
        try await openssl("ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", "\(name).key")
    }

    private func openssl(_ arguments: String...) async throws {
        let run = try await spooler.run("openssl", arguments)
        try #require(run.code == 0, "\(run)")
    }
}
