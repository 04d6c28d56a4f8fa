// Draws the notice page that replaces a page that cannot be drawn.

import CPoppler

/// A notice page, which replaces a missing page and states the reason.
struct NoticePage {
    /// The name of the missing page in messages, such as `page 3 of 'report.pdf'`.
    let page: String
    /// The reason why the page is missing, as a clause that follows "because".
    let reason: String
    /// The horizontal and vertical resolution in pixels per inch.
    let dotsPerInch: (across: Double, along: Double)

    /// The minimum page width, in points, for the normal type size.
    ///
    /// The notice on a narrower page uses smaller type.
    private static let fullWidth = 300.0

    /// Draws the notice page as a bitmap.
    ///
    /// - Throws: `tooLarge` if there is not enough memory.
    func bitmap(width: Int, height: Int) throws(RasterError) -> Bitmap {
        var packer = PixelPacker(width: width, height: height)
        try bands(width: width, height: height, fromBelow: false) { canvas, rows throws(RasterError) in
            try packer.append(canvas, rows: rows)
        }
        return packer.bitmap
    }

    /// Draws the notice page in horizontal bands, and passes each band to `body`, as a canvas and the number of rows in
    /// the band.
    func bands(
        width: Int, height: Int, fromBelow: Bool, _ body: (Canvas, Int) throws(RasterError) -> Void
    ) throws(RasterError) {
        let bandHeight = Canvas.bandHeight(width: width, height: height, maximumPixelCount: 8_000_000)
        guard let canvas = Canvas(width: width, height: bandHeight) else {
            throw RasterError(
                code: .tooLarge, message: "not enough memory for a notice of \(width) × \(height) pixels", cause: nil)
        }
        let tops = Array(stride(from: 0, to: height, by: bandHeight))
        for top in fromBelow ? tops.reversed() : tops {
            try canvas.draw(top: top, failure: { .noticeFailed(page, cause: $0) }) { context in
                write(on: context, width: width, height: height)
            }
            try body(canvas, min(bandHeight, height - top))
        }
    }

    /// Draws the notice page, and passes each row to `body`.
    func rows(
        width: Int, height: Int, fromBelow: Bool, _ body: (PixelRow) throws(RasterError) -> Void
    ) throws(RasterError) {
        try bands(width: width, height: height, fromBelow: fromBelow) { canvas, rows throws(RasterError) in
            try canvas.takeRows(rows, fromBelow: fromBelow, body)
        }
    }

    /// Draws a part of the notice page on the whole canvas.
    ///
    /// The part begins at the pixel column `left` and the pixel row `top`. `width` and `height` are the size of the
    /// whole notice page in pixels.
    func draw(on canvas: Canvas, left: Int, top: Int, width: Int, height: Int) throws(RasterError) {
        try canvas.draw(top: top, failure: { .noticeFailed(page, cause: $0) }) { context in
            cairo_translate(context, -Double(left), 0)
            write(on: context, width: width, height: height)
        }
    }

    /// Draws a heading and the reason in a frame, in the upper third of the notice page.
    private func write(on context: OpaquePointer, width: Int, height: Int) {
        let points = (width: Double(width) * 72 / dotsPerInch.across, height: Double(height) * 72 / dotsPerInch.along)
        let scale = min(points.width / Self.fullWidth, 1)
        cairo_scale(context, dotsPerInch.across / 72, dotsPerInch.along / 72)
        let margin = min(54, points.width / 8)
        let room = points.width - 2 * margin
        cairo_set_source_rgb(context, 0, 0, 0)
        var y = margin
        for (text, size, weight) in [
            ("\(page.prefix(1).uppercased())\(page.dropFirst()) could not be drawn", 18.0, CAIRO_FONT_WEIGHT_BOLD),
            ("The reason: \(reason). Check that the page opens in another program.", 11.0, CAIRO_FONT_WEIGHT_NORMAL),
        ] {
            cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, weight)
            cairo_set_font_size(context, size * scale)
            for line in lines(of: text, on: context, width: room - 24 * scale) {
                y += size * scale * 1.4
                cairo_move_to(context, margin + 12 * scale, y)
                cairo_show_text(context, line)
            }
            y += size * scale * 0.6
        }
        cairo_set_line_width(context, max(1, 72 / dotsPerInch.across))
        cairo_rectangle(context, margin, margin, room, y - margin + 6 * scale)
        cairo_stroke(context)
    }

    /// Breaks a text into lines at spaces.
    ///
    /// Words that are wider than a line are also divided.
    private func lines(of text: String, on context: OpaquePointer, width: Double) -> [String] {
        func fits(_ line: String) -> Bool {
            var extents = cairo_text_extents_t()
            cairo_text_extents(context, line, &extents)
            return extents.x_advance <= width
        }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty || fits("\(line) \(word)") {
                line += (line.isEmpty ? "" : " ") + word
            } else {
                lines.append(line)
                line = String(word)
            }
            while line.count > 1, !fits(line) {
                let part = line.indices.last { fits(String(line[..<$0])) } ?? line.startIndex
                let end = part > line.startIndex ? part : line.index(after: line.startIndex)
                lines.append(String(line[..<end]))
                line = String(line[end...])
            }
        }
        return lines + (line.isEmpty ? [] : [line])
    }
}
