// Tests clients on the network with tokens of OpenID Connect.

import Foundation
import OpenIDTestSupport
import PrintTestSupport
import Testing

extension NetworkTests {
    /// Trusts the provider of the tests, whose keys are at a path or an address.
    private func trust(keysAt keys: String) async throws {
        for (setting, value) in [("issuer", TestKey.issuer), ("audience", TestKey.audience), ("keys", keys)] {
            expect(try await spooler.printq("config", "set", "openID.\(setting)", value))
        }
    }

    private func publish(_ keys: TestKey...) throws -> String {
        try spooler.file("keys.json", Array(TestKey.set(keys).utf8))
    }

    /// Sends Get-Jobs with a token, and returns the header and the body of the response.
    private func getJobs(bearing token: String) async throws -> String {
        let field = try spooler.file("field", Array("Authorization: Bearer \(token)\n".utf8))
        return try await client(
            "curl", "-s", "-i", "-k", "-H", "@\(field)", "-H", "Content-Type: application/ipp", "--data-binary",
            "@\(try getJobsRequest())", "https://\(Self.server):8631/printers/mono-laser"
        ).output
    }

    private func isAccepted(_ token: String) async throws -> Bool {
        let answer = try await getJobs(bearing: token)
        #expect(answer.hasPrefix("HTTP/1.1 200 ") || answer.hasPrefix("HTTP/1.1 401 "), "\(answer)")
        return answer.hasPrefix("HTTP/1.1 200 ")
    }

    @Test func `a token of OpenID Connect prints, and its user owns no jobs of others with the same name`()
        async throws
    {
        try await start()
        let key = try await TestKey.elliptic("1")
        try await trust(keysAt: try publish(key))
        let seen = try await client("ipptool", "-tv", uri("mono-laser"), "get-printer-attributes.test")
        #expect(seen.output.contains("uri-authentication-supported (keyword) = oauth"), "\(seen.output)")
        #expect(seen.output.contains("oauth-authorization-server-uri (uri) = \(TestKey.issuer)"))
        // A user of printq with the same name.
        expect(try await spooler.printq("users", "add", "anna", input: "correct horse\n"))
        let file = try spooler.file("letter.pdf", .numbered(pages: 1))
        expect(
            try await client(
                "ipptool", "-tv", "-f", file, uri("mono-laser", as: "anna:correct%20horse"), "print-job.test"))
        try await spooler.waitForEnd(of: 1)

        let token = try await key.token()
        expect(try await remote("login", "ipps://\(Self.server):8631", input: token))
        expect(try await remote("submit", "--wait", "-d", "mono-laser", "--title", "Of a token", file))
        #expect(try await spooler.printq("show", "2").output.contains("anna@login.example.com"))
        #expect(try await getJobs(bearing: token).contains("Of a token"))
        #expect(try await !getJobs(as: "anna", "correct horse").contains("Of a token"))
        expect(try await remote("cancel", "1"), code: 77)
        expect(try await remote("printers", "pause", "mono-laser"), code: 77)
        let audit = try await spooler.printq("audit", "--json")
        #expect(audit.output.contains("OpenID Connect") && !audit.output.contains(token), "\(audit.output)")
        #expect(!text(of: spooler.folder.path("printd.err")).contains(token))

        expect(try await spooler.printq("config", "set", "openID.manageGroups", "[\"print-admins\"]"))
        let manager = try await key.token(["groups": ["print-admins"]])
        expect(try await remote("login", "ipps://\(Self.server):8631", input: manager))
        expect(try await remote("printers", "pause", "mono-laser"))
    }

