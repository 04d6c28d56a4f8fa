// An authority that signs the certificates of printers, as an administrator makes one with openssl.

import Foundation
import PrintTestSupport
import Testing

/// An authority of a test's own: its certificate, and those it signs, are files in a folder.
struct CertificateAuthority {
    private let name: String
    private let spooler: TestSpooler

    /// Where its certificate is (PEM).
    var certificate: String { spooler.folder.path("\(name).pem") }

    /// Makes one, in the folder of a spooler.
    init(_ name: String, in spooler: TestSpooler) async throws {
        (self.name, self.spooler) = (name, spooler)
        try await makeKey(name)
        try await openssl(
            "req", "-x509", "-new", "-key", "\(name).key", "-subj", "/CN=\(name)", "-days", "30", "-out", "\(name).pem")
    }

    /// Signs a certificate of a server, and gives the paths of both its files.
    ///
    /// - Parameters:
    ///   - names: whom it is for, `DNS:localhost,IP:127.0.0.1`.
    ///   - days: for how long; what is below zero has expired.
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
