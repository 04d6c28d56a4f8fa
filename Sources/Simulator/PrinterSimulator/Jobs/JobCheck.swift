// Checks the content of printed jobs.

import PrintModel

/// A check of the content of a job, which finds what often surprises people on paper.
///
/// A failed check is no warning: the printer prints the job as requested.
package enum JobCheck: String, Hashable, Sendable, Codable, CaseIterable {
    /// All fonts that the pages name are embedded in the documents.
    case fonts
    /// All content lies inside of the printable area.
    case printableArea = "printable-area"
    /// No page is blank.
    case blankPages = "blank-pages"
    /// A printer without color receives no colored pages.
    case color

    /// The failure of a check.
    package struct Failure: Hashable, Sendable, Codable {
        package var check: JobCheck
        /// The numbers of the page images with the failure, from 1; empty if the failure concerns whole documents.
        package var pages: [Int] = []
        /// The names of the fonts that are not embedded.
        package var fonts: [String] = []

        /// The failure in one sentence.
        package var message: String {
            switch check {
            case .fonts: "fonts are not embedded: \(fonts.joined(separator: ", "))"
            case .printableArea: "content lies outside of the printable area on \(pageText)"
            case .blankPages: "\(pageText) \(pages.count == 1 ? "is" : "are") blank"
            case .color: "the printer has no color and printed \(pageText) in gray"
            }
        }

        private var pageText: String {
            let shown = pages.prefix(10).map(String.init).joined(separator: ", ")
            let rest = pages.count > 10 ? " and \(pages.count - 10) more" : ""
            return "page\(pages.count == 1 ? "" : "s") \(shown)\(rest)"
        }

        private enum CodingKeys: String, CodingKey { case check, pages, fonts, message }

        init(_ check: JobCheck, pages: [Int] = [], fonts: [String] = []) {
            (self.check, self.pages, self.fonts) = (check, pages, fonts)
        }

        package init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: CodingKeys.self)
            check = try keys.decode(JobCheck.self, forKey: .check)
            pages = try keys.decodeIfPresent([Int].self, forKey: .pages) ?? []
            fonts = try keys.decodeIfPresent([String].self, forKey: .fonts) ?? []
        }

        package func encode(to encoder: any Encoder) throws {
            var keys = encoder.container(keyedBy: CodingKeys.self)
            try keys.encode(check, forKey: .check)
            if !pages.isEmpty { try keys.encode(pages, forKey: .pages) }
            if !fonts.isEmpty { try keys.encode(fonts, forKey: .fonts) }
            try keys.encode(message, forKey: .message)
        }
    }
}

extension RasterizedDocument {
    /// The failed checks of the documents, in the order of `JobCheck.allCases`.
    ///
    /// - Parameter hasColor: Whether the printer prints colors.
    func failedChecks(hasColor: Bool) -> [JobCheck.Failure] {
        func numbers(_ isAffected: (PageImage) -> Bool) -> [Int] {
            zip(1..., pages).filter { isAffected($0.1) }.map(\.0)
        }
        let found: [(check: JobCheck, pages: [Int])] = [
            (.printableArea, numbers { !$0.clipped.isEmpty }), (.blankPages, numbers(\.isBlank)),
            (.color, hasColor ? [] : numbers { $0.isColored == true }),
        ]
        return (missingFonts.isEmpty ? [] : [JobCheck.Failure(.fonts, fonts: missingFonts)])
            + found.filter { !$0.pages.isEmpty }.map { JobCheck.Failure($0.check, pages: $0.pages) }
    }
}
