// Parses and stores the selected pages of a document.

/// A selection of pages, in the notation of IPP's `page-ranges` (RFC 8011 §5.2.7) or of user input.
///
///     let ranges = try PageRanges("1-3,7,9-")
///     ranges.pages(of: 10)     // [1, 2, 3, 7, 9, 10]
///
/// - Invariant: The ranges are ascending. No range is empty, and no two ranges are adjacent or overlap. Page numbers
///   start at 1.
public struct PageRanges: Hashable, Sendable, CustomStringConvertible {
    /// The ranges in ascending order.
    ///
    /// An upper bound of `Int32.max` (IPP's MAX) means the end of the document.
    public let ranges: [ClosedRange<Int>]

    /// The upper bound that means the end of the document (IPP's MAX).
    public static let end = Int(Int32.max)

    /// The maximum number of pages that `pages(of:)` and `count(of:)` count.
    ///
    /// A longer document counts as a document with the maximum number of pages.
    public static let mostPages = 1_000_000

    /// The selection of all pages.
    public static let all = PageRanges(normalized: [1...end])

    private init(normalized ranges: [ClosedRange<Int>]) { self.ranges = ranges }

    /// Creates a selection from ranges in any order; overlapping ranges are merged.
    ///
    /// - Throws: `PageRangesError` when there is no range, or a range starts before page 1 or after `end`.
    public init(_ ranges: [ClosedRange<Int>]) throws(PageRangesError) {
        guard !ranges.isEmpty else { throw Self.noPage(in: "") }
        var joined: [ClosedRange<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard range.lowerBound >= 1 else {
                throw PageRangesError(text: "\(range.lowerBound)", reason: "page numbers start at 1")
            }
            guard range.lowerBound <= Self.end else {
                throw Self.tooLarge("\(range.lowerBound)", in: "\(range.lowerBound)")
            }
            let upper = min(range.upperBound, Self.end)
            if let last = joined.last, range.lowerBound - 1 <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, upper)
            } else {
                joined.append(range.lowerBound...upper)
            }
        }
        self.init(normalized: joined)
    }

    /// Parses ranges in the notation of user input: `1-3,7,9-`, `-4`.
    ///
    /// - Throws: `PageRangesError` with the invalid part: `0`, `5-2`, `a-b`.
    public init(_ text: String) throws(PageRangesError) {
        var ranges: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            ranges.append(try Self.parse(Self.trimmed(part)))
        }
        try self.init(ranges)
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    private static func tooLarge(_ number: String, in part: String) -> PageRangesError {
        PageRangesError(text: part, reason: "\(number) is too large for a page number")
    }

    private static func noPage(in part: String) -> PageRangesError {
        PageRangesError(text: part, reason: "no page number; write ranges such as 1-3,7,9-")
    }

    private static func parse(_ part: String) throws(PageRangesError) -> ClosedRange<Int> {
        let bounds = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
        func number(_ text: String) throws(PageRangesError) -> Int {
            guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else {
                throw PageRangesError(
                    text: part, reason: "'\(text)' is not a page number; write ranges such as 1-3,7,9-")
            }
            guard let value = Int(text), value <= end else { throw tooLarge(text, in: part) }
            guard value >= 1 else { throw PageRangesError(text: part, reason: "page numbers start at 1") }
            return value
        }
        guard part != "", part != "-" else { throw noPage(in: part) }
        if bounds.count == 1 {
            let page = try number(bounds[0])
            return page...page
        }
        let first = bounds[0].isEmpty ? 1 : try number(bounds[0])
        let last = bounds[1].isEmpty ? end : try number(bounds[1])
        guard first <= last else {
            throw PageRangesError(text: part, reason: "did you mean \(last)-\(first)?")
        }
        return first...last
    }

    /// Returns whether the page with the given number, counted from 1, is selected.
    public func contains(_ page: Int) -> Bool { ranges.contains { $0.contains(page) } }

    /// Returns the selected pages of a document with `count` pages, ascending, counted from 1.
    public func pages(of count: Int) -> [Int] { chosen(of: count).flatMap(Array.init) }

    /// Returns the number of selected pages of a document with `count` pages.
    public func count(of count: Int) -> Int { chosen(of: count).reduce(0) { $0 + $1.count } }

    private func chosen(of count: Int) -> [ClosedRange<Int>] {
        let last = min(count, Self.mostPages)
        return ranges.filter { $0.lowerBound <= last }.map { $0.lowerBound...min($0.upperBound, last) }
    }

    /// The ranges in the notation of user input.
    public var description: String {
        ranges.map {
            if $0.lowerBound == $0.upperBound { return "\($0.lowerBound)" }
            return $0.upperBound == Self.end ? "\($0.lowerBound)-" : "\($0.lowerBound)-\($0.upperBound)"
        }.joined(separator: ",")
    }
}

/// An error in the notation of page ranges.
public struct PageRangesError: Error, Hashable, CustomStringConvertible {
    /// The invalid part, as written by the user.
    public let text: String
    /// The reason why the part is invalid, with a suggestion.
    public let reason: String

    /// The error message for users, in one sentence with a suggestion.
    public var description: String {
        "invalid page range '\(text)': \(reason)"
    }

    /// Returns the reason why page ranges are invalid.
    ///
    /// `ranges` is the complete text that the user entered. If the text has several parts, the result also contains the
    /// invalid part.
    func explanation(of ranges: String) -> String { text == ranges ? reason : "'\(text)': \(reason)" }
}

extension PageRanges: Codable {
    /// Encodes the ranges in the notation of user input.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Decodes page ranges in the notation of user input.
    ///
    /// - Throws: `PageRangesError` for invalid ranges.
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }
}
