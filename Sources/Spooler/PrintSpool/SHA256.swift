// Calculates SHA-256 digests piece by piece.

import CGnuTLS

/// A hash function that computes a SHA-256 digest of data that arrives in pieces.
package struct SHA256: ~Copyable {
    private let handle: gnutls_hash_hd_t

    package init() {
        var handle: gnutls_hash_hd_t?
        // GnuTLS always has SHA-256. An equal digest of all data would accept every token.
        guard gnutls_hash_init(&handle, GNUTLS_DIG_SHA256) == 0, let handle else {
            preconditionFailure("GnuTLS cannot compute SHA-256")
        }
        self.handle = handle
    }

    deinit { gnutls_hash_deinit(handle, nil) }

    /// Adds bytes to the data that is hashed.
    package mutating func update(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { gnutls_hash(handle, $0.baseAddress, $0.count) }
    }

    /// Returns the digest of all added bytes as 64 hexadecimal digits.
    package mutating func digest() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        gnutls_hash_output(handle, &digest)
        return digest.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }
}
