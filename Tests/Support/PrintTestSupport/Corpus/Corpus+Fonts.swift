// Makes fonts of all types (ISO 32000-1 §9.6, §9.7).

extension CorpusDocument {
    /// Text in Type 3, TrueType and CID fonts, embedded and not embedded, and in text modes that clip or draw outlines.
    public static var fonts: CorpusDocument {
        var corpus = CorpusBuilder("fonts")
        corpus.addType3()
        corpus.addEmbedded()
        corpus.addStandard()
        corpus.addPredefined()
        return corpus.document
    }
}

extension CorpusBuilder {
    fileprivate mutating func addType3() {
        func font(_ shapes: [String], matrix: String, resources: String = "") -> Int {
            let glyphs = shapes.map { pdf.stream("", $0) }
            return pdf.add(
                """
                << /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [\(matrix)]
                /Encoding << /Type /Encoding /Differences [65 /a /b] >> /FirstChar 65 /LastChar 66 /Widths [1000 1000]
                /CharProcs << /a \(glyphs[0]) 0 R /b \(glyphs[1]) 0 R >> /Resources << \(resources) >> >>
                """)
        }
        func show(_ name: String, _ font: Int, _ content: String) {
            page(name, resources: "/Font << /F \(font) 0 R >>", content: "BT \(content) ET")
        }
        let shapes = ["1000 0 0 0 900 900 d1 0 0 900 900 re f", "1000 0 0 0 900 900 d1 0 0 m 900 0 l 450 900 l f"]
        let plain = font(shapes, matrix: "0.001 0 0 0.001 0 0")
        show("a Type 3 font that takes the text's color", plain, "1 0 0 rg /F 40 Tf 25 40 Td (ABA) Tj")
        show("a Type 3 font that is turned", plain, "0 0 1 rg /F 36 Tf 0.866 0.5 -0.5 0.866 45 20 Tm (AB) Tj")
        let colored = font(
            [
                "1000 0 d0 1 0 0 rg 0 0 500 900 re f 0 0 1 rg 500 0 400 900 re f",
                "1000 0 d0 0 0.6 0 rg 0 0 m 900 0 l 450 900 l f",
            ], matrix: "0.001 0 0 0.001 0 0")
        show("a Type 3 font that has colors", colored, "/F 40 Tf 25 40 Td (AB) Tj")
        let slanted = font(shapes, matrix: "0.001 0 0.0004 0.0008 0 0")
        show("a Type 3 font with a slanted matrix", slanted, "/F 40 Tf 20 40 Td (AB) Tj")
        let image = pdf.stream(
            "/Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 1 /ImageMask true",
            [0x00, 0x7E, 0x7E, 0x66, 0x66, 0x7E, 0x7E, 0x00])
        let bitmaps = font(
            ["1000 0 0 0 900 900 d1 900 0 0 900 0 0 cm /I Do", "1000 0 0 0 900 900 d1 900 0 0 -900 0 900 cm /I Do"],
            matrix: "0.001 0 0 0.001 0 0", resources: "/XObject << /I \(image) 0 R >>")
        show("a Type 3 font of bitmaps", bitmaps, "0.6 0 0.6 rg /F 48 Tf 25 40 Td (AB) Tj")
    }

