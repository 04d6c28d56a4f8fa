// A page drawn by poppler's Splash backend, which draws what the cairo backend cannot.

import CSplash

/// A page of a document that Splash has opened for itself.
final class SplashPage {
    /// The most pixels drawn at a time: each takes nine bytes while it is made.
    private static let largestBand = 20_000_000

    private let page: OpaquePointer
    /// The document, where it is in memory.
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Opens a page, counted from 0, as a document of one page with the annotations that are printed; the whole file where
    /// libqpdf cannot read it.
    ///
    /// Throws `unreadable`.
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

    /// Draws a part of the page on white, some rows at a time, and lends out each band's pixels, three bytes each.
    ///
    /// - Parameter body: is lent the pixels, and told the rows of the area that they are.
    /// - Throws: what `failure` makes of Splash's reason.
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
