// Calculates SHA-256 digests piece by piece.

import CGnuTLS

/// A hash function that computes a SHA-256 digest of data that arrives in pieces.
struct SHA256: ~Copyable {
    private let handle: gnutls_hash_hd_t?

    init() {
        var handle: gnutls_hash_hd_t?
        gnutls_hash_init(&handle, GNUTLS_DIG_SHA256)
        self.handle = handle
    }

    deinit { if let handle { gnutls_hash_deinit(handle, nil) } }

    /// Adds bytes to the data that is hashed.
    mutating func update(_ bytes: [UInt8]) {
        if let handle { _ = bytes.withUnsafeBytes { gnutls_hash(handle, $0.baseAddress, $0.count) } }
    }

    /// Returns the digest of all added bytes as 64 hexadecimal digits.
    mutating func digest() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        if let handle { gnutls_hash_output(handle, &digest) }
        return digest.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }
}
