// Which paper suits a page.

import FoundationEssentials

extension PrintPaper {
    /// The paper that suits a page of the given size best (UIKit's `bestPaper(forPageSize:withPapersFrom:)`).
    ///
    /// Among papers of the page's own size, turned or not, the one with the largest printable area; else the smallest
    /// paper that the page fits on; else the largest there is.
    ///
    /// - Parameter size: the page, in points, either way up.
    /// - Returns: nil only when `papers` is empty.
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

    /// The paper to use when nobody chose one, by output type and locale, as UIKit does.
    ///
    /// Photos go on 4 × 6 inches where Letter is used, else on A6; everything else on Letter or A4. When the printer has
    /// no such paper, its best match for that size is taken.
    ///
    /// - Parameter region: an ISO 3166 code such as `US`; nil for the rest of the world.
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

    /// Of papers of one size: borderless for photos, with margins for everything else, where there is a choice.
    static func choice(among papers: [PrintPaper], for outputType: OutputType) -> PrintPaper? {
        papers.first { $0.isBorderless == outputType.isPhoto } ?? papers.first
    }

    /// The region of a POSIX locale name: `US` for `en_US.UTF-8`; nil for `C` and the like.
    public static func region(ofLocale name: String) -> String? {
        let bare = name.prefix { $0 != "." && $0 != "@" }
        let parts = bare.split(separator: "_")
        guard parts.count == 2, parts[1].utf8.count == 2, parts[1].allSatisfy({ $0.isASCII && $0.isLetter }) else {
            return nil
        }
        return parts[1].uppercased()
    }

    /// Where Letter is the common paper (Unicode CLDR, paper size US-Letter).
    private static let letterRegions: Set<String> = [
        "BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE",
    ]
}
