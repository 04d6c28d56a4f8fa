// A printed page as an image, with its text and colors.

import PageComparison
import Synchronization

/// A printed page: an image of the whole paper, including the margins.
public struct PrintedPage: Sendable, CustomStringConvertible {
    /// The page number among the job's printed pages, from 1, across all documents.
    ///
    /// Pages that were not printed do not count.
    public var number: Int
    /// The job's number (IPP `job-id`).
    public var job: Int
    /// The width of the image, in pixels.
    public var width: Int
    /// The height of the image, in pixels.
    public var height: Int
    /// The resolution of the image, in dots per inch.
    public var resolution: Int
    /// Whether the page is empty.
    public var isBlank: Bool
    /// The edges at which the printer has clipped content outside the printable area.
    public var clipped: [PageImage.Edge]
    /// The path of the image, a PNG file.
    public var path: String
    let texts: JobTexts
    let image: PageFile

    /// The size of the paper, in points (1/72 inch), computed from the size of the image.
    public var size: Size {
        Size(width: Double(width) * 72 / Double(resolution), height: Double(height) * 72 / Double(resolution))
    }

    /// The text of the page in reading order; empty when the page has no text.
    ///
    /// `pdftotext` (Debian package poppler-utils) extracts the text from the page of the PDF that the printer received.
    /// That PDF already contains the sender's changes, such as several pages per side.
    ///
    /// - Throws: `noText` if the document arrived as an image (JPEG, PWG raster or Apple raster); check the colors of
    ///   the page instead. `programMissing` when `pdftotext` is not installed. `unreadable` when `pdftotext` cannot
    ///   read the PDF.
    public var text: String {
        get throws(PrintTestingError) { try texts.text(ofPage: number) }
    }

    /// Returns the color at a position of the page.
    ///
    ///     #expect(try page.color(x: 100, y: 72).isNear(.init(red: 255, green: 0, blue: 0)))
    ///
    /// - Parameters:
    ///   - x: The distance from the left edge of the paper, in points.
    ///   - y: The distance from the top edge of the paper, in points.
    /// - Throws: `usage` when the position is outside the paper; `unreadable` when the image cannot be read.
    public func color(x: Double, y: Double) throws(PrintTestingError) -> PixelColor {
        let (column, row) = (x * Double(resolution) / 72, y * Double(resolution) / 72)
        guard column >= 0, row >= 0, column < Double(width), row < Double(height) else {
            throw PrintTestingError(
                .usage, "(\(x), \(y)) is outside \(self), which measures \(size.width) × \(size.height) points")
        }
        let pixels = try pixels()
        let start = (Int(row) * pixels.width + Int(column)) * 3
        return PixelColor(
            red: pixels.bytes[start], green: pixels.bytes[start + 1], blue: pixels.bytes[start + 2])
    }

    /// Returns the colors of all pixels, row by row from the top.
    ///
    /// - Throws: `unreadable` when the image cannot be read, for example because the printer's output folder was
    ///   deleted.
    public func colors() throws(PrintTestingError) -> [PixelColor] {
        let bytes = try pixels().bytes
        return stride(from: 0, to: bytes.count, by: 3).map {
            PixelColor(red: bytes[$0], green: bytes[$0 + 1], blue: bytes[$0 + 2])
        }
    }

    func pixels() throws(PrintTestingError) -> PagePixels {
        do throws(ComparisonError) {
            return try image.pixels()
        } catch {
            throw PrintTestingError(.unreadable, "image of \(self): \(error.message)", cause: error)
        }
    }

    /// The page and job numbers, such as `page 2 of job 1`.
    public var description: String { "page \(number) of job \(job)" }
}

/// The image file of a page.
///
/// The file is read only once.
final class PageFile: Sendable {
    private let path: String
    private let read = Mutex<PagePixels?>(nil)

    init(_ path: String) { self.path = path }

    func pixels() throws(ComparisonError) -> PagePixels {
        if let pixels = read.withLock({ $0 }) { return pixels }
        let pixels = try PagePixels(png: path)
        read.withLock { $0 = pixels }
        return pixels
    }
}

/// The color of a pixel, in sRGB.
public struct PixelColor: Hashable, Sendable, CustomStringConvertible {
    /// The color components, from 0 to 255.
    public var red, green, blue: UInt8

    /// Creates a color from its components.
    public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// The color white, which is the color of the paper.
    public static let white = PixelColor(red: 255, green: 255, blue: 255)
    /// The color whose components are 0, which most text has.
    public static let black = PixelColor(red: 0, green: 0, blue: 0)

    /// Returns whether every component differs from the other color's component by at most `tolerance`.
    public func isNear(_ other: PixelColor, tolerance: Int = 8) -> Bool {
        [(red, other.red), (green, other.green), (blue, other.blue)].allSatisfy {
            abs(Int($0.0) - Int($0.1)) <= tolerance
        }
    }

    /// The color in hexadecimal notation, such as `#FF0000`.
    public var description: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
