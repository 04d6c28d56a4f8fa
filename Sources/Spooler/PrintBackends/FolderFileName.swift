// Derives file names from job names.

/// A file name that is derived from a job's name, without the file extension.
///
///     FolderFileName(title: "a/b.pdf").name(attempt: 1)   // a_b.pdf
///     FolderFileName(title: "a/b.pdf").name(attempt: 2)   // a_b-2.pdf
///
/// The name is a single path component, is not hidden, and has one line. The name is short enough for all file systems,
/// even with a number appended. Characters that a Windows share does not allow, that control a terminal, or that change
/// the writing direction are replaced by `_`.
struct FolderFileName: Hashable, Sendable {
    /// The name without the file extension.
    let stem: String

    /// The maximum length of the stem (the name without the number and the extension) in bytes.
    ///
    /// Most file systems allow 255 bytes for the stem, the number and the extension together.
    private static let mostBytes = 220

    /// Creates the file name for a job's name.
    init(title: String) {
        let safe = String(title.unicodeScalars.map { Self.isSafe($0) ? Character($0) : "_" })
        var words = safe.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")[...]
        if words.count > 4, words.lowercased().hasSuffix(".pdf") { words = words.dropLast(4) }
        // The name must not be hidden, look like a command-line option, or end with characters that Windows removes.
        if let first = words.first, first == "." || first == "-" { words = "_" + words.dropFirst() }
        words = words.prefixOfBytes(Self.mostBytes)
        while let last = words.last, last == "." || last == " " { words = words.dropLast() }
        stem = words.isEmpty ? "Untitled" : String(words)
    }

    /// Returns the file name for an attempt to find a free name; the first attempt is 1.
    func name(attempt: Int) -> String { attempt == 1 ? "\(stem).pdf" : "\(stem)-\(attempt).pdf" }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        case .format: return scalar == "\u{200D}" || scalar == "\u{200C}"  // joiners are part of words and emoji
        default: return !"/\\:*?\"<>|".unicodeScalars.contains(scalar)
        }
    }
}

extension Substring {
    /// Returns the longest prefix of whole characters that has at most `most` bytes.
    fileprivate func prefixOfBytes(_ most: Int) -> Substring {
        var bytes = 0
        return prefix { character in
            bytes += character.utf8.count
            return bytes <= most
        }
    }
}
