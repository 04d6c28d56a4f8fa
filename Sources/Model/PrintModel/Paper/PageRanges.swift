// Which pages of a document are printed.

/// A choice of pages, as IPP's `page-ranges` (RFC 8011 §5.2.7) and as people write it.
///
///     let ranges = try PageRanges("1-3,7,9-")
///     ranges.pages(of: 10)     // [1, 2, 3, 7, 9, 10]
///
/// - Invariant: ranges ascend and do not touch or overlap; no range is empty; pages count from 1.
public struct PageRanges: Hashable, Sendable, CustomStringConvertible {
    /// The ranges, ascending.
    ///
    /// An upper bound of `Int32.max` (IPP's MAX) means to the end.
    public let ranges: [ClosedRange<Int>]

    /// To the end of the document (IPP's MAX).
    public static let end = Int(Int32.max)

    /// The most pages that `pages(of:)` and `count(of:)` count; a longer document counts as having that many.
    public static let mostPages = 1_000_000

    /// Every page.
    public static let all = PageRanges(normalized: [1...end])

    private init(normalized ranges: [ClosedRange<Int>]) { self.ranges = ranges }

    /// The pages of the given ranges, in page order whatever order they come in; overlaps are joined.
    ///
    /// - Throws: `PageRangesError` when there is no range, or one starts below page 1 or after `end`.
    public init(_ ranges: [ClosedRange<Int>]) throws(PageRangesError) {
        guard !ranges.isEmpty else { throw PageRangesError(text: "", reason: "no page is named") }
        var joined: [ClosedRange<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard range.lowerBound >= 1 else {
                throw PageRangesError(text: "\(range.lowerBound)", reason: "pages count from 1")
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

    /// Reads ranges as people write them: `1-3,7,9-`, `-4`.
    ///
    /// - Throws: `PageRangesError` that names the part that is wrong: `0`, `5-2`, `a-b`.
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
        PageRangesError(text: part, reason: "\(number) is more than any document has")
    }

    private static func parse(_ part: String) throws(PageRangesError) -> ClosedRange<Int> {
        let bounds = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
        func number(_ text: String) throws(PageRangesError) -> Int {
            guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else {
                throw PageRangesError(text: part, reason: "'\(text)' is not a page number")
            }
            guard let value = Int(text), value <= end else { throw tooLarge(text, in: part) }
            guard value >= 1 else { throw PageRangesError(text: part, reason: "pages count from 1") }
            return value
        }
        guard part != "", part != "-" else { throw PageRangesError(text: part, reason: "no page is named") }
        if bounds.count == 1 {
            let page = try number(bounds[0])
            return page...page
        }
        let first = bounds[0].isEmpty ? 1 : try number(bounds[0])
        let last = bounds[1].isEmpty ? end : try number(bounds[1])
        guard first <= last else {
            throw PageRangesError(text: part, reason: "the first page comes after the last; write \(last)-\(first)")
        }
        return first...last
    }

    /// Whether the page, counted from 1, is chosen.
    public func contains(_ page: Int) -> Bool { ranges.contains { $0.contains(page) } }

    /// The chosen pages that a document of `count` pages has, ascending, counted from 1.
    public func pages(of count: Int) -> [Int] { chosen(of: count).flatMap(Array.init) }

    /// How many of a document's `count` pages are chosen.
    public func count(of count: Int) -> Int { chosen(of: count).reduce(0) { $0 + $1.count } }

    private func chosen(of count: Int) -> [ClosedRange<Int>] {
        let last = min(count, Self.mostPages)
        return ranges.filter { $0.lowerBound <= last }.map { $0.lowerBound...min($0.upperBound, last) }
    }

    /// The ranges as people write them.
    public var description: String {
        ranges.map {
            if $0.lowerBound == $0.upperBound { return "\($0.lowerBound)" }
            return $0.upperBound == Self.end ? "\($0.lowerBound)-" : "\($0.lowerBound)-\($0.upperBound)"
        }.joined(separator: ",")
    }
}

/// Why page ranges make no sense.
public struct PageRangesError: Error, Hashable, CustomStringConvertible {
    /// The part that is wrong, as it was written.
    public let text: String
    /// What is wrong with it.
    public let reason: String

    /// One sentence for people, with what to write instead.
    public var description: String {
        "the page range '\(text)' makes no sense: \(reason); write ranges like 1-3,7,9-"
    }
}

extension PageRanges: Codable {
    /// Writes the ranges as people do.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Reads what people write; throws `PageRangesError` when it makes no sense.
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }
}
