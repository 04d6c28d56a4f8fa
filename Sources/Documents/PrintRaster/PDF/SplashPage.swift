// Draws pages with poppler's Splash backend, which supports pages that the cairo backend cannot draw.

import CSplash

/// A PDF page that the Splash renderer opens as a separate document.
final class SplashPage {
    /// The maximum number of pixels that Splash draws at a time.
    ///
    /// During drawing, each pixel requires nine bytes of memory.
    private static let largestBand = 20_000_000

    private let page: OpaquePointer
    /// The bytes of the document in memory; empty if the document is a file.
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Opens a page as a one-page document that contains only the printed annotations.
    ///
    /// If libqpdf cannot read the file, the whole file is opened. The page number counts from 0.
    ///
    /// - Throws: `unreadable`.
    init(_ index: Int, of document: PDFDocument) throws(RasterError) {
        let single = document.bytes ?? OnePagePDF.bytes(path: document.path, password: document.password, page: index)
        bytes = .allocate(capacity: single?.count ?? 0)
        if let single { _ = bytes.initialize(from: single) }
        var words = [CChar](repeating: 0, count: Int(CSPLASH_WORDS))
        let opened =
            single == nil
            ? csplash_open_file(document.path, document.password, Int32(index), &words)
            : csplash_open_bytes(bytes.baseAddress, bytes.count, 0, &words)
        guard let opened else {
            bytes.deallocate()
            throw .pageUnreadable(index, of: document.label, cause: Self.text(words))
        }
        page = opened
    }

    deinit {
        csplash_close(page)
        bytes.deallocate()
    }

    /// Draws an area of the page on white in bands, and passes the pixels of each band to `body`.
    ///
    /// Each pixel has three bytes.
    ///
    /// - Parameter body: A function that receives the pixels, and the range of the area's rows that these pixels cover.
    /// - Throws: The error that `failure` creates from Splash's message.
    func bands(
        of area: csplash_area, fromBelow: Bool, failure: (String) -> RasterError,
        _ body: (UnsafeBufferPointer<UInt8>, Range<Int>) throws(RasterError) -> Void
    ) throws(RasterError) {
        let (width, height) = (Int(area.width), Int(area.height))
        guard width > 0, height > 0 else { return }
        let bandHeight = min(height, max(Self.largestBand / width, 1))
        let tops = Array(stride(from: 0, to: height, by: bandHeight))
        let pixels = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: width * bandHeight * 3)
        defer { pixels.deallocate() }
        var words = [CChar](repeating: 0, count: Int(CSPLASH_WORDS))
        for top in fromBelow ? tops.reversed() : tops {
            var band = area
            let rows = top..<min(top + bandHeight, height)
            band.y += Int32(top)
            band.height = Int32(rows.count)
            guard csplash_draw(page, &band, pixels.baseAddress, &words) else { throw failure(Self.text(words)) }
            try body(UnsafeBufferPointer(rebasing: pixels[..<(width * rows.count * 3)]), rows)
        }
    }

    private static func text(_ words: [CChar]) -> String {
        String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
