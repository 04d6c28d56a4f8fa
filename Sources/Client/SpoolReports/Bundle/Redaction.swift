// Removes secrets and names from texts for the support bundle.

import Glibc
package import SpoolerClient

/// A filter that removes secrets and names from texts.
///
/// Passwords in URIs, secrets after keywords such as `password`, and tokens are always removed. Names of users, jobs
/// and documents are removed unless the user requests a bundle with names.
package struct Redaction: Sendable {
    /// The names to replace, longest first.
    ///
    /// With this order, a name that contains another name is replaced completely.
    private let names: [(name: [UInt8], replacement: [UInt8])]
    private let keepsNames: Bool

    /// The text that replaces a secret.
    package static let removed = "[removed]"

    /// Creates a filter that replaces the given names.
    ///
    /// Names of one byte and names of system accounts, such as `root`, are not replaced.
    ///
    /// - Parameters:
    ///   - users: The names of users.
    ///   - jobs: The names of jobs and documents.
    ///   - keepsNames: Whether to keep the names in the texts.
    package init(users: Set<String>, jobs: Set<String>, keepsNames: Bool) {
        self.keepsNames = keepsNames
        // The names of accounts of the system are in messages of printq, and identify no person.
        let people = users.subtracting(["root", "printq", "lp", "nobody", "all", "none", "anonymous"])
        let all = jobs.map { ($0, "[job]") } + people.map { ($0, "[user]") }
        names = all.filter { $0.0.utf8.count > 1 }
            .sorted { ($0.0.utf8.count, $0.0) > ($1.0.utf8.count, $1.0) }
            .map { (Array($0.0.utf8), Array($0.1.utf8)) }
    }

    /// Returns the text without secrets.
    ///
    /// The result contains names only if the filter keeps names.
    package func text(_ text: String) -> String {
        let bare = Self.withoutTokens(Self.withoutSecrets(Self.withoutUserInfo(text)))
        return keepsNames ? bare : withoutNames(bare)
    }

    /// Returns the JSON value with redacted strings.
    ///
    /// The value of a member such as `password` is replaced completely.
    package func json(_ value: JSONText) -> JSONText {
        switch value {
        case .string(let string): .string(text(string))
        case .array(let values): .array(values.map(json))
        case .object(let members):
            .object(members.map { ($0.name, Self.isSecret($0.name) ? .string(Self.removed) : json($0.value)) })
        default: value
        }
    }

    // MARK: - Secrets

    /// Removes the user name and the password from the URIs in a text: `ipp://ann:secret@host` becomes `ipp://host`.
    private static func withoutUserInfo(_ text: String) -> String {
        text.replacing(#/([A-Za-z][A-Za-z0-9+.\-]*:/{1,2})[^\s/"'<>]+@/#) { $0.output.1 }
    }

    /// The keywords that precede a secret, such as `password`.
    private static let secretWords = ["password", "passwd", "secret", "token", "authorization", "cookie", "credential"]

    private static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return secretWords.contains { name.contains($0) }
    }

    /// Replaces the values after keywords such as `password=` and `Authorization:` with `[removed]`.
    private static func withoutSecrets(_ text: String) -> String {
        guard isSecret(text) else { return text }
        let pattern =
            #/(?i)((?:password|passwd|secret|token|authorization|cookie|credential)[A-Za-z]*["']?\s*[=:]\s*)((?:basic|bearer|digest)\s+)?[^\s,;&]+/#
        return text.replacing(pattern) { "\($0.output.1)\(removed)" }
    }

    /// Replaces sequences of at least 32 characters that can be tokens, keys or fingerprints.
    ///
    /// Such a sequence contains letters and digits, and can contain `_`, `-`, `+` and `=`.
    private static func withoutTokens(_ text: String) -> String {
        text.replacing(#/[A-Za-z0-9_\-+=]{32,}/#) { match in
            let word = match.output
            return word.contains(where: \.isNumber) && word.contains(where: \.isLetter) ? removed : String(word)
        }
    }

    // MARK: - Names

    /// Replaces the names of users, jobs and documents, and the names of home folders.
    private func withoutNames(_ text: String) -> String {
        var bytes = Array(text.replacing(#//home/[^/\s"']+/#) { _ in "/home/[user]" }.utf8)
        for (name, replacement) in names where Self.find(name, in: bytes, from: 0) != nil {
            var result: [UInt8] = []
            var position = 0
            while let start = Self.find(name, in: bytes, from: position) {
                let end = start + name.count
                // A part of a longer word is not the name.
                let isWhole =
                    (start == 0 || !Self.isWord(bytes[start - 1]) || !Self.isWord(name[0]))
                    && (end == bytes.count || !Self.isWord(bytes[end]) || !Self.isWord(name[name.count - 1]))
                result += bytes[position..<start] + (isWhole ? replacement : name)
                position = end
            }
            bytes = result + bytes[position...]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
            || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
    }

    private static func find(_ name: [UInt8], in bytes: [UInt8], from position: Int) -> Int? {
        guard position + name.count <= bytes.count else { return nil }
        return bytes.withUnsafeBytes { buffer in
            (position...buffer.count - name.count).first { start in
                buffer[start] == name[0] && memcmp(buffer.baseAddress! + start, name, name.count) == 0
            }
        }
    }
}
