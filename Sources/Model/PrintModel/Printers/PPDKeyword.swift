// Converts names of trays, bins and paper types between the notations of IPP and PPD files.

extension String {
    /// The keyword of a PPD file for this IPP keyword, such as `Tray1` for `tray-1`; nil if this text has no ASCII
    /// letters or digits.
    ///
    /// The conversion is that of libcups. A keyword has at most 40 characters.
    package var ppdKeyword: String? {
        let words = split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let keyword = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined().prefix(40)
        return keyword.isEmpty ? nil : String(keyword)
    }
}

extension [String] {
    /// Returns the name in this list that a client means: the same name, or the same letters and digits.
    ///
    ///     ["tray-1", "tray-2"].name(meantBy: "Tray1")     // "tray-1"
    package func name(meantBy word: String) -> String? {
        func folded(_ word: String) -> String { word.lowercased().filter { $0.isLetter || $0.isNumber } }
        let wanted = folded(word)
        return first { $0 == word } ?? first { !wanted.isEmpty && folded($0) == wanted }
            ?? first { $0.ppdKeyword.map(folded) == wanted }
    }
}
