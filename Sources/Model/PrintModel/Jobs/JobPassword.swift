// The password with which a person releases a job, as a client sends it.

/// The password of a job (`job-password`, PWG 5100.11): a PIN, or its digest.
///
/// The description of the value does not contain the password.
public struct JobPassword: Hashable, Sendable, CustomStringConvertible {
    /// The form in which a client sends a password (`job-password-encryption`).
    package enum Encryption: String, Hashable, Sendable, CaseIterable {
        case none
        case sha256 = "sha2-256"

        /// The number of hexadecimal digits of a digest; nil for `none`.
        fileprivate var digits: Int? { self == .sha256 ? 64 : nil }
    }

    /// The permitted numbers of digits of a PIN.
    package static let lengths = 4...8

    /// The digits of the PIN, or the hexadecimal digits of its digest in lower case.
    package let text: String
    /// The form in which the client sent the password.
    package let encryption: Encryption

    /// Creates the password with the given PIN; nil unless the PIN consists of 4 to 8 ASCII digits.
    package init?(pin: String) { self.init(Array(pin.utf8), .none) }

    /// Creates the password from the bytes that a client sent; nil if the bytes are not a valid password.
    ///
    /// A digest consists of bytes or of hexadecimal digits. A user of `lp` can type only digits.
    package init?(_ bytes: [UInt8], _ encryption: Encryption) {
        self.encryption = encryption
        guard let digits = encryption.digits else {
            guard Self.lengths.contains(bytes.count), bytes.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            text = String(decoding: bytes, as: UTF8.self)
            return
        }
        if bytes.count == digits / 2 {
            text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        } else {
            let given = String(decoding: bytes, as: UTF8.self).lowercased()
            guard given.utf8.count == digits, given.utf8.allSatisfy(Set("0123456789abcdef".utf8).contains) else {
                return nil
            }
            text = given
        }
    }

    /// A fixed text, so that no log contains a password.
    public var description: String { "a password of a job" }
}

/// The wrong passwords that were entered at the release station of a printer.
///
/// A wrong password at a station concerns no single job. After three wrong passwords, the station therefore accepts no
/// password for a time, which doubles with each further wrong password.
package struct ReleaseAttempts: Hashable, Sendable {
    /// The number of wrong passwords of a job after which only its owner can release the job, and of a station after
    /// which the station accepts no password for a time.
    package static let most = 3

    /// The number of wrong passwords since the last hour without a wrong password.
    package private(set) var failures: Int
    /// The time of the last wrong password.
    package private(set) var lastAt: UnixTime

    package init(failures: Int = 0, lastAt: UnixTime = 0) { (self.failures, self.lastAt) = (failures, lastAt) }

    /// The number of seconds until the station accepts a password; nil if the station accepts a password now.
    package func wait(at now: UnixTime) -> Double? {
        guard failures >= Self.most else { return nil }
        let block = min(Self.longestBlock, 60 * Double(1 << min(failures - Self.most, 10)))
        // After the clock was set back, the station must not be blocked for longer.
        let rest = min(lastAt + block - now, block)
        return rest > 0 ? rest : nil
    }

    /// Counts a wrong password.
    package mutating func noteFailure(at now: UnixTime) {
        failures = now - lastAt > Self.memory ? 1 : failures + 1
        lastAt = now
    }

    private static let longestBlock = 900.0
    private static let memory = 3600.0
}
