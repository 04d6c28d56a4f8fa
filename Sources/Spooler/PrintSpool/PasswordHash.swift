// The stored form of a job's password.

import AsyncPrimitives
package import PrintModel

/// The stored form of a job's password.
///
/// The hash is a yescrypt hash with a random salt. Its cost is the lowest, because a
/// release station compares a PIN with every waiting job of a printer, and no cost protects a PIN of four digits from
/// people who can read the database.
package struct PasswordHash: Hashable, Sendable {
    package var hash: String
    /// The form in which the client sent the password.
    package var encryption: JobPassword.Encryption

    package init(hash: String, encryption: JobPassword.Encryption) {
        (self.hash, self.encryption) = (hash, encryption)
    }

    /// Calculates the hash of a password.
    ///
    /// - Throws: `inconsistent` if libcrypt does not support yescrypt.
    package init(_ password: JobPassword) async throws(SpoolError) {
        let text = await BlockingThreads.shared.run { () -> String? in
            Yescrypt.hash(of: password.text, cost: .lowest)
        }
        guard let text else {
            throw SpoolError(
                code: .inconsistent, message: "libcrypt cannot hash the password; install libcrypt1 4.4 or later")
        }
        self.init(hash: text, encryption: password.encryption)
    }

    /// Returns whether a password is the hashed password.
    ///
    /// A PIN also matches the hash of its digest. The calculation takes about a millisecond: call the function with
    /// `BlockingThreads`.
    func matches(_ password: JobPassword) -> Bool {
        text(of: password).map { Yescrypt.matches($0, hash) } ?? false
    }

    /// Returns the text of a password in the form of the hashed password; nil if there is no such form.
    private func text(of password: JobPassword) -> String? {
        if password.encryption == encryption { return password.text }
        guard password.encryption == .none, encryption == .sha256 else { return nil }
        var digest = SHA256()
        digest.update(Array(password.text.utf8))
        return digest.digest()
    }
}
