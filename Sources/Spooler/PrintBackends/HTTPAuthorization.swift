// Computes the `Authorization` header for a server's challenge.

import CGnuTLS
import FoundationEssentials

/// The credentials of a user for a printer.
public struct Login: Hashable, Sendable {
    /// The user name.
    public var user: String
    /// The password.
    public var password: String

    /// Creates credentials from a user name and a password.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

/// The authentication data for a server's `WWW-Authenticate` challenge.
///
/// The type supports Basic (RFC 7617), Digest with MD5 or SHA-256 (RFC 7616), and `PeerCred` of cupsd. With `PeerCred`,
/// cupsd obtains the user of the client from the peer credentials of the Unix socket.
///
/// libcups implements authentication too (`cupsDoAuthentication`), but only for a connection on which the server has
/// just rejected a request. This type keeps the challenge. Therefore the first attempt of the next request already has
/// the `Authorization` header.
struct HTTPAuthorization: Hashable, Sendable {
    /// The supported authentication schemes.
    enum Scheme: Hashable, Sendable {
        case peerCredentials
        case digest(Digest)
        case basic
    }

    /// The parameters of a challenge for Digest authentication.
    struct Digest: Hashable, Sendable {
        var realm: String
        var nonce: String
        var opaque: String?
        var usesSHA256: Bool
        /// Whether the challenge offers `qop=auth`, as the challenges of newer servers do.
        var hasQuality: Bool
    }

    let scheme: Scheme
    /// The number of requests that have used the server's nonce.
    private(set) var count = 0

    /// Selects the strongest supported scheme of a challenge; nil if the challenge contains no supported scheme.
    ///
    /// - Parameter isLocal: Whether the connection is a Unix socket.
    init?(challenge: String, isLocal: Bool) {
        let offers = Self.offers(in: challenge)
        if isLocal, offers.contains(where: { $0.name == "peercred" }) {
            scheme = .peerCredentials
            return
        }
        let digests = offers.filter { $0.name == "digest" }.compactMap { Self.digest($0.parameters) }
        if let digest = digests.first(where: \.usesSHA256) ?? digests.first {
            scheme = .digest(digest)
        } else if offers.contains(where: { $0.name == "basic" }) {
            scheme = .basic
        } else {
            return nil
        }
    }

    /// Whether the scheme requires a user name and a password.
    var needsLogin: Bool { scheme != .peerCredentials }

    /// Returns the value of the `Authorization` header for a POST to a path.
    ///
    /// - Parameters:
    ///   - nonce: The client nonce of the digest, which must be different for each request.
    mutating func header(_ login: Login, path: String, nonce: String) -> String {
        switch scheme {
        case .peerCredentials: return "PeerCred \(login.user)"
        case .basic: return "Basic \(Data("\(login.user):\(login.password)".utf8).base64EncodedString())"
        case .digest(let digest):
            count += 1
            return "Digest \(digest.answer(login, path: path, nonce: nonce, count: count))"
        }
    }

    // MARK: - Reading the challenge

    private static func digest(_ parameters: [String: String]) -> Digest? {
        let algorithm = (parameters["algorithm"] ?? "MD5").uppercased()
        guard ["MD5", "SHA-256"].contains(algorithm), let nonce = parameters["nonce"] else { return nil }
        let qualities = parameters["qop"]?.lowercased().split(separator: ",").map { $0.filter { $0 != " " } }
        guard qualities?.contains("auth") ?? true else { return nil }
        return Digest(
            realm: parameters["realm"] ?? "", nonce: nonce, opaque: parameters["opaque"],
            usesSHA256: algorithm == "SHA-256", hasQuality: qualities != nil)
    }

    /// Splits a challenge such as `Digest realm="a, b", nonce="c", Basic realm="d"` into its schemes.
    ///
    /// A word before a space is the name of a scheme. Each `name=value` is a parameter of the preceding scheme.
    static func offers(in challenge: String) -> [(name: String, parameters: [String: String])] {
        var offers: [(name: String, parameters: [String: String])] = []
        var rest = Array(challenge.utf8.prefix(8192))[...]
        while true {
            rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\t") }
            let word = rest.prefix { !" ,=\t".utf8.contains($0) }
            guard !word.isEmpty else {
                guard let odd = rest.first, odd == UInt8(ascii: "=") else { return offers }
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(word.count)
            let name = String(decoding: word, as: UTF8.self).lowercased()
            if rest.first == UInt8(ascii: "=") {
                rest = rest.dropFirst()
                let value = takeValue(&rest)
                if !offers.isEmpty { offers[offers.count - 1].parameters[name] = value }
            } else {
                offers.append((name, [:]))
            }
        }
    }

    private static func takeValue(_ rest: inout ArraySlice<UInt8>) -> String {
        guard rest.first == UInt8(ascii: "\"") else {
            let word = rest.prefix { !" ,\t".utf8.contains($0) }
            rest = rest.dropFirst(word.count)
            return String(decoding: word, as: UTF8.self)
        }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: value, as: UTF8.self)
    }
}

extension HTTPAuthorization.Digest {
    /// Returns the parameters of a Digest response (RFC 7616 §3.4).
    func answer(_ login: Login, path: String, nonce own: String, count: Int) -> String {
        let digits = String(count, radix: 16)
        let number = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        let secret = hash("\(login.user):\(realm):\(login.password)")
        let place = hash("POST:\(path)")
        let response = hash(
            hasQuality ? "\(secret):\(nonce):\(number):\(own):auth:\(place)" : "\(secret):\(nonce):\(place)")
        var parts = [
            "username=\(quoted(login.user))", "realm=\(quoted(realm))", "nonce=\(quoted(nonce))",
            "uri=\(quoted(path))", "algorithm=\(usesSHA256 ? "SHA-256" : "MD5")", "response=\"\(response)\"",
        ]
        if hasQuality { parts += ["qop=auth", "nc=\(number)", "cnonce=\(quoted(own))"] }
        if let opaque { parts.append("opaque=\(quoted(opaque))") }
        return parts.joined(separator: ", ")
    }

    private func hash(_ text: String) -> String {
        Fingerprint.hex(Array(text.utf8), usesSHA256 ? GNUTLS_DIG_SHA256 : GNUTLS_DIG_MD5)
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
    }
}

/// Hash functions that return hexadecimal digits.
///
/// The result is empty if the system does not allow the algorithm.
enum Fingerprint {
    /// Returns the SHA-256 hash of bytes.
    static func sha256(_ bytes: [UInt8]) -> String { hex(bytes, GNUTLS_DIG_SHA256) }

    static func hex(_ bytes: [UInt8], _ algorithm: gnutls_digest_algorithm_t) -> String {
        var digest = [UInt8](repeating: 0, count: Int(gnutls_hash_get_len(algorithm)))
        let code = gnutls_hash_fast(algorithm, bytes, bytes.count, &digest)
        guard code == 0 else { return "" }  // FIPS mode forbids MD5: the server will refuse the response
        return digits(digest)
    }

    /// Returns a hash in hexadecimal digits.
    static func digits(_ hash: [UInt8]) -> String {
        hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
