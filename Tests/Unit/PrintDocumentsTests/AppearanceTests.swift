// Tests form fields and annotations without an appearance.

import PrintModel
import PrintTestSupport
import Testing

struct AppearanceTests {
    /// Returns a document with one page of 120 × 60 points and one annotation, which is object 4.
    ///
    /// The page content is a yellow rectangle.
    private func document(
        _ annotation: String, form: String = "", page: String = "/MediaBox [0 0 120 60]",
        content: String = "1 1 0 rg 0 0 40 30 re f", _ others: String...
    ) -> [UInt8] {
        HandMadePDF(
            objects: [
                "<< /Type /Catalog /Pages 2 0 R \(form) >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                "<< /Type /Page /Parent 2 0 R \(page) /Annots [4 0 R] /Resources << >> /Contents 5 0 R >>",
                "<< /Type /Annot /F 4 \(annotation) >>",
                "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream",
            ] + others
        ).bytes
    }

    private let form = """
        /AcroForm << /Fields [4 0 R] /NeedAppearances true /DA (/Helv 10 Tf 0 g)
          /DR << /Font << /Helv << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>
        """

    @Test func `the value of a form field without an appearance is printed`() async throws {
        let field = document(
            "/Subtype /Widget /FT /Tx /T (name) /V (HHHHHH) /DA (/Helv 20 Tf 0 g) /Rect [40 0 120 30]", form: form)
        expectPixels(try await PreparedSheets(files: [field]).side(0), "______\n______\nYY_###\nYY_###")
    }

    @Test func `an outdated appearance is replaced only if NeedAppearances is true`() async throws {
        let stale =
            "<< /Type /XObject /Subtype /Form /BBox [0 0 80 30] /Length 26 >>\nstream\n1 0 0 rg 0 0 80 30 re f\nendstream"
        let annotation = "/Subtype /Widget /FT /Tx /T (name) /V () /Rect [40 0 120 30] /AP << /N 6 0 R >>"
        let new = try await PreparedSheets(files: [document(annotation, form: form, stale)])
        expectPixels(try new.side(0), "____\n____\nY___\nY___")
        let kept = try await PreparedSheets(files: [
            document(annotation, form: form.replacing("/NeedAppearances true", with: ""), stale)
        ])
        expectPixels(try kept.side(0), "______\n______\nYYRRRR\nYYRRRR")
    }

    @Test func `a highlight without an appearance is printed, and the text below the highlight stays visible`()
        async throws
    {
        let highlight = document(
            "/Subtype /Highlight /C [0 1 0] /Rect [0 0 60 60] /QuadPoints [0 60 60 60 0 0 60 0]",
            content: "1 1 0 rg 0 0 30 30 re f 0 g 30 0 30 30 re f")
        expectPixels(try await PreparedSheets(files: [highlight]).side(0), "GG__\nGK__")
    }

    @Test(arguments: [
        "/Subtype /Square /C [1 0 0] /IC [1 0 0] /Rect [60 0 120 60]",
        "/Subtype /Circle /C [1 0 0] /IC [1 0 0] /Rect [40 -20 140 80]",
        "/Subtype /Line /C [1 0 0] /Rect [60 0 120 60] /L [90 0 90 60] /BS << /W 80 >>",
        "/Subtype /Ink /C [1 0 0] /Rect [60 0 120 60] /InkList [[90 0 90 60]] /BS << /W 80 >>",
        "/Subtype /Polygon /C [1 0 0] /IC [1 0 0] /Rect [60 0 120 60] /Vertices [60 0 120 0 120 60 60 60]",
    ])
    func `shape annotations without an appearance are printed`(annotation: String) async throws {
        expectPixels(try await PreparedSheets(files: [document(annotation)]).side(0), "...R\n...R")
    }

