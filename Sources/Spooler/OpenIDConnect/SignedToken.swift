// Reads signed tokens, and verifies their signatures.

import FoundationEssentials
import JWTKit

/// A token with a signature that was not yet verified (JSON Web Token, RFC 7519).
struct SignedToken: Sendable {
    /// The key with which the token claims to be signed.
    let key: KeySet.ID
    private let text: String

    /// The maximum size of a token in bytes.
    static let mostBytes = 8192
    /// The types of tokens that prove an identity (RFC 7519 §5.1, RFC 9068 §2.1).
    private static let types = ["jwt", "at+jwt", "application/at+jwt"]

    private struct Header: Decodable {
        var alg: String
        var kid: String?
        var typ: String?
        /// The extensions that a recipient must understand (RFC 7515 §4.1.11).
        var crit: [String]?
    }

    /// Reads the header of a token.
    ///
    /// The header only selects one of the keys of the provider; the settings decide which algorithms are accepted.
    init(_ text: String, algorithms: Set<Provider.Algorithm>) throws(TokenRefusal) {
        guard text.utf8.count <= Self.mostBytes else { throw .tooLong }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.allSatisfy(Self.isDigit) }), let bytes = Self.decoded(parts[0]),
            let header = try? JSONDecoder().decode(Header.self, from: bytes), header.crit == nil,
            header.typ.map({ Self.types.contains($0.lowercased()) }) ?? true
        else { throw .malformed }
        guard let algorithm = Provider.Algorithm(rawValue: header.alg), algorithms.contains(algorithm) else {
            throw .algorithm
        }
        guard let kid = header.kid else { throw .unknownKey }
        (key, self.text) = (KeySet.ID(name: kid, algorithm: algorithm), text)
    }

    /// Verifies the signature with the key that the token names, and returns the claims.
    func claims(verifiedBy key: JWTKeyCollection) async throws(TokenRefusal) -> Claims {
        do {
            return try await key.verify(text, as: Claims.self)
        } catch {
            throw .signature
        }
    }

    /// Returns whether a character is a digit of `base64url` (RFC 4648 §5).
    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func decoded(_ digits: Substring.UTF8View) -> Data? {
        let standard = digits.map { byte in
            byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
        }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        return Data(base64Encoded: Data(standard + padding))
    }
}

/// The claims of a token: texts, lists of texts and numbers.
struct Claims: JWTPayload {
    private enum Value: Codable {
        case text(String)
        case texts([String])
        case number(Double)
        /// A value that no rule reads.
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let texts = try? container.decode([String].self) {
                self = .texts(texts)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .other
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .texts(let texts): try container.encode(texts)
            case .number(let number): try container.encode(number)
            case .other: try container.encodeNil()
            }
        }
    }

    private var values: [String: Value]

    init(from decoder: any Decoder) throws { values = try decoder.singleValueContainer().decode([String: Value].self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }

    /// Does nothing: `Provider` checks the claims.
    func verify(using algorithm: some JWTAlgorithm) async throws {}

    func has(_ name: String) -> Bool { values[name] != nil }

    /// Returns the value of a claim; nil if the claim is missing or no text.
    func text(_ name: String) -> String? { if case .text(let text) = values[name] { text } else { nil } }

    /// Returns the values of a claim that is a text or a list of texts; no values if the claim is missing.
    func texts(_ name: String) -> [String] {
        switch values[name] {
        case .text(let text): [text]
        case .texts(let texts): texts
        default: []
        }
    }

    /// Returns the value of a claim; nil if the claim is missing or no number.
    func number(_ name: String) -> Double? { if case .number(let number) = values[name] { number } else { nil } }
}
