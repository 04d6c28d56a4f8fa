// Sanitizes text from a process, so that it can be stored, logged and shown.

extension String {
    /// Returns the text as one line without control characters, truncated to a maximum number of characters.
    package func sanitized(to longest: Int = 1000) -> String {
        let line = prefix(longest).unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: Unicode.Scalar(" ")
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(line)) + (dropFirst(longest).isEmpty ? "" : " …")
    }
}