    @Test func `if an annotation cannot be drawn, a notice contains the type of the annotation`() async throws {
        let stamp = try await PreparedSheets(files: [document("/Subtype /Caret /Rect [60 0 120 60]")])
        #expect(
            stamp.result.notices == [
                "a Caret annotation without an appearance on page 1 of document-1.pdf is not printed"
            ])
    }

    @Test func `an annotation without the print flag is not printed`() async throws {
        let annotation = "/Subtype /Square /IC [1 0 0] /Rect [60 0 120 60]"
        let hidden = String(decoding: document(annotation), as: UTF8.self).replacing("/F 4", with: "/F 0")
        expectPixels(try await PreparedSheets(files: [Array(hidden.utf8)]).side(0), "____\nY___")
    }

    @Test(arguments: [
        (page: "/MediaBox [0 0 120 60] /Rotate 180", paper: (120.0, 60.0), picture: "RR_Y\nRR__"),
        (page: "/MediaBox [0 0 120 60] /Rotate 90", paper: (60.0, 120.0), picture: "Y_\n__\nRR\nRR"),
        (page: "/MediaBox [-60 -30 180 90] /CropBox [0 0 120 60]", paper: (120.0, 60.0), picture: "__RR\nY_RR"),
        (page: "/MediaBox [0 0 120 60] /UserUnit 2", paper: (240.0, 120.0), picture: "__RR\nY_RR"),
    ])
    func `annotations without an appearance are moved and turned with the page`(
        page: String, paper: (Double, Double), picture: String
    ) async throws {
        let square = document("/Subtype /Square /C [1 0 0] /IC [1 0 0] /Rect [60 0 120 60]", page: page)
        let sheets = try await PreparedSheets(files: [square], paper: paper) { $0.scaling = .none }
        expectPixels(try sheets.side(0), picture)
    }

    @Test func `with number-up 2, an annotation without an appearance moves with the page`() async throws {
        let square = document("/Subtype /Square /C [1 0 0] /IC [1 0 0] /Rect [60 0 120 60]")
        let sheets = try await PreparedSheets(files: [square], paper: (120, 120)) {
            $0.numberUp = NumberUp(count: 2)
            $0.scaling = .fit
        }
        expectPixels(try sheets.side(0), "__RR\nY_RR\n____\n____")
    }

    /// A form whose content is a green rectangle of 60 × 60 points that multiplies with the colors below it.
    private func highlighter(group: String) -> String {
        stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 60 60] /Group << /S /Transparency \(group) >>"
                + " /Resources << /ExtGState << /M << /BM /Multiply >> >> >>",
            "/M gs 0 1 0 rg 0 0 60 60 re f")
    }

    private func stream(_ entries: String, _ content: String) -> String {
        "<< \(entries) /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream"
    }

    @Test(arguments: ["", "/I true", "/K true", "/I true /K true"])
    func `text stays visible under a highlight whose appearance is a transparency group`(group: String) async throws {
        let highlight = document(
            "/Subtype /Highlight /Rect [0 0 60 60] /AP << /N 6 0 R >>",
            content: "1 1 0 rg 0 0 30 30 re f 0 g 30 0 30 30 re f", highlighter(group: group))
        expectPixels(try await PreparedSheets(files: [highlight]).side(0), "GG__\nGK__")
        let shared = try await PreparedSheets(files: [highlight], paper: (120, 120)) {
            $0.numberUp = NumberUp(count: 2)
            $0.scaling = .fit
        }
        expectPixels(try shared.side(0), "GG__\nGK__\n____\n____")
    }

    @Test(arguments: ["", "/I true"])
    func `text stays visible under a highlight whose appearance draws a transparency group`(group: String) async throws
    {
        let highlight = document(
            "/Subtype /Highlight /Rect [0 0 60 60] /AP << /N 7 0 R >>",
            content: "1 1 0 rg 0 0 30 30 re f 0 g 30 0 30 30 re f", highlighter(group: group),
            stream(
                "/Type /XObject /Subtype /Form /BBox [0 0 60 60] /Resources << /XObject << /G 6 0 R >> >>", "/G Do"))
        expectPixels(try await PreparedSheets(files: [highlight]).side(0), "GG__\nGK__")
    }

    @Test func `the blend mode of an annotation applies to its whole appearance`() async throws {
        let square = document(
            "/Subtype /Square /BM /Multiply /Rect [0 0 60 60] /AP << /N 6 0 R >>",
            content: "1 1 0 rg 0 0 30 30 re f 0 g 30 0 30 30 re f",
            stream("/Type /XObject /Subtype /Form /BBox [0 0 60 60]", "0 1 0 rg 0 0 60 60 re f"))
        expectPixels(try await PreparedSheets(files: [square]).side(0), "GG__\nGK__")
    }

    @Test(arguments: ["/Subtype /Widget /FT /Sig /T (s)", "/Subtype /Stamp"])
    func `an appearance without states is printed although the annotation has a state`(kind: String) async throws {
        let signature = document(
            "\(kind) /AS /N /Rect [60 0 120 60] /AP << /N 6 0 R >>",
            stream("/Type /XObject /Subtype /Form /BBox [0 0 30 30]", "1 0 0 rg 0 0 30 30 re f"))
        expectPixels(try await PreparedSheets(files: [signature]).side(0), "__RR\nY_RR")
    }

    @Test(arguments: ["/AP << >>", "/AP << /D 6 0 R >>"])
    func `a form field is printed although its normal appearance is missing`(appearances: String) async throws {
        let field = document(
            "/Subtype /Widget /FT /Tx /T (name) /V (HHHHHH) /DA (/Helv 20 Tf 0 g) /Rect [40 0 120 30] \(appearances)",
            form: form.replacing("/NeedAppearances true", with: ""), stream("", ""))
        expectPixels(try await PreparedSheets(files: [field]).side(0), "______\n______\nYY_###\nYY_###")
    }

    @Test(arguments: ["/Type /XObject /Subtype /Form", "/Subtype /Form /BBox [0 0 0]", ""])
    func `an appearance without a bounding box fills the rectangle of the annotation`(entries: String) async throws {
        let stamp = document(
            "/Subtype /Stamp /Rect [60 0 120 60] /AP << /N 6 0 R >>", stream(entries, "1 0 0 rg 0 0 60 60 re f"))
        expectPixels(try await PreparedSheets(files: [stamp]).side(0), "__RR\nY_RR")
    }
}
