// Draws the header of text pages.

import Glibc
import PrintGraphics
import PrintModel

/// The header of a page: the title, the date and the page number, with a line below the text.
struct PageHeader {
    /// The total height of the header and the space below the header, in points.
    static let height = 26.0

    private let title: String
    private let date: String
    private let font = Font(family: "DejaVu Sans", size: 9)

    /// Creates the page header of a document.
    init(title: String, date: UnixTime?) {
        self.title = title
        self.date = date.map(Self.text) ?? ""
    }

    /// Draws the header of a page at the top of an area; `page` counts from 1.
    func draw(on context: GraphicsContext, in area: Rect, page: Int, of total: Int) {
        let pageText = "page \(page) of \(total)"
        let pageWidth = pageText.size(with: font).width
        let dateWidth = date.size(with: font).width
        let rect = Rect(x: area.minX, y: area.minY, width: area.width, height: 14)
        pageText.draw(in: rect, with: font, lineBreakMode: .byClipping, alignment: .right)
        let dateLeft = area.maxX - pageWidth - dateWidth - 18
        var room = area.width - pageWidth - 12
        if !date.isEmpty, dateLeft > area.minX + 60 {
            date.draw(at: Point(x: dateLeft, y: area.minY), with: font)
            room = dateLeft - area.minX - 12
        }
        title.draw(
            in: Rect(x: area.minX, y: area.minY, width: max(room, 1), height: 14),
            with: Font(family: font.family, size: font.size, weight: .bold), lineBreakMode: .byTruncatingTail,
            alignment: .left)
        context.lineWidth = 0.5
        context.strokeLine(
            from: Point(x: area.minX, y: area.minY + 17), to: Point(x: area.maxX, y: area.minY + 17))
    }

    /// Returns a date and time in the local time zone, such as `2026-11-23 08:15`.
    static func text(_ date: UnixTime) -> String {
        var seconds = time_t(exactly: date.rounded()) ?? 0
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "" }
        var buffer = [CChar](repeating: 0, count: 40)
        let size = buffer.count
        let count = strftime(&buffer, size, "%Y-%m-%d %H:%M", &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