    fileprivate mutating func addEmbedded() {
        let file = pdf.stream("/Length1 \(TinyFont.bytes.count)", TinyFont.bytes)
        let descriptor = pdf.add(
            """
            << /Type /FontDescriptor /FontName /ABCDEF+Tiny /Flags 4 /FontBBox [0 0 1000 800] /ItalicAngle 0 /Ascent 800
            /Descent 0 /CapHeight 800 /StemV 200 /FontFile2 \(file) 0 R >>
            """)
        let simple = pdf.add(
            """
            << /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Tiny /FirstChar 65 /LastChar 67 /Widths [1000 1000 1000]
            /FontDescriptor \(descriptor) 0 R >>
            """)
        func composite(map: String, encoding: String = "/Identity-H", entries: String = "") -> Int {
            let descendant = pdf.add(
                """
                << /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Tiny /CIDToGIDMap \(map) /DW 1000 \(entries)
                /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>
                /FontDescriptor \(descriptor) 0 R >>
                """)
            return pdf.add(
                """
                << /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Tiny /Encoding \(encoding)
                /DescendantFonts [\(descendant) 0 R] >>
                """)
        }
        // Codes 0 to 3 map to glyphs 0, 3, 2, 1.
        let swapped = pdf.stream("", [0, 0, 0, 3, 0, 2, 0, 1])
        func show(_ name: String, _ font: Int, _ content: String) {
            page(name, resources: "/Font << /F \(font) 0 R >>", content: content)
        }
        show("an embedded TrueType font", simple, "BT 1 0 0 rg /F 40 Tf 25 40 Td (ABC) Tj ET")
        show("an embedded CID font", composite(map: "/Identity"), "BT 0 0 1 rg /F 40 Tf 25 40 Td <000100020003> Tj ET")
        show(
            "an embedded CID font with a map of glyphs", composite(map: "\(swapped) 0 R"),
            "BT 0 0.6 0 rg /F 40 Tf 25 40 Td <000100020003> Tj ET")
        let cmap = pdf.stream(
            "/Type /CMap /CMapName /Own /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>",
            """
            /CIDInit /ProcSet findresource begin 12 dict begin begincmap
            /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> def
            /CMapName /Own def /CMapType 1 def
            1 begincodespacerange <00> <FF> endcodespacerange
            2 begincidchar <61> 3 <62> 1 endcidchar
            endcmap CMapName currentdict /CMap defineresource pop end end
            """)
        show(
            "an embedded CID font with an embedded CMap", composite(map: "/Identity", encoding: "\(cmap) 0 R"),
            "BT /F 40 Tf 25 40 Td (abb) Tj ET")
        show(
            "an embedded CID font that is written downwards", composite(map: "/Identity", encoding: "/Identity-V"),
            "BT /F 30 Tf 85 110 Td <000100020003> Tj ET")
        show(
            "text that clips", simple,
            "q BT 7 Tr /F 56 Tf 22 40 Td (AC) Tj ET 1 0 0 rg 20 20 130 40 re f 0 0 1 rg 20 60 130 40 re f Q")
        show("text of outlines", simple, "BT 2 Tr 6 w 1 0 0 RG 1 1 0 rg /F 48 Tf 25 40 Td (BC) Tj ET")
        show(
            "text with spaces, a rise and a stretch", simple,
            "BT /F 30 Tf 10 Tc 80 Tz 22 40 Td (AB) Tj 20 Ts (C) Tj ET")
    }

    /// Adds text in standard fonts, which every PDF reader supports.
    fileprivate mutating func addStandard() {
        for font in ["Helvetica-Bold", "Times-Roman", "Courier", "ZapfDingbats", "Symbol"] {
            page(
                "\(font), not embedded",
                resources: "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /\(font) >> >>",
                content: "BT /F 44 Tf 25 45 Td (HAN) Tj ET")
        }
    }

    /// Adds text in CID fonts that are not embedded, with predefined CMaps (ISO 32000-1 §9.7.5.2).
    fileprivate mutating func addPredefined() {
        for (cmap, text) in [("UniJIS-UCS2-H", "<65E5672C>"), ("90ms-RKSJ-H", "<93FA967B>"), ("EUC-H", "<C6FCCBDC>")] {
            let descriptor = pdf.add(
                """
                << /Type /FontDescriptor /FontName /HeiseiKakuGo-W5 /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0
                /Ascent 800 /Descent -200 /CapHeight 800 /StemV 80 >>
                """)
            let descendant = pdf.add(
                """
                << /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiKakuGo-W5 /DW 1000 /FontDescriptor \(descriptor) 0 R
                /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>
                """)
            let font = pdf.add(
                """
                << /Type /Font /Subtype /Type0 /BaseFont /HeiseiKakuGo-W5-\(cmap) /Encoding /\(cmap)
                /DescendantFonts [\(descendant) 0 R] >>
                """)
            page(
                "a CID font that is not embedded, with \(cmap)", resources: "/Font << /F \(font) 0 R >>",
                content: "BT /F 56 Tf 25 40 Td \(text) Tj ET")
        }
    }
}
