// One page as it came out, as an image.

import PageComparison
import Synchronization

/// One page as it came out: an image of the paper, its margins included.
public struct PrintedPage: Sendable, CustomStringConvertible {
    /// Its place among the job's printed pages, from 1, over all documents; pages that were not asked for do not count.
    public var number: Int
    /// The number of its job.
    public var job: Int
    /// The width of the image, in pixels.
    public var width: Int
    /// The height of the image, in pixels.
    public var height: Int
    /// The resolution of the image, in dots per inch.
    public var resolution: Int
    /// Whether nothing is on it.
    public var isBlank: Bool
    /// The edges at which content lay outside the printable area and was cut off.
    public var clipped: [PageImage.Edge]
    /// The image, a PNG file.
    public var path: String
    let texts: JobTexts
    let image: PageFile

    /// The size of the paper, in points (1/72 inch), to the pixel.
    public var size: Size {
        Size(width: Double(width) * 72 / Double(resolution), height: Double(height) * 72 / Double(resolution))
    }

    /// The text of the page in reading order; empty when it has none.
    ///
    /// It is the text of the page of the PDF that arrived, found by `pdftotext` (Debian's poppler-utils): what several
    /// pages a side or an option of the sender made of it before is in that PDF already.
    ///
    /// - Throws: `noText` when the document arrived as pixels (JPEG, PWG or Apple raster), whose pixels can be looked at
    ///   all the same; `programMissing` without `pdftotext`; `unreadable` for a PDF that it cannot read.
    public var text: String {
        get throws(PrintTestingError) { try texts.text(ofPage: number) }
    }

    /// The colour at a place.
    ///
    ///     #expect(try page.color(x: 100, y: 72).isNear(.init(red: 255, green: 0, blue: 0)))
    ///
    /// - Parameters:
    ///   - x: how far from the left edge of the paper, in points.
    ///   - y: how far from the top edge of the paper, in points.
    /// - Throws: `usage` for a place beside the paper; `unreadable`.
    public func color(x: Double, y: Double) throws(PrintTestingError) -> PixelColor {
        let (column, row) = (x * Double(resolution) / 72, y * Double(resolution) / 72)
        guard column >= 0, row >= 0, column < Double(width), row < Double(height) else {
            throw PrintTestingError(
                .usage, "(\(x), \(y)) is beside \(self), which is \(size.width) × \(size.height) points large")
        }
        let pixels = try pixels()
        let start = (Int(row) * pixels.width + Int(column)) * 3
        return PixelColor(
            red: pixels.bytes[start], green: pixels.bytes[start + 1], blue: pixels.bytes[start + 2])
    }

    /// All colours, row by row from the top.
    ///
    /// - Throws: `unreadable` when the image is gone with its printer.
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
            throw PrintTestingError(.unreadable, "the image of \(self): \(error.message)", cause: error)
        }
    }

    /// `page 2 of job 1`.
    public var description: String { "page \(number) of job \(job)" }
}

/// The file of a page's image, read once.
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

/// The colour of a pixel, as sRGB.
public struct PixelColor: Hashable, Sendable, CustomStringConvertible {
    /// Its parts, from 0 to 255.
    public var red, green, blue: UInt8

    /// A colour of the given parts.
    public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// White, the paper.
    public static let white = PixelColor(red: 255, green: 255, blue: 255)
    /// Black.
    public static let black = PixelColor(red: 0, green: 0, blue: 0)

    /// Whether no part differs by more than `tolerance`.
    public func isNear(_ other: PixelColor, tolerance: Int = 8) -> Bool {
        [(red, other.red), (green, other.green), (blue, other.blue)].allSatisfy {
            abs(Int($0.0) - Int($0.1)) <= tolerance
        }
    }

    /// `#FF0000`.
    public var description: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
