import Foundation
import PrintTestSupport
import Synchronization
import Testing

@testable import IPPServerTLS

struct ReloadedIdentityTests {
    private let folder: TemporaryFolder
    private let changes = Changes()

    private final class Changes: Sendable {
        private let errors = Mutex<[TLSError?]>([])

        var all: [TLSError?] { errors.withLock { $0 } }

        func note(_ error: TLSError?) { errors.withLock { $0.append(error) } }
    }

    init() throws { folder = try TemporaryFolder() }

    /// Replaces a file as a client of an ACME server does.
    private func replace(_ name: String, with bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: folder.path(name)), options: .atomic)
    }

    @Test func `a changed certificate is used for new connections, and an unusable one is reported`() async throws {
        let (old, new) = (
            try TLSIdentity.selfSigned(for: CertificateNames(hosts: ["a.example"]), from: 0, until: 2_000_000_000),
            try TLSIdentity.selfSigned(for: CertificateNames(hosts: ["a.example"]), from: 0, until: 2_100_000_000)
        )
        try replace("server.crt", with: old.certificate)
        try replace("server.key", with: old.key)
        let identity = try ReloadedIdentity(
            certificateFile: folder.path("server.crt"), keyFile: folder.path("server.key"), pause: .zero
        ) { [changes] in changes.note($0) }
        #expect(identity.current.certificate == old.certificate)

        try replace("server.crt", with: new.certificate)
        try await eventually("the mismatch is reported") {
            _ = identity.current
            return changes.all.count == 1 && changes.all[0] != nil
        }
        #expect(identity.current.certificate == old.certificate)
        try replace("server.key", with: new.key)
        for _ in 0..<100 { _ = identity.current }
        try await eventually("the new certificate is used") { identity.current.certificate == new.certificate }
        try await eventually("the new certificate is reported") { changes.all.count > 1 }

        try replace("server.key", with: old.key)
        try await eventually("a mismatch is reported again") {
            _ = identity.current
            return changes.all.count > 2
        }
        #expect(changes.all.map { $0 == nil } == [false, true, false], "each change is reported once")
    }
}
