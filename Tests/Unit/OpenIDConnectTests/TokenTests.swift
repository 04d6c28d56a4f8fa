// Tests which tokens of OpenID Connect prove an identity.

import Foundation
import OpenIDTestSupport
import PrintModel
import PrintTestSupport
import Testing

@testable import OpenIDConnect

struct TokenTests {
    private static let now: UnixTime = 1_900_000_000
    private let folder = try! TemporaryFolder()

    private func provider() -> Provider {
        Provider(
            issuer: TestKey.issuer, audience: TestKey.audience, keys: .file(folder.path("keys.json")),
            realm: "login.example.com")
    }

    /// Returns the check of a provider with the given keys.
    private func check(_ keys: [TestKey], _ provider: Provider? = nil) throws -> OpenIDConnect {
        try TestKey.set(keys).write(toFile: folder.path("keys.json"), atomically: true, encoding: .utf8)
        let check = OpenIDConnect { Self.now }
        check.trust(provider ?? self.provider())
        return check
    }

    private func refusal(_ token: String, _ check: OpenIDConnect) async -> TokenRefusal? {
        do throws(TokenRefusal) {
            _ = try await check.user(bearing: token)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a valid token proves the user, with either algorithm`() async throws {
        for key in [try await TestKey.elliptic("1"), try await TestKey.rsa("1")] {
            let user = try await check([key]).user(bearing: try await key.token(now: Self.now))
            #expect(user?.name == "anna@login.example.com")
            #expect(user?.scope == .submit && user?.proof == .openID)
        }
    }

    @Test func `without a provider, no token is read`() async throws {
        let check = OpenIDConnect { Self.now }
        #expect(try await check.user(bearing: "x") == nil)
        #expect(check.issuer == nil)
        #expect(await check.problem() == nil)
    }

    @Test(
        arguments: [
            (["exp": 1_899_999_939], TokenRefusal.expired), (["exp": "later"], .expired), (["exp": NSNull()], .expired),
            (["nbf": 1_900_000_061], .notYetValid), (["iat": 1_900_000_061], .notYetValid),
            (["nbf": true], .notYetValid),
            (["iss": "https://login.example.com/realms/office/"], .claim("iss")), (["iss": NSNull()], .claim("iss")),
            (["iss": ["https://login.example.com/realms/office"]], .claim("iss")),
            (["aud": "other"], .claim("aud")), (["aud": ["other", "PRINTQ"]], .claim("aud")),
            (["aud": NSNull()], .claim("aud")), (["aud": "printq printq"], .claim("aud")),
            (["preferred_username": "", "sub": ""], .name), (["preferred_username": "an na"], .name),
            (["preferred_username": "anna\n"], .name), (["preferred_username": "änna"], .name),
            (["preferred_username": NSNull(), "sub": NSNull()], .name),
            (["preferred_username": String(repeating: "x", count: 250)], .name),
        ] as [([String: any Sendable], TokenRefusal)])
    func `a token with another claim is refused`(claims: [String: any Sendable], expected: TokenRefusal) async throws {
        let key = try await TestKey.elliptic("1")
        #expect(await refusal(try await key.token(claims, now: Self.now), try check([key])) == expected)
    }

    @Test(
        arguments: [
            ["exp": 1_899_999_941], ["nbf": 1_900_000_060], ["iat": NSNull()], ["aud": ["other", "printq"]],
            ["exp": 1_900_000_000.5], ["address": ["street": 1]],
        ] as [[String: any Sendable]])
    func `the clocks may differ by a minute, and other forms of claims are accepted`(
        claims: [String: any Sendable]
    ) async throws {
        let key = try await TestKey.elliptic("1")
        #expect(await refusal(try await key.token(claims, now: Self.now), try check([key])) == nil)
    }

    @Test(
        arguments: [
            (["alg": "none"], TokenRefusal.algorithm), (["alg": "ES384"], .algorithm), (["alg": "RS256"], .unknownKey),
            (["alg": NSNull()], .malformed), (["kid": "2"], .unknownKey), (["kid": NSNull()], .unknownKey),
            (["crit": ["exp"]], .malformed), (["typ": "logout+jwt"], .malformed),
        ] as [([String: any Sendable], TokenRefusal)])
    func `a token with another header is refused`(header: [String: any Sendable], expected: TokenRefusal) async throws {
        let key = try await TestKey.elliptic("1")
        let other = try await TestKey.elliptic("other")
        let token = try await key.token(header: header, now: Self.now)
        #expect(await refusal(token, try check([other, key])) == expected)
    }

    @Test func `a token without a signature, or whose signature anyone could make, is refused`() async throws {
        let (key, other) = (try await TestKey.rsa("1"), try await TestKey.rsa("1"))
        let check = try check([key])
        let unsigned = try await key.token(header: ["alg": "none"], now: Self.now)
        let withoutSignature = unsigned.split(separator: ".").prefix(2).joined(separator: ".") + "."
        #expect(await refusal(withoutSignature, check) == .algorithm)
        let symmetric = try await TestKey.symmetric(like: key).token(now: Self.now)
        #expect(await refusal(symmetric, check) == .algorithm)
        let relabeled = try await TestKey.symmetric(like: key).token(header: ["alg": "RS256"], now: Self.now)
        #expect(await refusal(relabeled, check) == .signature)
        // A key of another provider with the same name.
        #expect(await refusal(try await other.token(now: Self.now), check) == .signature)
    }

    @Test func `a changed token is refused`() async throws {
        let key = try await TestKey.elliptic("1")
        let check = try check([key])
        let parts = try await key.token(now: Self.now).split(separator: ".").map(String.init)
        let other = try await key.token(["preferred_username": "root"], now: Self.now).split(separator: ".")
        #expect(await refusal("\(parts[0]).\(other[1]).\(parts[2])", check) == .signature)
        #expect(await refusal("\(parts[0]).\(parts[1]).", check) == .signature)
        for text in ["", ".", "..", "a.b.c", "\(parts[0]).\(parts[1])", "\(parts[0])=.\(parts[1]).\(parts[2])"] {
            #expect(await refusal(text, check) == .malformed, "\(text)")
        }
        #expect(await refusal("\(parts[0]).\(parts[1]).\(parts[2]).x", check) == .malformed)
    }

    @Test func `a token of more than 8 KiB is refused without being read`() async throws {
        let key = try await TestKey.elliptic("1")
        let padding = String(repeating: "x", count: 6000)
        #expect(await refusal(try await key.token(["padding": padding], now: Self.now), try check([key])) == .tooLong)
    }

    @Test func `an algorithm that the settings do not list is refused`() async throws {
        let (elliptic, rsa) = (try await TestKey.elliptic("1"), try await TestKey.rsa("2"))
        var provider = provider()
        provider.algorithms = [.rs256]
        let check = try check([elliptic, rsa], provider)
        #expect(await refusal(try await elliptic.token(now: Self.now), check) == .algorithm)
        #expect(await refusal(try await rsa.token(now: Self.now), check) == nil)
    }

    @Test(arguments: [
        ("anna", "realm", "anna@realm"), ("Anna", "realm", "Anna@realm"), ("CORP\\anna", "realm", "CORP\\anna@realm"),
        ("anna@REALM", "realm", "anna@REALM@realm"), ("anna@REALM", "", "anna@REALM"), ("anna", "", "anna"),
        ("root", "realm", "root@realm"), ("root", "", nil), ("anonymous", "", nil), ("uid-1000", "", nil),
        ("anna@192.0.2.7", "", nil), ("anna@192.0.2.7", "realm", "anna@192.0.2.7@realm"),
    ])
    func `names own jobs exactly, and never those of another kind of user`(
        name: String, realm: String, owner: String?
    ) {
        var provider = provider()
        provider.realm = realm
        #expect(provider.owner(name) == owner)
    }

    @Test func `a configured claim has the name, and no other claim replaces it`() async throws {
        let key = try await TestKey.elliptic("1")
        var provider = provider()
        provider.nameClaim = "email"
        let check = try check([key], provider)
        let token = try await key.token(["email": "anna@example.com"], now: Self.now)
        #expect(try await check.user(bearing: token)?.name == "anna@example.com@login.example.com")
        #expect(await refusal(try await key.token(now: Self.now), check) == .name)
    }

    @Test(arguments: [
        (["staff"], AccessToken.Scope.submit), (["staff", "print-admins"], .manage), (["guests"], .look), ([], nil),
        (["Staff"], nil),
    ])
    func `groups determine the scope`(members: [String], scope: AccessToken.Scope?) async throws {
        let key = try await TestKey.elliptic("1")
        var provider = provider()
        provider.groups = [.look: ["guests"], .submit: ["staff"], .manage: ["print-admins"]]
        let check = try check([key], provider)
        let token = try await key.token(["groups": members], now: Self.now)
        if let scope {
            #expect(try await check.user(bearing: token)?.scope == scope)
        } else {
            #expect(await refusal(token, check) == .groups)
        }
    }
}
