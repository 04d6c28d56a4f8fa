// Compares pages with golden images.

import FoundationEssentials
import Glibc
import PageComparison

/// The difference between a page and its golden image.
public struct GoldenDifference: Sendable, Hashable, CustomStringConvertible {
    /// A description of the differing pixels: the number of pixels, and the position.
    ///
    /// An example is `page 1 of job 1: 40 pixels differ by up to 255, from (0, 12) to (39, 12)`.
    public var description: String
    /// The path of a PNG that shows both pages with the differences in red.
    ///
    /// The file is not deleted.
    public var picture: String?
}

extension PrintedPage {
    /// Returns the difference between this page and a golden image; nil if the images match.
    ///
    ///     let difference = try job.pages[0].difference(from: "Golden/letter-1.png")
    ///     #expect(difference == nil)
    ///
    /// If the environment contains `PRINT_TESTING_RECORD=1`, the function saves the page as the golden image, and
    /// returns nil. Otherwise, if the images differ, the function writes a picture of the difference to the folder
    /// `$PRINT_TESTING_DIFFERENCES`. Without that variable, each process makes a folder `print-testing-differences-…` in
    /// the temporary directory, which remains for people to read.
    ///
    /// - Parameters:
    ///   - golden: The path of the golden image, a PNG file. A relative path starts at the folder of the test's source
    ///     file.
    ///   - tolerance: The largest allowed difference of a color component, from 0 to 255.
    /// - Throws: `unreadable` when one of the images cannot be read, or the golden image does not exist.
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
                "no golden image '\(path)'; run the test once with PRINT_TESTING_RECORD=1 to save \(self) "
                    + "as the golden image, and check the image")
        }
        let wanted: PagePixels
        do throws(ComparisonError) {
            wanted = try PagePixels(png: path)
        } catch {
            throw PrintTestingError(.unreadable, "golden image: \(error.message)", cause: error)
        }
        let found = try pixels()
        let difference = PageDifference(wanted, found, tolerance: tolerance)
        guard !difference.summary.isEmpty else { return nil }
        var summary = difference.summary
        if (wanted.width, wanted.height) != (found.width, found.height) {
            summary =
                "size \(found.width) × \(found.height) pixels instead of \(wanted.width) × \(wanted.height); \(summary)"
        }
        let picture = try keep(PageDifference.picture(of: wanted, found, tolerance: tolerance), of: path)
        return GoldenDifference(description: "\(self): \(summary); see \(picture)", picture: picture)
    }

    /// Throws an error if this page differs from a golden image.
    ///
    ///     try job.pages[0].requireMatch(golden: "Golden/letter-1.png", tolerance: 2)
    ///
    /// Swift Testing shows the message of the error. A failed `#expect(try …)` shows only `false`.
    ///
    /// - Throws: `differs` if the images differ; the message contains the extent and location of the difference, and
    ///   the path of the picture. `unreadable` when an image cannot be read, or the golden image does not exist.
    public func requireMatch(
        golden: String, tolerance: Int = 0, sourceFile: String = #filePath
    ) throws(PrintTestingError) {
        if let difference = try difference(from: golden, tolerance: tolerance, sourceFile: sourceFile) {
            throw PrintTestingError(.differs, difference.description)
        }
    }

    /// Returns whether this page matches a golden image.
    ///
    /// - Throws: `unreadable` when one of the images cannot be read, or the golden image does not exist.
    public func matches(
        golden: String, tolerance: Int = 0, sourceFile: String = #filePath
    ) throws(PrintTestingError) -> Bool {
        try difference(from: golden, tolerance: tolerance, sourceFile: sourceFile) == nil
    }

    private func keep(_ picture: PagePixels, of golden: String) throws(PrintTestingError) -> String {
        let folder = ProcessInfo.processInfo.environment["PRINT_TESTING_DIFFERENCES"] ?? Self.differences
        let name = golden.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? "page"
        let path = "\(folder)/\(name)-\(ProcessInfo.processInfo.processIdentifier)-job-\(job)-page-\(number).png"
        try write(picture.png, to: path)
        return path
    }

    /// The folder for the differences that this process finds.
    ///
    /// The folder is new, because another user may own a folder with a known name in the temporary directory.
    private static let differences: String = {
        var path = Array("\(FileManager.default.temporaryDirectory.path)/print-testing-differences-XXXXXX".utf8CString)
        // If the folder cannot be made, the error of the first picture names the path.
        _ = mkdtemp(&path)
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    private static func bytes(of path: String) throws(PrintTestingError) -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw PrintTestingError(.unreadable, "cannot read the image '\(path)'", cause: error)
        }
    }

    private func write(_ bytes: [UInt8], to path: String) throws(PrintTestingError) {
        do {
            let folder = URL(filePath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(filePath: path))
        } catch {
            throw PrintTestingError(.unreadable, "cannot write the image '\(path)'", cause: error)
        }
    }
}
