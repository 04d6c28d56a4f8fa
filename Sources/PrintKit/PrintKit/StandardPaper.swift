// Default paper for the region of the process's locale.

import Glibc

extension PrintPaper {
    /// The region of the process's locale, from `LC_ALL`, `LC_PAPER` or `LANG`.
    ///
    /// The value is `nil` for `C` and other locales without a region.
    public static var currentRegion: String? {
        for name in ["LC_ALL", "LC_PAPER", "LANG"] {
            if let value = getenv(name), value.pointee != 0 { return region(ofLocale: String(cString: value)) }
        }
        return nil
    }

    /// The default paper for general content in the process's locale, without margins.
    static var standard: PrintPaper { defaultPaper(for: .general, region: currentRegion) }

    /// Returns the paper that fits a page size best (`bestPaper(forPageSize:from:)`), with UIKit's name.
    ///
    /// Returns borderless paper of the page's size when `papers` is empty.
    public static func bestPaper(forPageSize size: Size, withPapersFrom papers: [PrintPaper]) -> PrintPaper {
        bestPaper(forPageSize: size, from: papers)
            ?? PrintPaper(media: .of(width: .points(size.width), height: .points(size.height)))
    }
}

extension PageLayout {
    /// The layout of a page without header and footer on the default paper of the process's locale.
    static var standard: PageLayout { PageLayout(.standard) }
}
