// Runs independent programs that draw PDFs.

import FoundationEssentials
import PrintRaster
import PrintTestSupport
import Testing

/// A program that draws PDFs and shares no code with printq's imposition.
enum Oracle: String, CaseIterable, CustomTestStringConvertible {
    /// Debian's `gs`.
    case ghostscript
    /// Poppler's `pdftoppm` with the Splash backend.
    case pdftoppm

    var testDescription: String { rawValue }

    /// A document to draw.
    struct Document {
        var path: String
        /// The expected number of pages.
        var pages: Int
        /// The factor by which pdftoppm increases the resolution.
        ///
        /// A higher resolution reduces errors, because Splash rounds the tiles of patterns to whole pixels.
        var detail = 1.0
    }

    /// Draws all pages of documents whose pages have the same size, and returns the images of each document.
    ///
    /// - Parameters:
    ///   - documents: The documents.
    ///   - size: The size of each page in points.
    ///   - scale: The scale of the pages relative to the expected image. Cells are larger by the same factor.
    func draw(
        _ documents: [Document], size: (width: Double, height: Double), scale: Double = 1,
        isGray: Bool = false
    ) throws -> [[Thumbnail]] {
        let folder = try TemporaryFolder()
        let dpi = 72 / scale
        let images =
            switch self {
            case .ghostscript: try drawByGhostscript(documents, dpi: dpi, isGray: isGray, in: folder)
            case .pdftoppm: try drawByPdftoppm(documents, dpi: dpi, isGray: isGray, in: folder)
            }
        let (width, height) = (Thumbnail.cells(size.width / scale), Thumbnail.cells(size.height / scale))
        return try images.map { try $0.map { try Thumbnail(contentsOf: $0, width: width, height: height) } }
    }

    /// Draws all documents in one process, because starting Ghostscript takes longer than drawing.
    private func drawByGhostscript(
        _ documents: [Document], dpi: Double, isGray: Bool, in folder: TemporaryFolder
    ) throws -> [[String]] {
        // Ghostscript draws at four times the resolution and averages the pixels, because Ghostscript's antialiasing
        // leaves seams between adjacent shapes.
        let output = try run(
            ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-dUseCropBox", "-dPrinted"]
                + ["-sDEVICE=\(isGray ? "pnggray" : "png16m")", "-r\(dpi * 4)", "-dDownScaleFactor=4"]
                + ["-sOutputFile=\(folder.path("%05d.png"))"] + documents.map(\.path))
        var next = 1
        return try documents.map { document in
            try (0..<document.pages).map { _ in
                let image = folder.path("\(String(100_000 + next).dropFirst()).png")
                next += 1
                guard FileManager.default.fileExists(atPath: image) else {
                    throw OracleFailure(
                        description: "Ghostscript did not draw all pages of \(document.path): \(output.output)")
                }
                return image
            }
        }
    }

    private func drawByPdftoppm(
        _ documents: [Document], dpi: Double, isGray: Bool, in folder: TemporaryFolder
    ) throws -> [[String]] {
        try documents.enumerated().map { index, document in
            let output = try run(
                ["pdftoppm", "-png", "-cropbox", "-r", "\(dpi * document.detail)"] + (isGray ? ["-gray"] : [])
                    + [document.path, folder.path("\(index)")])
            let images = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasPrefix("\(index)-") }.sorted()
            guard images.count == document.pages else {
                throw OracleFailure(
                    description:
                        "pdftoppm drew \(images.count) of \(document.pages) pages of \(document.path): \(output.output)"
                )
            }
            return images.map(folder.path)
        }
    }
}

extension Thumbnail {
    /// Reads an image of a sheet.
    ///
    /// An additional row or column, caused by rounding the size of the sheet, is ignored. An image with fewer pixels
    /// than cells is enlarged, for example if the program ignores the user unit of the page.
    init(contentsOf path: String, width: Int, height: Int) throws {
        let bitmap = try Bitmap(readingPNG: path)
        let factor = max(1, (width + bitmap.width - 1) / bitmap.width, (height + bitmap.height - 1) / bitmap.height)
        guard factor > 1 else {
            self.init(bitmap, width: width, height: height)
            return
        }
        var enlarged = Bitmap(width: bitmap.width * factor, height: bitmap.height * factor)
        for y in 0..<enlarged.height {
            for x in 0..<enlarged.width { enlarged[x, y] = bitmap[x / factor, y / factor] }
        }
        self.init(enlarged, width: width, height: height)
    }
}

/// An error of an independent program.
struct OracleFailure: Error, CustomStringConvertible {
    let description: String
}
