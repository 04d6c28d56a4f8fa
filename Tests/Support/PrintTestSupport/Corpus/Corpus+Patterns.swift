// Makes tiling patterns (ISO 32000-1 §8.7.3).

extension CorpusDocument {
    /// Tiling patterns: colored, uncolored, turned and nested, and in forms, strokes and text.
    public static var patterns: CorpusDocument {
        var corpus = CorpusBuilder("patterns")
        let squares = "1 0 0 rg 0 0 12 12 re f 0 0 1 rg 12 12 12 12 re f"
        func tile(_ content: String, matrix: String, paint: Int = 1, resources: String = "") -> Int {
            corpus.pdf.stream(
                "/Type /Pattern /PatternType 1 /PaintType \(paint) /TilingType 1 /BBox [0 0 24 24] /XStep 24 /YStep 24 "
                    + "/Matrix [\(matrix)] /Resources << \(resources) >>", content)
        }
        let plain = tile(squares, matrix: "1 0 0 1 5 9")
        // Use a separate pattern. Ghostscript 10.0 shifts a stroked pattern that is also filled on the same sheet.
        let stroked = tile(squares, matrix: "1 0 0 1 5 9")
        let scaled = tile(squares, matrix: "1.5 0 0 1 0 0")
        let turned = tile(squares, matrix: "0.866 0.5 -0.5 0.866 10 0")
        let mirrored = tile("0 0.6 0 rg 0 0 m 24 0 l 0 24 l f", matrix: "-1 0 0 1 8 4")
        let uncolored = tile("0 0 m 24 0 l 0 24 l f", matrix: "1 0 0 1 4 4", paint: 2)
        let nested = tile(
            "/Pattern cs /Inner scn 0 0 18 18 re f", matrix: "2 0 0 2 6 6",
            resources: "/Pattern << /Inner \(plain) 0 R >>")
        let area = "20 20 130 90 re f"
        func fill(_ name: String, _ pattern: Int, _ content: String? = nil) {
            corpus.page(
                name, resources: "/Pattern << /P \(pattern) 0 R >>", content: content ?? "/Pattern cs /P scn \(area)")
        }
        fill("a colored tiling pattern", plain)
        fill("a tiling pattern that is scaled", scaled)
        fill("a tiling pattern that is turned", turned)
        fill("a tiling pattern that is mirrored", mirrored)
        fill("a tiling pattern in a tiling pattern", nested)
        fill("a tiling pattern in a scaled state", plain, "0.5 0 0 0.5 20 20 cm /Pattern cs /P scn 0 0 260 180 re f")
        fill("a stroked tiling pattern", stroked, "/Pattern CS /P SCN 24 w 40 35 m 130 35 l 130 95 l S")
        corpus.page(
            "uncolored tiling patterns",
            resources: "/Pattern << /P \(uncolored) 0 R >> /ColorSpace << /C [/Pattern /DeviceRGB] >>",
            content: "/C cs 1 0 0 /P scn 20 20 60 90 re f 0 0.5 1 /P scn 85 20 65 90 re f")
        let form = corpus.form(
            "/Pattern cs /P scn 0 0 130 90 re f", resources: "/Pattern << /P \(plain) 0 R >>", box: "[0 0 130 90]",
            entries: "/Matrix [0 1 -1 0 130 0]")
        corpus.page(
            "a tiling pattern in a form that is turned", resources: "/XObject << /F \(form) 0 R >>",
            content: "0.8 0 0 0.8 30 10 cm /F Do")
        let group = corpus.form(
            "/Pattern cs /P scn \(area)", resources: "/Pattern << /P \(plain) 0 R >>",
            entries: "/Group << /S /Transparency >>")
        corpus.page(
            "a tiling pattern in a transparency group",
            resources: "/XObject << /F \(group) 0 R >> /ExtGState << /G << /ca 0.5 >> >>", content: "/G gs /F Do")
        return corpus.document
    }
}
