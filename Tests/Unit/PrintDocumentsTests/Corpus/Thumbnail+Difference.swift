// Compares two images of a sheet.

import FoundationEssentials
import PrintRaster
import Testing

extension Thumbnail {
    /// Returns the indexes of the cells in which two images differ.
    ///
    /// Returns all cells if the images have different sizes.
    ///
    /// A cell of one image is compared with the same cell and the eight neighboring cells of the other image. The cell
    /// differs if its color is outside the color range of the nine cells by more than the tolerance. The cells of both
    /// images are compared in this way.
    func differingCells(from other: Thumbnail, tolerance: Int) -> [Int] {
        guard width == other.width, height == other.height else { return Array(0..<(width * height)) }
        guard bytes != other.bytes else { return [] }
        return (0..<(width * height)).filter { cell in
            (0..<3).contains { abs(Int(bytes[cell * 3 + $0]) - Int(other.bytes[cell * 3 + $0])) > tolerance }
                && (isBeyond(other, cell, tolerance) || other.isBeyond(self, cell, tolerance))
        }
    }

    private func isBeyond(_ other: Thumbnail, _ cell: Int, _ tolerance: Int) -> Bool {
        let (x, y) = (cell % width, cell / width)
        for channel in 0..<3 {
            var (low, high) = (255, 0)
            for row in max(0, y - 1)...min(height - 1, y + 1) {
                for column in max(0, x - 1)...min(width - 1, x + 1) {
                    let value = Int(other.bytes[(row * width + column) * 3 + channel])
                    (low, high) = (min(low, value), max(high, value))
                }
            }
            let value = Int(bytes[cell * 3 + channel])
            if value < low - tolerance || value > high + tolerance { return true }
        }
        return false
    }

    /// Returns the share of cells that differ, from 0 to 1.
    func difference(from other: Thumbnail, tolerance: Int = 40) -> Double {
        Double(differingCells(from: other, tolerance: tolerance).count) / Double(max(1, width * height))
    }

    /// Returns a description of the difference from the expected image.
    ///
    /// Returns nil if the images are equal except for a few cells.
    ///
    /// If the image differs, a comparison with the expected image is written to a file, and the description contains
    /// the path of the file.
    func mismatch(
        with expected: Thumbnail, _ what: String, tolerance: Int = 40, atMost share: Double = 0.01
    ) -> String? {
        let cells = differingCells(from: expected, tolerance: tolerance)
        guard Double(cells.count) > share * Double(width * height) else { return nil }
        let percent = (1000 * Double(cells.count) / Double(width * height)).rounded() / 10
        return
            "\(what): \(percent) %, see \(FailedImages.write(expected: expected, seen: self, cells: cells, name: what))"
    }
}

/// Expects the list of mismatches to be empty, and otherwise reports all mismatches in one failure.
func expectNone(_ mismatches: [String], of count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    guard !mismatches.isEmpty else { return }
    let list = mismatches.joined(separator: "\n")
    Issue.record(
        "\(mismatches.count) of \(count) images differ (each file shows the expected image, the actual image, and the cells that differ):\n\(list)",
        sourceLocation: sourceLocation)
}

/// The image files of failed comparisons.
///
/// The tests do not delete the files.
enum FailedImages {
    private static let pixelsPerCell = 3
    /// The folder of this process; another user may own a folder with a known name.
    private static let folder = FileManager.default.temporaryDirectory.appending(path: "printq-corpus-\(UUID())")

    /// Writes the expected image, the actual image and the differing cells side by side, and returns the path.
    static func write(expected: Thumbnail, seen: Thumbnail, cells: [Int], name: String) -> String {
        let file = String(name.map { $0.isLetter || $0.isNumber ? $0 : "-" }).prefix(180)
        let path = folder.appendingPathComponent("\(file).png").path
        var marked = Thumbnail(width: seen.width, height: seen.height)
        for cell in cells { marked[cell % seen.width, cell / seen.width] = (220, 0, 0) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try sideBySide([expected, seen, marked]).writePNG(to: path, dpi: 72)
            return path
        } catch {
            return "no file, because writing the image failed: \(error)"
        }
    }

    private static func sideBySide(_ images: [Thumbnail]) -> Bitmap {
        let gap = 4
        let scale = pixelsPerCell
        var sheet = Bitmap(
            width: images.reduce(0) { $0 + $1.width * scale + gap }, height: images.map(\.height).max()! * scale)
        var left = 0
        for image in images {
            for y in 0..<(image.height * scale) {
                for x in 0..<(image.width * scale) {
                    let (red, green, blue) = image[x / scale, y / scale]
                    sheet[left + x, y] = Bitmap.Pixel(red: red, green: green, blue: blue)
                }
                for x in 0..<gap {
                    sheet[left + image.width * scale + x, y] = Bitmap.Pixel(red: 0, green: 0, blue: 0)
                }
            }
            left += image.width * scale + gap
        }
        return sheet
    }
}
