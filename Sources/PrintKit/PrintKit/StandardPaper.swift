// The paper of a place, as the environment says.

import Glibc

extension PrintPaper {
    /// The region of the process' locale, from `LC_ALL`, `LC_PAPER` or `LANG`; nil for `C` and the like.
    public static var currentRegion: String? {
        for name in ["LC_ALL", "LC_PAPER", "LANG"] {
            if let value = getenv(name), value.pointee != 0 { return region(ofLocale: String(cString: value)) }
        }
        return nil
    }

    /// The general paper of the process' locale, printable to its edges.
    static var standard: PrintPaper { defaultPaper(for: .general, region: currentRegion) }
}

extension PageLayout {
    /// A page without header and footer on the general paper of the process' locale.
    static var standard: PageLayout { PageLayout(.standard) }
}
