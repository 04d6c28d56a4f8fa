import Foundation
import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

/// Tests of the tokens of clients on the network, with both stores.
struct TokenTests {
    private let files = TestSpool()

    @Test func `a token is found by its secret until it is revoked, and only its digest is stored`() async throws {
        let spool = try await files.open()
        let secret = try await spool.createToken(named: "ci", user: "ann", scope: .submit, lifetime: nil)
        #expect(secret.hasPrefix("printq_") && secret.count == 50)
        let token = try #require(try await spool.token(with: secret))
        #expect(token.name == "ci" && token.user == "ann" && token.scope == .submit && token.expiresAt == nil)
        #expect(try await spool.token(with: secret + "x") == nil)
        #expect(try await spool.token(with: "") == nil)
        #expect(try await spool.token(with: String(repeating: "x", count: 1 << 20)) == nil)
        let listed = try await spool.tokens()
        #expect(listed.map(\.name) == ["ci"])
        #expect(listed[0].lastUsedAt != nil)
        try await spool.revokeToken(named: "ci")
        #expect(try await spool.token(with: secret) == nil)
        #expect(try await spool.tokens().isEmpty)
        try spool.close()
    }

    @Test func `a token keeps its printers and its right to act for others`() async throws {
        let spool = try await files.open()
        let secret = try await spool.createToken(
            named: "server", user: "cups", scope: .submit, printers: ["photo", "laser", "photo"], actsForOthers: true,
            lifetime: nil)
        _ = try await spool.createToken(named: "ci", user: "ann", scope: .submit, lifetime: nil)
        let token = try #require(try await spool.token(with: secret))
        #expect(token.printers == ["laser", "photo"] && token.actsForOthers && !token.isAdministrator)
        let listed = try await spool.tokens()
        #expect(listed.map(\.printers) == [[], ["laser", "photo"]])
        #expect(listed.map(\.actsForOthers) == [false, true])
        try spool.close()
    }

    @Test func `a token is refused from its expiration on, and the time of its use is stored once per minute`()
        async throws
    {
        let spool = try await files.open()
        let secret = try await spool.createToken(named: "ci", user: "ann", scope: .look, lifetime: 100)
        let start = files.clock.now
        for seconds in [0.0, 59, 61, 99] {
            files.clock.advance(by: start + seconds - files.clock.now)
            #expect(try await spool.token(with: secret) != nil)
            #expect(try await spool.tokens()[0].lastUsedAt == start + (seconds < 60 ? 0 : 61))
        }
        files.clock.advance(by: 1)
        #expect(try await spool.token(with: secret) == nil)
        #expect(try await spool.tokens()[0].isExpired(at: files.clock.now))
        try spool.close()
    }

    @Test(.requiresSQLite("the test reads the file of the database")) func `no file contains the secret of a token`()
        async throws
    {
        let spool = try await files.open()
        let secret = try await spool.createToken(named: "ci", user: "ann", scope: .submit, lifetime: nil)
        _ = try await spool.token(with: secret)
        for name in ["spool.sqlite", "spool.sqlite-wal"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(files.folder)/\(name)"))
            #expect(bytes.range(of: Data(secret.utf8)) == nil)
            #expect(bytes.range(of: Data(secret.dropFirst("printq_".count).utf8)) == nil)
        }
        try spool.close()
    }

    @Test func `two tokens cannot have the same name, and an unknown token cannot be revoked`() async throws {
        let spool = try await files.open()
        _ = try await spool.createToken(named: "ci", user: "ann", scope: .look, lifetime: nil)
        await #expect(throws: SpoolError.self) {
            try await spool.createToken(named: "ci", user: "ben", scope: .manage, lifetime: nil)
        }
        #expect(try await spool.tokens().map(\.user) == ["ann"])
        await #expect(throws: SpoolError.self) { try await spool.revokeToken(named: "other") }
        try spool.close()
    }
}
