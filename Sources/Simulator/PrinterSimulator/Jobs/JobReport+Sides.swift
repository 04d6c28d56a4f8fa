// Computes the printed sides of a job from its report.

package import PrintModel

extension JobReport {
    /// A printed side of one copy.
    package struct Side: Hashable, Sendable {
        /// The number of the sheet, from 1.
        package var sheet: Int
        package var isFront: Bool
        /// The number of the page image, from 1; nil for a blank back without an image.
        package var page: Int?
    }

    /// The printed sides of one copy, in page order.
    package var sides: [Side] {
        let sidesPerSheet = job.sidesPerSheet
        let blankBacks = Set(job.plan?.blankBacks ?? [])
        var sides: [Side] = []
        var next = 1
        while next <= pages.count {
            let (sheet, face) = sides.count.quotientAndRemainder(dividingBy: sidesPerSheet)
            // A blank back has an image if the printer received a page for it.
            let hasImage = face == 0 || !blankBacks.contains(sheet) || pages[next - 1].isBlank
            sides.append(Side(sheet: sheet + 1, isFront: face == 0, page: hasImage ? next : nil))
            if hasImage { next += 1 }
        }
        return sides
    }

    /// Returns the size of a page image in points.
    package func size(ofPage number: Int) -> Size {
        let (page, dpi) = (pages[number - 1], Double(max(1, resolution ?? 100)))
        let paper = job.options.paper.paperSize
        let size = Size(width: Double(page.width) * 72 / dpi, height: Double(page.height) * 72 / dpi)
        // Whole pixels give the size of the paper only approximately.
        return size.isNearly(paper, tolerance: 1) ? paper : size
    }
}
