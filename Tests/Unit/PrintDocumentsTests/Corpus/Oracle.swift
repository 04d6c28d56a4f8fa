// Independent programs that draw PDFs.

import FoundationEssentials
import PrintRaster
import PrintTestSupport
import Testing

/// A program that draws PDFs and has nothing in common with how printq puts pages on sheets.
enum Oracle: String, CaseIterable, CustomTestStringConvertible {
    /// Debian's `gs`.
    case ghostscript
    /// Poppler's `pdftoppm`, whose backend is Splash.
    case pdftoppm

    var testDescription: String { rawValue }

    /// A document to draw.
    struct Document {
        var path: String
        /// How many pages it must have.
        var pages: Int
        /// How many times as fine it is drawn; Splash rounds the tiles of patterns to whole pixels.
        var detail = 1.0
    }

    /// Draws all pages of documents that have pages of one size.
    ///
    /// - Parameters:
    ///   - documents: the documents.
    ///   - size: the size of each page in points.
    ///   - scale: how much larger the pages are than what they shall be compared with: a cell is so many times as large.
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

    /// One process draws everything: it takes longer to start than to draw.
    private func drawByGhostscript(
        _ documents: [Document], dpi: Double, isGray: Bool, in folder: TemporaryFolder
    ) throws -> [[String]] {
        // Drawn four times as fine and averaged: its own antialiasing leaves seams between shapes that touch.
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
    /// A row and a column more than expected, which come from rounding the size of the sheet, are left out. An image with
    /// fewer pixels than cells, such as of a page whose user unit the program ignores, is enlarged.
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

/// What a program did not do.
struct OracleFailure: Error, CustomStringConvertible {
    let description: String
}
