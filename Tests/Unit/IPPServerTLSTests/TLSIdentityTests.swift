import FoundationEssentials
import Glibc
import PrintTestSupport
import Synchronization
import Testing

@testable import IPPServerTLS

/// Tests of certificates from files and self-signed certificates.
struct TLSIdentityTests {
    private let folder: TemporaryFolder
    private let now = 1_800_000_000
    private let names = CertificateNames(hosts: ["printer.example", "localhost"], addresses: [[127, 0, 0, 1]])

    init() throws { folder = try TemporaryFolder() }

    private func kept(for names: CertificateNames? = nil, at moment: Int? = nil) throws -> TLSIdentity {
        try TLSIdentity.stored(in: folder.path, for: names ?? self.names, now: moment ?? now)
    }

    @Test func `a certificate is created once, is readable only by its owner, and is reused`() throws {
        let first = try kept()
        #expect(try kept().certificate == first.certificate)
        for name in ["certificate.pem", "key.pem"] {
            var status = stat()
            #expect(stat(folder.path(name), &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }

    @Test func `a certificate is renewed with its keys before it expires, and if it contains the wrong names`() throws {
        let first = try kept()
        let due = now + TLSIdentity.lifetime - TLSIdentity.renewal
        #expect(try kept(at: due - 1).certificate == first.certificate)
        let second = try kept(at: due)
        #expect(second.certificate != first.certificate && second.key == first.key)
        let later = now + TLSIdentity.lifetime
        #expect(try kept(at: later).certificate == second.certificate)
        let names = CertificateNames(hosts: ["new.example"])
        let third = try kept(for: names, at: later)
        #expect(third.certificate != second.certificate && third.key == first.key)
        let fourth = try kept(for: names, at: later + 2 * TLSIdentity.lifetime)
        #expect(fourth.certificate != third.certificate && fourth.key == first.key)
        try "nonsense".write(toFile: folder.path("key.pem"), atomically: true, encoding: .utf8)
        #expect(try kept(for: names, at: later).key != first.key)
    }

    @Test func `a client that trusts a certificate also trusts the renewed certificates`() async throws {
        let first = try kept()
        try Data(first.certificate).write(to: URL(filePath: folder.path("trusted.pem")))
        for years in [10, 20, 60] {
            let moment = now + years * 365 * 86_400
            _ = try kept(at: moment)
            let run = try await ProgramRun(
                "/usr/bin/openssl",
                [
                    "verify", "-attime", "\(moment)", "-CAfile", folder.path("trusted.pem"),
                    folder.path("certificate.pem"),
                ], environment: [:], in: folder.path)
            #expect(run.code == 0, "\(years): \(run)")
        }
    }

    @Test func `a certificate that has expired is renewed before the next connection`() throws {
        let time = Mutex(now)
        let renewed = try RenewedIdentity(in: folder.path, for: names, clock: { time.withLock { $0 } })
        #expect(renewed.current.expiration == now + TLSIdentity.lifetime)
        let later = now + 11 * 365 * 86_400
        time.withLock { $0 = later }
        #expect(renewed.current.expiration == later + TLSIdentity.lifetime)
    }

    @Test func `openssl reads the names, addresses, expiration date and issuer of a created certificate`() async throws
    {
        _ = try kept()
        let text = try await ProgramRun(
            "/usr/bin/openssl",
            [
                "x509", "-in", folder.path("certificate.pem"), "-noout", "-subject", "-issuer", "-enddate", "-ext",
                "subjectAltName,extendedKeyUsage,basicConstraints",
            ], environment: [:], in: folder.path)
        #expect(
            text.output.split(separator: "\n").map { $0.drop { $0 == " " } } == [
                "subject=CN = printer.example", "issuer=CN = Printers of printer.example",
                "notAfter=Jan 12 08:00:00 2037 GMT", "X509v3 Subject Alternative Name: ",
                "DNS:printer.example, DNS:localhost, IP Address:127.0.0.1", "X509v3 Basic Constraints: critical",
                "CA:FALSE", "X509v3 Extended Key Usage: ", "TLS Web Server Authentication",
            ], "\(text)")
    }

    @Test func `if programs start at the same time, the programs use the same certificate`() async throws {
        let made = try await withThrowingTaskGroup(of: [UInt8].self) { tasks in
            for _ in 0..<16 { tasks.addTask { try kept().certificate } }
            return try await tasks.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(made.count == 1)
    }

    @Test func `a certificate cannot be created if the directory is not writable`() {
        let error = #expect(throws: TLSError.self) { try TLSIdentity.stored(in: "/proc", for: names, now: now) }
        #expect(error?.code == .notMade && error?.message.contains("/proc") == true)
    }

    @Test func `certificate files are read, and the error for an invalid file contains the reason`() throws {
        _ = try kept()
        let files = (folder.path("certificate.pem"), folder.path("key.pem"))
        #expect(throws: Never.self) { try TLSIdentity(certificateFile: files.0, keyFile: files.1) }
        func error(_ certificate: String, _ key: String) -> TLSError? {
            do throws(TLSError) {
                _ = try TLSIdentity(certificateFile: certificate, keyFile: key)
                return nil
            } catch {
                return error
            }
        }
        #expect(error("/nonexistent", files.1)?.code == .noFile)
        #expect(error(folder.path, files.1)?.code == .noFile)
        #expect(error(files.1, files.1)?.message.contains("contains no PEM certificate") == true)
        #expect(error(files.0, files.0)?.message.contains("contains no unencrypted PEM private key") == true)
        let other = try TLSIdentity.selfSigned(for: names, from: now, until: now + 1)
        try Data(other.key).write(to: URL(filePath: folder.path("other.pem")))
        let mismatch = error(files.0, folder.path("other.pem"))
        #expect(mismatch?.code == .badFile && mismatch?.message.contains("does not match") == true)
    }

    @Test func `an encrypted key is rejected, and no passphrase is requested`() async throws {
        _ = try kept()
        let locked = try await ProgramRun(
            "/usr/bin/openssl",
            ["ec", "-in", folder.path("key.pem"), "-aes128", "-passout", "pass:x", "-out", folder.path("locked.pem")],
            environment: [:], in: folder.path)
        #expect(locked.code == 0, "\(locked)")
        let error = #expect(throws: TLSError.self) {
            try TLSIdentity(
                certificateFile: folder.path("certificate.pem"), keyFile: folder.path("locked.pem"))
        }
        #expect(error?.message.contains("unencrypted PEM private key") == true)
    }

    @Test func `the names of the machine include a .local name and localhost`() {
        let names = CertificateNames.thisMachine
        #expect(names.hosts.contains("localhost") && names.hosts.contains { $0.hasSuffix(".local") })
        #expect(names.addresses.map(\.count) == [4, 16])
    }
}
