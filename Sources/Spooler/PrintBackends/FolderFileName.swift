// What a PDF in a folder is called.

/// The file name that a job's name makes, without its ending.
///
///     FolderFileName(title: "a/b.pdf").name(attempt: 1)   // a_b.pdf
///     FolderFileName(title: "a/b.pdf").name(attempt: 2)   // a_b-2.pdf
///
/// It is one name, visible, in one line, and short enough for any file system with a number behind it. Characters that
/// a share of Windows does not take, that control a terminal or turn the direction of writing become `_`.
struct FolderFileName: Hashable, Sendable {
    /// The name without its ending.
    let stem: String

    /// The most bytes of a stem: a file system's 255, less a number and the ending.
    private static let mostBytes = 220

    /// The name for a job's name.
    init(title: String) {
        let safe = String(title.unicodeScalars.map { Self.isSafe($0) ? Character($0) : "_" })
        var words = safe.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")[...]
        if words.count > 4, words.lowercased().hasSuffix(".pdf") { words = words.dropLast(4) }
        // Neither hidden, nor an option of whoever lists the folder, nor what Windows cuts off.
        if let first = words.first, first == "." || first == "-" { words = "_" + words.dropFirst() }
        words = words.prefixOfBytes(Self.mostBytes)
        while let last = words.last, last == "." || last == " " { words = words.dropLast() }
        stem = words.isEmpty ? "Untitled" : String(words)
    }

    /// The file name that is tried, from 1.
    func name(attempt: Int) -> String { attempt == 1 ? "\(stem).pdf" : "\(stem)-\(attempt).pdf" }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        case .format: return scalar == "\u{200D}" || scalar == "\u{200C}"  // joiners are part of words and pictures
        default: return !"/\\:*?\"<>|".unicodeScalars.contains(scalar)
        }
    }
}

extension Substring {
    /// As many whole characters from the start as fit into so many bytes.
    fileprivate func prefixOfBytes(_ most: Int) -> Substring {
        var bytes = 0
        return prefix { character in
            bytes += character.utf8.count
            return bytes <= most
        }
    }
}
