// Reads the text and the fonts of pages.

import CPoppler
import CSplash
import PrintModel

extension PDFDocument {
    /// Returns the text of a page in reading order, with a newline after each line; empty if the page has no text.
    ///
    /// - Throws: `unreadable` if the page is damaged. An invalid index is a programming error.
    public func text(at index: Int) throws(RasterError) -> String {
        try withPage(index) { page throws(RasterError) in
            guard let text = poppler_page_get_text(page) else { return "" }
            defer { g_free(text) }
            return String(cString: text)
        }
    }

    /// Returns the texts of pages, with a newline after each line and space between columns and cells.
    ///
    /// `text(at:)` returns all characters of a page, but cells of tables without space between them.
    ///
    /// - Throws: `unreadable` if a page is damaged.
    package func texts(ofPages pages: Range<Int>) throws(RasterError) -> [String] {
        final class Texts { var all: [String] = [] }
        let texts = Texts()
        var words = [CChar](repeating: 0, count: Int(CSPLASH_WORDS))
        let isRead = csplash_read_texts(
            path, password, Int32(pages.lowerBound), Int32(pages.count), Unmanaged.passUnretained(texts).toOpaque(),
            { context, bytes, count in
                guard let context else { return }
                let text = UnsafeRawBufferPointer(start: bytes, count: count)
                // Poppler encloses text from right to left in control characters.
                let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
                    .filter { $0 != "\u{C}" && !("\u{202A}"..."\u{202E}").contains($0) }
                Unmanaged<Texts>.fromOpaque(context).takeUnretainedValue().all
                    .append(String(String.UnicodeScalarView(scalars)))
            }, &words)
        guard isRead else {
            let cause = String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw .pageUnreadable(pages.lowerBound + texts.all.count, of: label, cause: cause)
        }
        return texts.all
    }

    /// Returns the words of a page in reading order, with their places on the displayed page.
    ///
    /// Words after the limit `PageWord.most` are left out.
    ///
    /// - Throws: `unreadable` if the page is damaged. An invalid index is a programming error.
    func words(at index: Int) throws(RasterError) -> [PageWord] {
        let unit = userUnit(at: index)
        return try withPage(index) { page throws(RasterError) in
            guard let text = poppler_page_get_text(page) else { return [] }
            defer { g_free(text) }
            var areas: UnsafeMutablePointer<PopplerRectangle>?
            var count: guint = 0
            guard poppler_page_get_text_layout(page, &areas, &count) != 0, let areas else { return [] }
            defer { g_free(areas) }
            var words = WordCollector(unit: unit)
            // The layout has one rectangle for each character of the text.
            for (scalar, place) in zip(String(cString: text).unicodeScalars, 0..<Int(count)) {
                words.add(scalar, areas[place])
                if words.isFull { break }
            }
            return words.finished
        }
    }
}

/// Joins characters to words.
private struct WordCollector {
    let unit: Double
    private var words: [PageWord] = []
    private var word = String.UnicodeScalarView()
    private var (left, top, right, bottom) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)

    init(unit: Double) { self.unit = unit }

    var isFull: Bool { words.count >= PageWord.most }

    var finished: [PageWord] {
        var whole = self
        whole.endWord()
        if !whole.words.isEmpty { whole.words[whole.words.count - 1].endsLine = true }
        return whole.words
    }

    mutating func add(_ scalar: Unicode.Scalar, _ area: PopplerRectangle) {
        guard !scalar.properties.isWhitespace else {
            endWord()
            if scalar == "\n", !words.isEmpty { words[words.count - 1].endsLine = true }
            return
        }
        word.append(scalar)
        (left, top) = (min(left, area.x1, area.x2), min(top, area.y1, area.y2))
        (right, bottom) = (max(right, area.x1, area.x2), max(bottom, area.y1, area.y2))
    }

    private mutating func endWord() {
        guard !word.isEmpty else { return }
        let area = Rect(
            x: left * unit, y: top * unit, width: (right - left) * unit, height: (bottom - top) * unit)
        words.append(PageWord(String(word), area: area))
        word.removeAll()
        (left, top, right, bottom) = (.infinity, .infinity, -.infinity, -.infinity)
    }
}

/// Finds the fonts of a document that are not embedded, page by page.
///
/// A printer replaces such a font with a similar font, so that the printed text can differ from the screen.
final class MissingFonts {
    private let fonts: OpaquePointer
    private var pagesRead = 0
    private(set) var names: [String] = []

    init(of document: PDFDocument) { fonts = document.withDocument { poppler_font_info_new($0) } }

    deinit { g_object_unref(UnsafeMutableRawPointer(fonts)) }

    /// Adds the fonts of the pages up to the given number of pages.
    func read(pages count: Int) {
        while pagesRead < count {
            pagesRead += 1
            var found: OpaquePointer?
            guard poppler_font_info_scan(fonts, 1, &found) != 0 else { return }
            guard let iterator = found else { continue }
            defer { poppler_fonts_iter_free(iterator) }
            repeat {
                guard poppler_fonts_iter_is_embedded(iterator) == 0 else { continue }
                let name = poppler_fonts_iter_get_name(iterator).map { String(cString: $0) } ?? "a font without a name"
                if !names.contains(name) { names.append(name) }
            } while poppler_fonts_iter_next(iterator) != 0
        }
    }
}
