// Detects what poppler leaves out of a page without an error.

import CPoppler
import CThinLines
import Glibc

/// A defect of a page that the first renderer drew, as a clause that follows "because".
///
/// If poppler cannot use a font or an image, poppler draws the page without it and reports no error. Only messages and
/// refused cairo surfaces show the defect. The messages of each thread are counted separately.
enum PageDefect: Hashable {
    /// Content that the second renderer can draw.
    case ofRenderer(String)
    /// Damaged content, which both renderers decode in the same way.
    case ofDocument(String)

    /// The page has text in a font that cairo cannot use.
    static let lostText = PageDefect.ofRenderer("the page has text in a font that the first renderer cannot use")
    /// The page has an image with more rows or columns than a cairo surface can have.
    static let largeImage = PageDefect.ofRenderer("the page has an image that is too large for the first renderer")

    /// The page has glyphs with colors in a Type 3 font.
    static let coloredGlyphs = PageDefect.ofRenderer("the first renderer cannot draw the colors of a font")

    /// What poppler reported while a page was drawn.
    private struct Reports {
        var lostText = false
        /// The first damaged kind of data.
        var damage: String?
    }

    /// The key of the thread-specific pointer to the thread's current reports.
    ///
    /// The pointer is nil while the thread collects no reports.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        g_log_set_handler("Poppler", G_LOG_LEVEL_INFO, { _, _, message, _ in PageDefect.hear(message) }, nil)
        return key
    }()

    /// The phrases in poppler's messages that report missing text.
    private static let lostTextPhrases = [
        "Couldn't find a font for", "could not create type1 face", "failed to load truetype font",
        "could not create truetype face", "could not create cid face", "could not create cid (OT) face",
        "Embedded font file may be invalid",
    ]

    /// The phrases in poppler's messages that report data that a decoder could not decode, with the name of the data.
    ///
    private static let damagePhrases = [
        ("JBIG2", "JBIG2 image"), ("opening JPX Stream.", "JPEG 2000 image"),
        ("Expected a SOC marker", "JPEG 2000 image"), ("Unable to decode image", "JPEG 2000 image"),
        ("Failed to decode", "JPEG 2000 image"), ("Could not find start of jpeg data", "JPEG image"),
        ("in CCITTFax stream", "fax image"), ("in flate stream", "compressed image or text"),
        ("Bad LZW stream", "compressed image or text"),
    ]

    /// Runs `body`, which draws a page with the first renderer, and returns its result and the defect of the page; nil
    /// if the page has no known defect.
    static func found<T>(during body: () throws(RasterError) -> T) throws(RasterError) -> (result: T, defect: Self?) {
        let reports = UnsafeMutablePointer<Reports>.allocate(capacity: 1)
        reports.initialize(to: Reports())
        pthread_setspecific(key, reports)
        large_surfaces_reset()
        colored_glyphs_reset()
        defer {
            pthread_setspecific(key, nil)
            reports.deinitialize(count: 1)
            reports.deallocate()
        }
        let result = try body()
        if reports.pointee.lostText { return (result, .lostText) }
        if large_surfaces_count() > 0 { return (result, .largeImage) }
        if colored_glyphs_count() > 0 { return (result, .coloredGlyphs) }
        return (result, reports.pointee.damage.map { .ofDocument("it contains a damaged \($0)") })
    }

    /// Records that the first renderer has drawn nothing of a page with text.
    static func noteLostText() {
        pthread_getspecific(key)?.assumingMemoryBound(to: Reports.self).pointee.lostText = true
    }

    private static func hear(_ message: UnsafePointer<CChar>?) {
        guard let message, let reports = pthread_getspecific(key)?.assumingMemoryBound(to: Reports.self) else { return }
        if lostTextPhrases.contains(where: { strstr(message, $0) != nil }) { reports.pointee.lostText = true }
        guard reports.pointee.damage == nil else { return }
        reports.pointee.damage = damagePhrases.first { strstr(message, $0.0) != nil }?.1
    }
}
