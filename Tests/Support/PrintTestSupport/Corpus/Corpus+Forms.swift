// Makes form fields with values but without appearances (ISO 32000-1 §12.7.2, NeedAppearances).

extension CorpusDocument {
    /// A form field: its value, and the expected drawing.
    public struct Field: Sendable {
        /// The name of the page with the field.
        public let page: String
        /// The text that must be readable on the page; nil for fields that show marks.
        public let text: String?
        /// Whether the field must show something.
        public let isFilled: Bool
    }

    /// The field of each page of `forms`.
    public static let fields: [Field] = shapes.map {
        Field(page: $0.page, text: $0.text, isFilled: $0.text != nil || $0.isMarked)
    }

    /// The position of the field on each page of `forms`: left, bottom, width, height, in points.
    public static let fieldBox = (x: 30.0, y: 40.0, width: 100.0, height: 50.0)

    /// A document with one filled field without an appearance on each page.
    public static var forms: CorpusDocument {
        var corpus = CorpusBuilder("forms")
        let font = corpus.pdf.add(
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
        let dingbats = corpus.pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>")
        let rect = "/Rect [30 40 130 90]"
        var fields: [Int] = []
        for shape in shapes {
            let field = corpus.pdf.add(
                "<< /Type /Annot /Subtype /Widget /F 4 /T (\(fields.count)) \(rect) \(shape.entries) >>")
            fields.append(field)
            corpus.page(shape.page, entries: "/Annots [\(field) 0 R]", content: "0.9 1 0.9 rg 10 20 140 90 re f")
        }
        let list = fields.map { "\($0) 0 R" }.joined(separator: " ")
        corpus.pdf.catalog = """
            /AcroForm << /NeedAppearances true /Fields [\(list)] /DA (/Helv 0 Tf 0 g)
            /DR << /Font << /Helv \(font) 0 R /ZaDb \(dingbats) 0 R >> >> >>
            """
        return corpus.document
    }

    private static let shapes: [(page: String, entries: String, text: String?, isMarked: Bool)] = [
        ("a text field", "/FT /Tx /DA (/Helv 24 Tf 0 g) /V (Hello)", "Hello", false),
        ("a text field in color", "/FT /Tx /DA (/Helv 24 Tf 0 0 1 rg) /V (Blue)", "Blue", false),
        ("a text field whose size is found", "/FT /Tx /DA (/Helv 0 Tf 0 g) /V (Size)", "Size", false),
        ("a text field that is centered", "/FT /Tx /Q 1 /DA (/Helv 20 Tf 0 g) /V (Mid)", "Mid", false),
        ("a text field of several lines", "/FT /Tx /Ff 4096 /DA (/Helv 16 Tf 0 g) /V (one\\ntwo)", "one two", false),
        ("a text field with a comb", "/FT /Tx /Ff 16777216 /MaxLen 4 /DA (/Helv 24 Tf 0 g) /V (1234)", "1234", false),
        ("a text field in Unicode", "/FT /Tx /DA (/Helv 24 Tf 0 g) /V <FEFF00C400D600DC>", "ÄÖÜ", false),
        ("a choice", "/FT /Ch /Ff 131072 /Opt [(red) (green)] /DA (/Helv 24 Tf 0 g) /V (green)", "green", false),
        ("a list", "/FT /Ch /Opt [(red) (green)] /DA (/Helv 16 Tf 0 g) /V (green)", "green", false),
        (
            "a check box that is checked",
            "/FT /Btn /V /Yes /AS /Yes /MK << /CA (4) /BC [0] >> /DA (/ZaDb 0 Tf 0 g)", nil, true
        ),
        (
            "a radio button that is chosen",
            "/FT /Btn /Ff 32768 /V /on /AS /on /MK << /CA (l) /BC [0] >> /DA (/ZaDb 0 Tf 0 g)", nil, true
        ),
        ("an empty text field", "/FT /Tx /DA (/Helv 24 Tf 0 g)", nil, false),
    ]
}
