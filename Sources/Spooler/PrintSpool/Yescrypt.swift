// Hashes passwords with libcrypt.

import AsyncPrimitives
import CCrypt
import Glibc

/// A namespace for functions that calculate and compare yescrypt hashes, in the notation of crypt(5).
package enum Yescrypt {
    /// The cost of a hash.
    package enum Cost: UInt {
        /// About 50 ms of a processor and 16 MiB of memory, so that a stolen database does not reveal weak passwords
        /// soon.
        case standard = 0
        /// About a millisecond.
        case lowest = 1
    }

    /// Returns a hash with a new salt; nil if libcrypt has no yescrypt.
    package static func hash(of password: String, cost: Cost = .standard) -> String? {
        BlockingCall.check()
        // A null pointer selects random bytes of the kernel.
        guard let setting = crypt_gensalt_ra("$y$", cost.rawValue, nil, 0) else { return nil }
        defer { free(setting) }
        return Self.hash(of: password, setting)
    }

    /// Returns whether a hash is the hash of a password.
    ///
    /// - Parameter hash: The stored hash; nil for a user that does not exist. The result is then false, after the same
    ///   time.
    package static func matches(_ password: String, _ hash: String?) -> Bool {
        BlockingCall.check()
        let stored = hash ?? decoy
        guard let computed = Self.hash(of: password, stored) else { return false }
        let (left, right) = (Array(computed.utf8), Array(stored.utf8))
        let difference = zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        return hash != nil && left.count == right.count && difference == 0
    }

    /// A hash of an unknown password.
    private static let decoy = hash(of: "\(UInt64.random(in: 0 ... .max))") ?? ""

    /// Returns the hash with the method, cost and salt of another hash; nil if the other hash is invalid.
    private static func hash(of password: String, _ setting: UnsafePointer<CChar>) -> String? {
        var memory: UnsafeMutableRawPointer?
        var size: Int32 = 0
        defer {
            if let memory { explicit_bzero(memory, Int(size)) }
            free(memory)
        }
        return crypt_ra(password, setting, &memory, &size).map { String(cString: $0) }
    }
}
