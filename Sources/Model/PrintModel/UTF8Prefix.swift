// Cuts texts to a length in bytes.

extension String {
    /// Returns the longest prefix of the text that has at most the given number of UTF-8 bytes.
    ///
    /// The text is cut between characters, with one exception: if the first character is longer than the limit, such as
    /// a letter with many accents, the text is cut within this character.
    package func prefixOfUTF8(_ limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var used = 0
        let whole = prefix {
            used += $0.utf8.count
            return used <= limit
        }
        if !whole.isEmpty { return String(whole) }
        used = 0
        return String(
            String.UnicodeScalarView(
                unicodeScalars.prefix {
                    used += UTF8.width($0)
                    return used <= limit
                }))
    }
}
