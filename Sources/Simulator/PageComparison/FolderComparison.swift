// Compares the page images of two folders.

import FoundationEssentials

/// The result of comparing the page images of two folders, such as a job's pages and the golden pages.
///
///     let comparison = try FolderComparison("golden", "output/color-laser/job-000001")
///     comparison.isEqual
///     comparison.pages.map(\.summary)      // ["", "40 pixels differ by up to 255, from (0, 12) to (39, 12)"]
public struct FolderComparison: Sendable {
    /// The result of comparing one page.
    public struct Page: Hashable, Sendable {
        /// The name of the page's file, which is the same in both folders.
        public var name: String
        /// A description of the difference; empty when the pages match.
        public var summary: String
        /// The path of the picture of the difference; nil if no picture was written.
        public var picture: String?
    }

    /// The pages that are in at least one of the folders, in the order of the file names.
    public let pages: [Page]

    /// Whether the two folders contain the same page images.
    ///
    /// The value is false if the folders contain no page images.
    public var isEqual: Bool { !pages.isEmpty && pages.allSatisfy(\.summary.isEmpty) }

    /// Compares the files `page-*.png` of two folders.
    ///
    /// - Parameters:
    ///   - tolerance: The largest allowed difference of a color component, from 0 to 255.
    ///   - pictures: The folder for pictures of the differences, which is created if needed. If nil, no pictures are
    ///     written.
    /// - Throws: `ComparisonError` when a folder or an image cannot be read, or a picture cannot be written.
    public init(
        _ golden: String, _ other: String, tolerance: Int = 0, pictures: String? = nil
    ) throws(ComparisonError) {
        let (wanted, found) = (try Self.pages(in: golden), try Self.pages(in: other))
        var pages: [Page] = []
        for name in Set(wanted).union(found).sorted() {
            guard found.contains(name) else {
                pages.append(Page(name: name, summary: "is missing in '\(other)'"))
                continue
            }
            guard wanted.contains(name) else {
                pages.append(Page(name: name, summary: "exists only in '\(other)'"))
                continue
            }
            pages.append(try Self.page(name, golden, other, tolerance, pictures))
        }
        self.pages = pages
    }

    private static func page(
        _ name: String, _ golden: String, _ other: String, _ tolerance: Int, _ pictures: String?
    ) throws(ComparisonError) -> Page {
        let one = try PagePixels(png: "\(golden)/\(name)")
        let two = try PagePixels(png: "\(other)/\(name)")
        var page = Page(name: name, summary: PageDifference(one, two, tolerance: tolerance).summary)
        if (one.width, one.height) != (two.width, two.height) {
            page.summary =
                "has \(two.width) × \(two.height) pixels instead of \(one.width) × \(one.height); " + page.summary
        }
        guard !page.summary.isEmpty, let pictures else { return page }
        let path = "\(pictures)/\(name)"
        do {
            try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: true)
            try Data(PageDifference.picture(of: one, two, tolerance: tolerance).png).write(to: URL(filePath: path))
        } catch {
            throw ComparisonError("cannot write the picture '\(path)'", cause: error)
        }
        page.picture = path
        return page
    }

    private static func pages(in folder: String) throws(ComparisonError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).filter {
                $0.hasPrefix("page-") && $0.hasSuffix(".png")
            }
        } catch {
            throw ComparisonError("cannot read the folder '\(folder)'", cause: error)
        }
    }
}
