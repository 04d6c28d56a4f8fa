// Converts IPP enum values to keywords.

package import PrintModel

extension PrintOption {
    /// Returns the keyword of an enum value of this option, such as `landscape` or `draft`.
    ///
    /// If the value has no keyword, the result is the number as text.
    package func word(for number: Int) -> String {
        let word: String? =
            switch name {
            case "print-quality": PrintQuality(rawValue: number).map { "\($0)" }
            case "finishings": Trimming(rawValue: number)?.keyword
            case "orientation-requested": Orientation(rawValue: number)?.keyword
            default: nil
            }
        return word ?? "\(number)"
    }
}
