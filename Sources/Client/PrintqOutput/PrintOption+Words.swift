// Numbers that IPP writes for words.

import PrintModel

extension PrintOption {
    /// The word that people write for one of this option's numbers in IPP: `landscape`, `draft`; the number where there is none.
    func word(for number: Int) -> String {
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