    @Test func `a token that proves nothing is refused with a challenge, and the reason is in the log`() async throws {
        try await start()
        let (key, stranger) = (try await TestKey.rsa("1"), try await TestKey.rsa("1"))
        let keys = try publish(key)
        let early = try await key.token()
        #expect(try await !isAccepted(early))
        try await trust(keysAt: keys)
        #expect(try await isAccepted(early))
        let now = Int(Date().timeIntervalSince1970)
        let refused: [(token: String, reason: String)] = [
            (try await key.token(["exp": now - 100]), "expired token"),
            (try await key.token(["nbf": now + 3000]), "token that is not valid yet"),
            (try await key.token(["iss": "https://evil.example"]), "another value of the claim iss"),
            (try await key.token(["aud": "mail"]), "another value of the claim aud"),
            (try await key.token(header: ["alg": "none"]), "whose algorithm openID.algorithms does not list"),
            (try await TestKey.symmetric(like: key).token(), "whose algorithm openID.algorithms does not list"),
            (try await stranger.token(), "wrong signature"),
            (try await TestKey.rsa("2").token(), "unknown key"),
            (try await key.token(["padding": String(repeating: "x", count: 7000)]), "longer than 8 KiB"),
        ]
        for (token, reason) in refused {
            let answer = try await getJobs(bearing: token)
            #expect(answer.hasPrefix("HTTP/1.1 401 "), "\(reason): \(answer)")
            #expect(answer.lowercased().contains("www-authenticate: bearer"))
            #expect(text(of: spooler.folder.path("printd.err")).contains(reason), "\(reason)")
        }
        // With the first, there were ten tokens that proved nothing.
        #expect(try await getJobs(bearing: refused[0].token).hasPrefix("HTTP/1.1 429 "))
        #expect(try await isAccepted(try await key.token()))
        expect(try await spooler.printq("config", "set", "openID.issuer", "null"))
        #expect(try await getJobs(bearing: early).hasPrefix("HTTP/1.1 429 "))
    }

    @Test func `the keys in a file are read again, and 'printq doctor' reports a file that is missing`() async throws {
        try await start()
        let (old, new) = (try await TestKey.rsa("1"), try await TestKey.elliptic("2"))
        try await trust(keysAt: spooler.folder.path("keys.json"))
        #expect(try await spooler.printq("doctor").output.contains("tokens of OpenID Connect are not accepted: cannot"))
        _ = try publish(old)
        #expect(try await isAccepted(try await old.token()))
        _ = try publish(new)
        #expect(try await !isAccepted(try await old.token()))
        #expect(try await isAccepted(try await new.token()))
        expect(try await spooler.printq("config", "set", "openID.audience", "null"))
        #expect(try await !isAccepted(try await new.token()))
    }

    /// Starts a server with TLS in the network of printd, which serves the files of the test.
    private func serve(on port: Int, certificate: String) async throws -> ChildProgram {
        let printd = try #require(spooler.processes(of: "printd").first)
        let server = try ChildProgram(
            "sh",
            [
                "-c",
                """
                cd \(spooler.folder.path) && exec nsenter --net=/proc/\(printd)/ns/net openssl s_server -quiet -WWW \
                -accept \(Self.server):\(port) -cert \(certificate).pem -key \(certificate).key
                """,
            ])
        try await eventually("the server answers") {
            try await client("curl", "-sk", "https://\(Self.server):\(port)/keys.json").output.contains("keys")
        }
        return server
    }

    private func makeCertificate(_ name: String) async throws {
        let made = try await spooler.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=\(name)", "-addext", "subjectAltName=IP:\(Self.server)", "-keyout", "\(name).key", "-out",
                "\(name).pem",
            ])
        expect(made)
    }

    @Test func `the keys at an address are fetched again for a new key, from a server with a trusted certificate`()
        async throws
    {
        for name in ["trusted", "unknown"] { try await makeCertificate(name) }
        // The only authority of the system, as printd sees it.
        try await start(
            after: "mount --bind \(spooler.folder.path("trusted.pem")) /etc/ssl/certs/ca-certificates.crt")
        let (old, new) = (try await TestKey.elliptic("1"), try await TestKey.rsa("2"))
        let oldToken = try await old.token()
        _ = try publish(old)
        let unknown = try await serve(on: 8444, certificate: "unknown")
        try await trust(keysAt: "https://\(Self.server):8444/keys.json")
        #expect(try await !isAccepted(oldToken))
        #expect(try await spooler.printq("doctor").output.contains("no authority of this system has signed"))
        let trusted = try await serve(on: 8443, certificate: "trusted")
        expect(try await spooler.printq("config", "set", "openID.keys", "https://\(Self.server):8443/keys.json"))
        #expect(try await isAccepted(oldToken), "\(text(of: spooler.folder.path("printd.err")))")
        _ = try publish(new)
        #expect(try await isAccepted(try await new.token()))
        #expect(try await !isAccepted(oldToken))
        // The keys stay in use while the server is gone.
        for server in [unknown, trusted] {
            server.terminate()
            _ = try server.finish()
        }
        #expect(try await isAccepted(try await new.token()))
    }
}
