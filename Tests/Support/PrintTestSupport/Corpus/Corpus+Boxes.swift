// Makes pages with rotations, crop boxes, moved origins and user units (ISO 32000-1 §7.7.3.3, §14.11.2).

extension CorpusDocument {
    /// Pages whose boxes, rotation and user unit result in a size of 160 × 120 points.
    public static var boxes: CorpusDocument {
        var corpus = CorpusBuilder("boxes")
        corpus.box("a page that is not turned", width: 160, height: 120)
        corpus.box("a page that is turned by 90 degrees", width: 120, height: 160, rotate: 90)
        corpus.box("a page that is turned by 180 degrees", width: 160, height: 120, rotate: 180)
        corpus.box("a page that is turned by 270 degrees", width: 120, height: 160, rotate: 270)
        corpus.box("a page that is turned by -90 degrees", width: 120, height: 160, rotate: -90)
        corpus.box("a page that is turned by 450 degrees", width: 120, height: 160, rotate: 450)
        corpus.box("a page whose origin is beyond its lower left", width: 160, height: 120, left: -30, bottom: -50)
        corpus.box("a page whose origin is far away", width: 160, height: 120, left: 1000, bottom: 2000)
        corpus.box("a cropped page", width: 160, height: 120, left: 20, bottom: 40, media: "[0 0 300 250]")
        corpus.box(
            "a cropped page that is turned", width: 120, height: 160, left: 20, bottom: 40, rotate: 90,
            media: "[0 0 300 250]")
        corpus.box(
            "a cropped page with a negative origin", width: 160, height: 120, left: -80, bottom: -60,
            media: "[-100 -100 200 200]")
        corpus.box("a box whose corners are swapped", width: 160, height: 120, left: 10, bottom: 20, swapsCorners: true)
        corpus.box("a page with a user unit of 2", width: 80, height: 60, unit: 2)
        corpus.box("a page with a user unit of 0.5", width: 320, height: 240, unit: 0.5)
        corpus.box(
            "a cropped page that is turned, with a user unit of 2", width: 60, height: 80, left: 30, bottom: 10,
            rotate: 270, unit: 2, media: "[0 0 200 200]")
        return corpus.document
    }
}

extension CorpusBuilder {
    /// Adds a page that shows a part of its user space: a background in four colors and a pattern in the center.
    ///
    /// - Parameters:
    ///   - width: The width of the visible part before rotation, in user space units.
    ///   - media: The media box; nil if all of it is visible.
    fileprivate mutating func box(
        _ name: String, width: Double, height: Double, left: Double = 0, bottom: Double = 0, rotate: Int = 0,
        unit: Double = 1, media: String? = nil, swapsCorners: Bool = false
    ) {
        let (right, top) = (left + width, bottom + height)
        let shown = swapsCorners ? "[\(right) \(top) \(left) \(bottom)]" : "[\(left) \(bottom) \(right) \(top)]"
        let pattern = pdf.stream(
            "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 2 2] /XStep 2 /YStep 2 "
                + "/Matrix [\(width / 16) 0 0 \(height / 16) \(left) \(bottom)] /Resources << >>",
            "1 1 0 rg 0 0 1 1 re f 0 0.6 0.6 rg 1 1 1 1 re f")
        var entries = rotate == 0 ? "" : "/Rotate \(rotate)"
        if media != nil { entries += " /CropBox \(shown)" }
        if unit != 1 { entries += " /UserUnit \(unit)" }
        page(
            name, box: media ?? shown, entries: entries, resources: "/Pattern << /P \(pattern) 0 R >>",
            content: """
                \(width) 0 0 \(height) \(left) \(bottom) cm
                0.8 g -9 -9 20 20 re f 1 0 0 rg 0 0.5 0.5 0.5 re f 0 0.6 0 rg 0.5 0.5 0.5 0.5 re f 0 0 1 rg 0 0 0.5 0.5 re f
                /Pattern cs /P scn 0.25 0.25 0.5 0.5 re f
                """)
    }
}
