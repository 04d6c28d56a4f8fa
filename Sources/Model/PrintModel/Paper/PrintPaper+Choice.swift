// Chooses the paper that fits a page.

import FoundationEssentials

extension PrintPaper {
    /// Returns the paper that fits a page size best (UIKit's `bestPaper(forPageSize:withPapersFrom:)`).
    ///
    /// Among papers of the page's size in either orientation, the function returns the paper with the largest printable
    /// area.
    ///
    /// If no paper has this size, the function returns the smallest paper that the page fits on. If the page fits on no
    /// paper, the function returns the largest paper.
    ///
    /// - Parameter size: The page size in points, in either orientation.
    /// - Returns: The paper; nil only when `papers` is empty.
    public static func bestPaper(forPageSize size: Size, from papers: [PrintPaper]) -> PrintPaper? {
        func upright(_ size: Size) -> Size { size.isLandscape ? size.turned : size }
        func area(_ size: Size) -> Double { size.width * size.height }
        let page = upright(size)
        let same = papers.filter { upright($0.paperSize).isNearly(page) }
        if let best = same.max(by: { area($0.printableRect.size) < area($1.printableRect.size) }) { return best }
        let fitting = papers.filter {
            let paper = upright($0.paperSize)
            return paper.width >= page.width - 2 && paper.height >= page.height - 2
        }
        return fitting.min { area($0.paperSize) < area($1.paperSize) }
            ?? papers.max { area($0.paperSize) < area($1.paperSize) }
    }

    /// Returns the default paper for an output type and a region, as UIKit does.
    ///
    /// Photos use 4 × 6 inches in regions that use Letter, and A6 elsewhere. Other content uses Letter or A4. If the
    /// printer does not have the default paper, the function returns the printer's paper with the most suitable size.
    ///
    /// - Parameter region: An ISO 3166 code such as `US`; nil means a region that does not use Letter.
    public static func defaultPaper(
        for outputType: OutputType, region: String?, from papers: [PrintPaper] = []
    ) -> PrintPaper {
        let usesLetter = region.map { letterRegions.contains($0.uppercased()) } ?? false
        let media: Media =
            switch (outputType.isPhoto, usesLetter) {
            case (true, true): .photo4x6
            case (true, false): .a6
            case (false, true): .letter
            case (false, false): .a4
            }
        let same = papers.filter { $0.media.hasSameSize(as: media) }
        return choice(among: same, for: outputType) ?? bestPaper(forPageSize: media.size, from: papers)
            ?? PrintPaper(media: media)
    }

    /// Returns the most suitable of several papers of the same size.
    ///
    /// For photos, borderless paper is preferred. For other content, paper with margins is preferred.
    static func choice(among papers: [PrintPaper], for outputType: OutputType) -> PrintPaper? {
        papers.first { $0.isBorderless == outputType.isPhoto } ?? papers.first
    }

    /// Returns the region of a POSIX locale name: `US` for `en_US.UTF-8`; nil for a name without a region, such as `C`.
    public static func region(ofLocale name: String) -> String? {
        let bare = name.prefix { $0 != "." && $0 != "@" }
        let parts = bare.split(separator: "_")
        guard parts.count == 2, parts[1].utf8.count == 2, parts[1].allSatisfy({ $0.isASCII && $0.isLetter }) else {
            return nil
        }
        return parts[1].uppercased()
    }

    /// The regions in which Letter is the common paper (Unicode CLDR, paper size US-Letter).
    private static let letterRegions: Set<String> = [
        "BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE",
    ]
}
