// The pages of two folders, one by one.

import FoundationEssentials

/// What came of comparing the page images of two folders, such as a job's and the ones it should be like.
///
///     let comparison = try FolderComparison("golden", "output/color-laser/job-000001")
///     comparison.isEqual
///     comparison.pages.map(\.words)      // "page-0002.png: 40 pixels differ, from (0, 12) to (39, 12), by up to 255"
public struct FolderComparison: Sendable {
    /// What came of one page.
    public struct Page: Hashable, Sendable {
        /// The file's name in both folders.
        public var name: String
        /// What is wrong with it in words; empty when both are alike.
        public var words: String
        /// The path of a picture of the difference, when one was asked for.
        public var picture: String?
    }

    /// Every page that is in one of the folders, in order.
    public let pages: [Page]

    /// Whether the folders have the same pages, and at least one.
    public var isEqual: Bool { !pages.isEmpty && pages.allSatisfy(\.words.isEmpty) }

    /// Compares the files `page-*.png` of two folders.
    ///
    /// - Parameters:
    ///   - golden: the pages as they should be.
    ///   - tolerance: by how much a colour may differ, 0 to 255.
    ///   - pictures: a folder for pictures of the differences; nil for none. It is made when there is one.
    /// - Throws: `ComparisonError` when a folder or an image cannot be read.
    public init(
        _ golden: String, _ other: String, tolerance: Int = 0, pictures: String? = nil
    ) throws(ComparisonError) {
        let (wanted, found) = (try Self.pages(in: golden), try Self.pages(in: other))
        var pages: [Page] = []
        for name in Set(wanted).union(found).sorted() {
            guard found.contains(name) else {
                pages.append(Page(name: name, words: "is missing in '\(other)'"))
                continue
            }
            guard wanted.contains(name) else {
                pages.append(Page(name: name, words: "is in '\(other)' only"))
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
        var page = Page(name: name, words: PageDifference(one, two, tolerance: tolerance).words)
        if (one.width, one.height) != (two.width, two.height) {
            page.words =
                "has \(two.width) × \(two.height) pixels instead of \(one.width) × \(one.height); " + page.words
        }
        guard !page.words.isEmpty, let pictures else { return page }
        let path = "\(pictures)/\(name)"
        do {
            try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: true)
            try Data(PageDifference.picture(of: one, two, tolerance: tolerance).png).write(to: URL(filePath: path))
        } catch {
            throw ComparisonError("the picture '\(path)' cannot be written", cause: error)
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
            throw ComparisonError("the folder '\(folder)' cannot be read", cause: error)
        }
    }
}
