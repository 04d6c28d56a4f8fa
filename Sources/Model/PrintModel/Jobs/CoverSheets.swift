// Defines the cover sheets of a job, and the texts on them.

/// The kind of a cover sheet, with the names of CUPS' banner pages.
public enum CoverSheet: String, Hashable, Sendable, Codable, CaseIterable {
    case standard, unclassified, classified, confidential, secret
    case topSecret = "topsecret"

    /// The classification that is printed at the edges of the sheet; nil for no classification.
    package var classification: String? {
        switch self {
        case .standard: nil
        case .topSecret: "Top Secret"
        default: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        }
    }
}

/// The sheets that are printed before and after the documents of a job (IPP `job-sheets`, RFC 8011 §5.2.3).
///
/// The text is that of CUPS: the sheet before the documents, and the sheet after the documents.
///
///     CoverSheets(text: "standard,none")      // a sheet before the documents
///     CoverSheets(text: "none")               // no sheets, even if the printer has a default
///
/// Each sheet is printed once per job, and has a blank back if the job is two-sided.
public struct CoverSheets: Hashable, Sendable, Codable {
    /// The sheet before the documents; nil for no sheet.
    public var start: CoverSheet?
    /// The sheet after the documents; nil for no sheet.
    public var end: CoverSheet?

    /// Creates a value; by default without sheets.
    public init(start: CoverSheet? = nil, end: CoverSheet? = nil) { (self.start, self.end) = (start, end) }

    /// The names of one word, which are the values of `job-sheets-supported`; the names of PWG 5100.7 are last.
    package static let names =
        ["none"] + CoverSheet.allCases.map(\.rawValue) + ["job-both-sheet", "job-end-sheet", "job-start-sheet"]

    /// Reads one name, or two names that are separated by a comma; returns nil for any other text.
    package init?(text: String) {
        let words = text.lowercased().split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        switch words {
        case ["job-both-sheet"]: self.init(start: .standard, end: .standard)
        case ["job-end-sheet"]: self.init(end: .standard)
        case ["job-start-sheet"]: self.init(start: .standard)
        default:
            let sheets = words.map { CoverSheet(rawValue: $0) }
            guard (1...2).contains(words.count), zip(words, sheets).allSatisfy({ $0 == "none" || $1 != nil }) else {
                return nil
            }
            self.init(start: sheets[0], end: sheets.count == 2 ? sheets[1] : nil)
        }
    }

    /// The keywords of CUPS: the sheet before the documents, and the sheet after the documents.
    package var keywords: [String] { [start, end].map { $0?.rawValue ?? "none" } }

    /// The text with the fewest words.
    package var text: String { end == nil ? keywords[0] : keywords.joined(separator: ",") }

    /// The number of sheets: 0 to 2.
    package var count: Int { (start == nil ? 0 : 1) + (end == nil ? 0 : 1) }
}

/// The texts on the cover sheets of a job; texts that are nil are not printed.
public struct CoverText: Hashable, Sendable, Codable {
    /// The title of the job.
    package var title: String?
    /// The number of the job.
    package var job: Int?
    package var user: String?
    /// The computer that prepares the job.
    package var host: String?
    package var printer: String?
    /// The time at which the job was submitted.
    package var date: UnixTime?

    package init(
        title: String? = nil, job: Int? = nil, user: String? = nil, host: String? = nil, printer: String? = nil,
        date: UnixTime? = nil
    ) {
        (self.title, self.job, self.user) = (title, job, user)
        (self.host, self.printer, self.date) = (host, printer, date)
    }
}
