// Reads the public keys of a provider.

import FoundationEssentials
import JWTKit

/// The public keys of a provider (JSON Web Key Set, RFC 7517 §5).
struct KeySet: Sendable {
    /// A key and the only algorithm for which it is used.
    struct ID: Hashable, Sendable {
        /// The name of the key (`kid`).
        var name: String
        var algorithm: Provider.Algorithm
    }

    /// Collections of one key each: a token must be signed with the key that it names.
    private let keys: [ID: JWTKeyCollection]

    /// The maximum size of a set in bytes.
    static let mostBytes = 1 << 20
    private static let mostKeys = 100

    /// The members of a key that `printd` reads (RFC 7518 §6); private and symmetric keys have others.
    private struct Key: Decodable {
        var kty: String
        var kid: String?
        var use: String?
        var alg: String?
        var crv: String?
        var n: String?
        var e: String?
        var x: String?
        var y: String?
    }

    /// A key, or an element that is no key.
    private struct Element: Decodable {
        var key: Key?
        init(from decoder: any Decoder) throws { key = try? Key(from: decoder) }
    }

    private struct Document: Decodable {
        var keys: [Element]
    }

    /// Reads the keys for signatures.
    ///
    /// Keys of other kinds and without a name are skipped, as RFC 7517 §5 requires. RSA keys have at least 2048 bits.
    ///
    /// - Throws: `KeyProblem` if the text is no key set, or if no key remains.
    init(json: [UInt8]) async throws(KeyProblem) {
        guard json.count <= Self.mostBytes, let document = try? JSONDecoder().decode(Document.self, from: Data(json))
        else { throw KeyProblem("the answer is no JSON Web Key Set (RFC 7517)") }
        var keys: [ID: JWTKeyCollection] = [:]
        for key in document.keys.prefix(Self.mostKeys).compactMap(\.key) {
            guard let (id, collection) = await Self.read(key), keys[id] == nil else { continue }
            keys[id] = collection
        }
        guard !keys.isEmpty else { throw KeyProblem("the key set has no named RSA or P-256 key for signatures") }
        self.keys = keys
    }

    private static func read(_ key: Key) async -> (ID, JWTKeyCollection)? {
        guard let name = key.kid, key.use ?? "sig" == "sig" else { return nil }
        switch key.kty {
        case "RSA":
            guard key.alg ?? "RS256" == "RS256", let n = key.n, let e = key.e,
                let rsa = try? Insecure.RSA.PublicKey(modulus: n, exponent: e)
            else { return nil }
            return await (
                ID(name: name, algorithm: .rs256), JWTKeyCollection().add(rsa: rsa, digestAlgorithm: .sha256)
            )
        case "EC":
            guard key.alg ?? "ES256" == "ES256", key.crv == "P-256", let x = key.x, let y = key.y,
                let ecdsa = try? ES256PublicKey(parameters: (x, y))
            else { return nil }
            return await (ID(name: name, algorithm: .es256), JWTKeyCollection().add(ecdsa: ecdsa))
        default: return nil
        }
    }

    subscript(id: ID) -> JWTKeyCollection? { keys[id] }
}

/// The reason why the keys of a provider cannot be read.
struct KeyProblem: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
