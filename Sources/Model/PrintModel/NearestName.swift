// Finds the name that a person probably meant when they mistyped it.

/// A namespace for functions that suggest a known name for an unknown name of a command, an option or a printer.
///
///     NearestName.of("quene", in: ["queue", "status"])            // "queue"
///     NearestName.suggestion(for: "quene", in: ["queue"])         // "; did you mean 'queue'?"
///
/// The distance between two names is the number of letters to insert, delete, replace or swap with the next letter
/// (Damerau-Levenshtein, optimal string alignment). The comparison ignores case.
public enum NearestName {
    /// The maximum length of an unknown name, in characters.
    ///
    /// A longer unknown name has no suggestion.
    private static let longest = 128

    /// Returns the name that is nearest to an unknown name.
    ///
    /// The maximum distance depends on the length of the unknown name: 0 for 1 or 2 letters, 1 for 3 or 4 letters, 2
    /// for 5 to 8 letters, and 3 for longer names.
    ///
    /// Among names at the same distance, a name with the same first letter is preferred. Otherwise the first name in
    /// the list is preferred.
    ///
    /// If no name is near enough, and the unknown name has at least 3 letters, the function searches for names that
    /// begin with the unknown name. If there is exactly one such name, the function returns that name.
    ///
    /// - Returns: The suggested name; nil if there is no suggestion.
    public static func of(_ word: String, in names: some Sequence<String>) -> String? {
        let typed = Array(word.lowercased())
        guard !typed.isEmpty, typed.count <= longest else { return nil }
        let limit = limit(length: typed.count)
        var best: (name: String, distance: Int, startsAlike: Bool)?
        var beginnings: [String] = []
        for name in names {
            let known = Array(name.lowercased())
            if typed.count >= 3, known.starts(with: typed), !beginnings.contains(name) { beginnings.append(name) }
            guard abs(known.count - typed.count) <= limit else { continue }
            let distance = distance(typed, known)
            let startsAlike = known.first == typed.first
            guard distance <= limit, distance < max(known.count, typed.count) else { continue }
            if let best, (best.distance, best.startsAlike ? 0 : 1) <= (distance, startsAlike ? 0 : 1) { continue }
            best = (name, distance, startsAlike)
        }
        return best.map(\.name) ?? (beginnings.count == 1 ? beginnings[0] : nil)
    }

    /// Returns the end of an error message about an unknown name, such as `; did you mean 'queue'?`; empty if there is
    /// no suggestion.
    public static func suggestion(for word: String, in names: some Sequence<String>) -> String {
        of(word, in: names).map { "; did you mean '\($0)'?" } ?? ""
    }

    private static func limit(length: Int) -> Int {
        switch length {
        case ...2: 0
        case ...4: 1
        case ...8: 2
        default: 3
        }
    }

    /// Returns the distance between two names: the number of letters to insert, delete, replace or swap with the next
    /// letter.
    static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in one.indices {
            var current = [row + 1]
            for column in other.indices {
                let replaced = last[column] + (one[row] == other[column] ? 0 : 1)
                var least = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            (beforeLast, last) = (last, current)
        }
        return last[other.count]
    }
}
