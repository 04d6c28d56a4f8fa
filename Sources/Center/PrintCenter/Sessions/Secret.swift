// Random secrets: one-time tokens, session cookies and anti-forgery tokens.

/// A random secret of 256 bits.
struct Secret: Sendable, Codable {
    /// The secret in base64url, with 43 characters.
    let text: String

    /// Creates a secret from random numbers of the kernel.
    init() { text = Self.random(32) }

    /// Returns whether a text equals the secret.
    ///
    /// The duration of the comparison is the same for all texts of the same length. The constant duration prevents
    /// timing attacks.
    func matches(_ given: some StringProtocol) -> Bool {
        let (own, other) = (Array(text.utf8), Array(given.utf8))
        var difference = own.count ^ other.count
        for index in own.indices { difference |= Int(own[index] ^ (index < other.count ? other[index] : 0)) }
        return difference == 0
    }

    /// Returns random bytes, encoded in base64url.
    static func random(_ count: Int) -> String {
        // On Linux, the generator calls getrandom(2).
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return base64url(bytes)
    }

    private static func base64url(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for index in 0...group.count { text.append(letters[Int(bits >> UInt32(18 - 6 * index)) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
