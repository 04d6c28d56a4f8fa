// Signs tokens with keys that tests make.

import Foundation
import JWTKit
import PrintTestSupport

/// A private key of a provider of OpenID Connect.
public struct TestKey: Sendable {
    /// The name of the key (`kid`).
    public let name: String
    /// The algorithm of the key's signatures, such as `ES256`.
    public let algorithm: String
    /// The public key in JSON (JSON Web Key, RFC 7517).
    public let jwk: String
    /// The public key in the PEM format.
    public let pem: String
    private let signer: JWTKeyCollection

    private init(_ name: String, _ algorithm: String, jwk: [String: String], pem: String, signer: JWTKeyCollection) {
        (self.name, self.algorithm, self.pem, self.signer) = (name, algorithm, pem, signer)
        self.jwk = json(jwk.merging(["kid": name, "use": "sig", "alg": algorithm]) { old, _ in old })
    }

    /// Makes a key on the curve P-256.
    public static func elliptic(_ name: String) async throws -> TestKey {
        let key = ES256PrivateKey()
        let (x, y) = key.parameters ?? ("", "")
        let jwk = ["kty": "EC", "crv": "P-256", "x": url(x), "y": url(y)]
        let signer = await JWTKeyCollection().add(ecdsa: key)
        return TestKey(name, "ES256", jwk: jwk, pem: key.publicKey.pemRepresentation, signer: signer)
    }

    /// Makes an RSA key.
    public static func rsa(_ name: String) async throws -> TestKey {
        let made = try await ProgramRun("/usr/bin/openssl", ["genrsa", "2048"], environment: [:], in: "/")
        let key = try Insecure.RSA.PrivateKey(pem: made.output)
        let (modulus, exponent) = try key.publicKey.getKeyPrimitives()
        let jwk = ["kty": "RSA", "n": base64URL(modulus), "e": base64URL(exponent)]
        let signer = await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256)
        return TestKey(name, "RS256", jwk: jwk, pem: key.publicKey.pemRepresentation, signer: signer)
    }

    /// Makes a key whose secret is the public key of another key, which everyone knows.
    ///
    /// A recipient that uses the public key with the algorithm of the header accepts the signature (RFC 8725 §2.1).
    public static func symmetric(like other: TestKey) async -> TestKey {
        let signer = await JWTKeyCollection().add(hmac: HMACKey(from: other.pem), digestAlgorithm: .sha256)
        return TestKey(other.name, "HS256", jwk: ["kty": "oct"], pem: other.pem, signer: signer)
    }

    /// Returns a key set with the given keys in JSON.
    public static func set(_ keys: [TestKey]) -> String { "{\"keys\": [\(keys.map(\.jwk).joined(separator: ", "))]}" }

    /// Returns a token.
    ///
    /// - Parameters:
    ///   - claims: The claims that differ from those of a valid token; `NSNull` removes a claim.
    ///   - header: The fields of the header that differ.
    ///   - now: The time of issue, in seconds since 1970; nil for the current time.
    public func token(
        _ claims: [String: Any] = [:], header: [String: Any] = [:], now: Double? = nil
    ) async throws -> String {
        let now = Int(now ?? Date().timeIntervalSince1970)
        let standard: [String: Any] = [
            "iss": TestKey.issuer, "aud": TestKey.audience, "iat": now, "exp": now + 300,
            "sub": "248289761001", "preferred_username": "anna",
        ]
        let fields: [String: Any] = ["alg": algorithm, "kid": name, "typ": "JWT"]
        func part(_ standard: [String: Any], _ others: [String: Any]) -> String {
            base64URL(Data(json(standard.merging(others) { $1 }.filter { !($0.value is NSNull) }).utf8))
        }
        let text = part(fields, header) + "." + part(standard, claims)
        let signature = try await signer.getKey().sign(Array(text.utf8))
        return "\(text).\(base64URL(Data(signature)))"
    }

    /// The provider and the audience of valid tokens.
    public static let issuer = "https://login.example.com/realms/office"
    /// The audience of valid tokens.
    public static let audience = "printq"
}

/// Returns an object in JSON, with its members in the order of their names.
private func json(_ object: [String: Any]) -> String {
    let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data ?? Data(), as: UTF8.self)
}

private func base64URL(_ data: Data) -> String { url(data.base64EncodedString()) }

private func url(_ base64: String) -> String {
    base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}
