// Pages as they should be.

import FoundationEssentials
import PageComparison

/// How a page differs from the one that it should be like.
public struct GoldenDifference: Sendable, Hashable, CustomStringConvertible {
    /// What differs and where: `page 1 of job 1: 40 pixels differ, from (0, 12) to (39, 12), by up to 255`.
    public var description: String
    /// A picture of both pages with what differs between them in red; it is kept.
    public var picture: String?
}

extension PrintedPage {
    /// What differs between this page and a golden image; nil when they are alike.
    ///
    ///     let difference = try job.pages[0].difference(from: "Golden/letter-1.png")
    ///     #expect(difference == nil)
    ///
    /// With `PRINT_TESTING_RECORD=1` in the environment the page becomes the golden image instead, and nothing differs.
    /// A picture of the difference is written to `$PRINT_TESTING_DIFFERENCES`, or a folder among the temporary ones.
    ///
    /// - Parameters:
    ///   - golden: the PNG of the page as it should be, from the root or from the folder of the test's source.
    ///   - tolerance: by how much a colour may differ, from 0 to 255.
    ///   - sourceFile: the test's source.
    /// - Throws: `unreadable` when one of the images cannot be read, or the golden one is not there.
    public func difference(
        from golden: String, tolerance: Int = 0, sourceFile: String = #filePath
    ) throws(PrintTestingError) -> GoldenDifference? {
        let path = SourceFolder(of: sourceFile).resolve(golden)
        if let record = ProcessInfo.processInfo.environment["PRINT_TESTING_RECORD"], !["", "0"].contains(record) {
            try write(Array(try Self.bytes(of: self.path)), to: path)
            return nil
        }
        guard FileManager.default.fileExists(atPath: path) else {
            throw PrintTestingError(
                .unreadable,
                "there is no golden image '\(path)'; run the test once with PRINT_TESTING_RECORD=1 to make \(self) it, "
                    + "and look at it")
        }
        let wanted: PagePixels
        do throws(ComparisonError) {
            wanted = try PagePixels(png: path)
        } catch {
            throw PrintTestingError(.unreadable, "the golden image: \(error.message)", cause: error)
        }
        let found = try pixels()
        let difference = PageDifference(wanted, found, tolerance: tolerance)
        guard !difference.words.isEmpty else { return nil }
        var words = difference.words
        if (wanted.width, wanted.height) != (found.width, found.height) {
            words =
                "it has \(found.width) × \(found.height) pixels instead of \(wanted.width) × \(wanted.height); \(words)"
        }
        let picture = try keep(PageDifference.picture(of: wanted, found, tolerance: tolerance), of: path)
        return GoldenDifference(description: "\(self): \(words); see \(picture)", picture: picture)
    }

    /// Throws what differs between this page and a golden image, unless they are alike.
    ///
    ///     try job.pages[0].requireMatch(golden: "Golden/letter-1.png", tolerance: 2)
    ///
    /// Swift Testing shows the words of what is thrown, where `#expect(try …)` would only say that it was false.
    ///
    /// - Parameters: as for `difference(from:tolerance:sourceFile:)`.
    /// - Throws: `differs`, saying what differs, where, and which picture shows it; `unreadable`.
    public func requireMatch(
        golden: String, tolerance: Int = 0, sourceFile: String = #filePath
    ) throws(PrintTestingError) {
        if let difference = try difference(from: golden, tolerance: tolerance, sourceFile: sourceFile) {
            throw PrintTestingError(.differs, difference.description)
        }
    }

    /// Whether this page is like a golden image; `difference(from:tolerance:sourceFile:)` says what differs.
    ///
    /// - Throws: `unreadable`.
    public func matches(
        golden: String, tolerance: Int = 0, sourceFile: String = #filePath
    ) throws(PrintTestingError) -> Bool {
        try difference(from: golden, tolerance: tolerance, sourceFile: sourceFile) == nil
    }

    /// Writes the picture of a difference, under a name that tells which page of which run it is.
    private func keep(_ picture: PagePixels, of golden: String) throws(PrintTestingError) -> String {
        let folder =
            ProcessInfo.processInfo.environment["PRINT_TESTING_DIFFERENCES"]
            ?? "\(FileManager.default.temporaryDirectory.path)/print-testing-differences"
        let name = golden.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? "page"
        let path = "\(folder)/\(name)-\(ProcessInfo.processInfo.processIdentifier)-job-\(job)-page-\(number).png"
        try write(picture.png, to: path)
        return path
    }

    private static func bytes(of path: String) throws(PrintTestingError) -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw PrintTestingError(.unreadable, "the image '\(path)' cannot be read", cause: error)
        }
    }

    private func write(_ bytes: [UInt8], to path: String) throws(PrintTestingError) {
        do {
            let folder = URL(filePath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(filePath: path))
        } catch {
            throw PrintTestingError(.unreadable, "the image '\(path)' cannot be written", cause: error)
        }
    }
}
