// Makes annotations that are printed although they have no appearance stream (ISO 32000-1 §12.5.5).

extension CorpusDocument {
    /// Annotations without appearance streams, with and without the flag Print, and some with appearance streams.
    public static var annotations: CorpusDocument {
        var corpus = CorpusBuilder("annotations")
        let quad = "/QuadPoints [30 90 130 90 30 50 130 50]"
        let box = "/Rect [30 50 130 90]"
        let marked = [
            ("Highlight", "/C [1 1 0] \(box) \(quad)"), ("Underline", "/C [1 0 0] \(box) \(quad)"),
            ("StrikeOut", "/C [1 0 0] \(box) \(quad)"), ("Squiggly", "/C [1 0 0] \(box) \(quad)"),
            ("Square", "/C [1 0 0] /IC [0.6 0.8 1] /BS << /W 8 >> \(box)"),
            ("Circle", "/C [0 0.5 0] /IC [1 1 0.6] /BS << /W 8 >> \(box)"),
            ("Line", "/C [0 0 1] /BS << /W 8 >> /L [40 60 120 80] \(box)"),
            ("Ink", "/C [1 0 0] /BS << /W 8 >> /InkList [[40 55 80 85 120 55]] \(box)"),
            ("Polygon", "/C [0 0 1] /IC [0.8 1 0.8] /BS << /W 8 >> /Vertices [40 55 120 55 80 85] \(box)"),
            ("PolyLine", "/C [0 0 1] /BS << /W 8 >> /Vertices [40 55 80 85 120 55] \(box)"),
            ("FreeText", "/C [1 1 0.6] /DA (0 0 1 rg /Helv 24 Tf) /Contents (words) \(box)"),
        ]
        for (kind, entries) in marked {
            corpus.annotated("\(kind) without an appearance", "/Subtype /\(kind) /F 4 \(entries)")
        }
        corpus.annotated(
            "an annotation that is not to be printed", "/Subtype /Square /F 0 /C [1 0 0] /IC [1 0 0] \(box)")
        corpus.annotated("a hidden annotation", "/Subtype /Square /F 6 /C [1 0 0] /IC [1 0 0] \(box)")
        let stamp = corpus.form("1 0 0 rg 0 0 50 20 re f 0 0 1 rg 0 0 10 20 re f", box: "[0 0 50 20]")
        corpus.annotated("a stamp with an appearance", "/Subtype /Stamp /F 4 /AP << /N \(stamp) 0 R >> \(box)")
        let turned = corpus.form(
            "1 0 0 rg 0 0 50 20 re f 0 0 1 rg 0 0 10 20 re f", box: "[0 0 50 20]", entries: "/Matrix [0 1 -1 0 0 0]")
        corpus.annotated(
            "a stamp whose appearance is turned",
            "/Subtype /Stamp /F 4 /AP << /N \(turned) 0 R >> /Rect [60 20 100 110]")
        corpus.annotated("a stamp that is not to be printed", "/Subtype /Stamp /F 0 /AP << /N \(stamp) 0 R >> \(box)")
        return corpus.document
    }
}

extension CorpusBuilder {
    fileprivate mutating func annotated(_ name: String, _ entries: String) {
        page(name, entries: "/Annots [<< /Type /Annot \(entries) >>]", content: "0.5 0.7 0.5 rg 60 30 40 80 re f")
    }
}
