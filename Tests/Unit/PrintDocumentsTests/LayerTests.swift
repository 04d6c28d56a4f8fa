// Tests which layers of a document are printed.

import PrintModel
import PrintTestSupport
import Testing

struct LayerTests {
    /// Returns a page with a yellow rectangle, and with red content that belongs to a layer or a membership dictionary.
    ///
    /// Objects 6 and 7 are the layers.
    ///
    /// - Parameters:
    ///   - membership: The object to which the content belongs.
    ///   - content: The content of the page after the yellow rectangle. `/L` is the membership, and `/X` is a form.
    private func document(
        _ membership: String, usage: (String, String) = ("", ""), configuration: String = "",
        content: String = "/OC /L BDC 1 0 0 rg 60 0 60 60 re f EMC", annotations: String = ""
    ) -> [UInt8] {
        let content = "1 1 0 rg 0 0 40 30 re f \(content)"
        let form = "/OC /L BDC 1 0 0 rg 60 0 60 60 re f EMC 0 1 0 rg 0 30 30 30 re f"
        return HandMadePDF(
            "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R 7 0 R] /D << \(configuration) >> >> >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            """
            << /Type /Page /Parent 2 0 R /MediaBox [0 0 120 60] /Contents 4 0 R /Annots [\(annotations)]
              /Resources << /Properties << /L \(membership) >> /XObject << /X 5 0 R /O 8 0 R >> >> >>
            """,
            "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream",
            """
            << /Type /XObject /Subtype /Form /BBox [0 0 120 60] /Resources << /Properties << /L \(membership) >> >>
              /Length \(form.utf8.count) >>\nstream\n\(form)\nendstream
            """,
            "<< /Type /OCG /Name (first) \(usage.0) >>", "<< /Type /OCG /Name (second) \(usage.1) >>",
            """
            << /Type /XObject /Subtype /Form /BBox [0 0 120 60] /OC \(membership)
              /Length 26 >>\nstream\n1 0 0 rg 60 0 60 60 re f  \nendstream
            """
        ).bytes
    }

    private let printed = "__RR\nY_RR"
    private let hidden = "____\nY___"
    private let printEvent = "/AS [<< /Event /Print /Category [/Print] /OCGs [6 0 R 7 0 R] >>]"

    /// Returns a usage dictionary with a state for printing and a state for the screen.
    private func usage(print: String, view: String) -> String {
        "/Usage << /Print << /PrintState /\(print) >> /View << /ViewState /\(view) >> >>"
    }

    @Test func `a layer for print is printed although it is off on the screen`() async throws {
        let file = document(
            "6 0 R", usage: (usage(print: "ON", view: "OFF"), ""), configuration: "/OFF [6 0 R] \(printEvent)")
        expectPixels(try await PreparedSheets(files: [file]).side(0), printed)
    }

    @Test func `a layer for the screen is not printed, and its content draws nothing without layers`() async throws {
        for content in ["/OC /L BDC 1 0 0 rg 60 0 60 60 re f EMC", "/O Do", "/OC /L BDC /X Do EMC"] {
            let file = document(
                "6 0 R", usage: (usage(print: "OFF", view: "ON"), ""), configuration: printEvent, content: content)
            let sheets = try await PreparedSheets(files: [file])
            expectPixels(try sheets.side(0), hidden)
            #expect(try !sheets.source().contains("60 60 re f"), "\(content)")
        }
    }

    @Test func `content after a hidden layer keeps its graphics state, also in forms`() async throws {
        let file = document(
            "6 0 R", configuration: "/OFF [6 0 R]", content: "/OC /L BDC 0 0 1 rg EMC 90 0 30 30 re f /X Do")
        expectPixels(try await PreparedSheets(files: [file]).side(0), "G___\nY__B")
    }

    @Test(arguments: [
        ("/P /AllOn", false), ("/P /AnyOn", true), ("/P /AnyOff", true), ("/P /AllOff", false),
        ("/VE [/Not 6 0 R]", true), ("/VE [/Not 7 0 R]", false), ("/VE [/And 7 0 R [/Not 6 0 R]]", true),
        ("/VE [/Or 6 0 R [/Not 7 0 R]]", false),
    ])
    func `membership dictionaries are evaluated`(rule: String, isPrinted: Bool) async throws {
        let file = document(
            "<< /Type /OCMD /OCGs [6 0 R 7 0 R] \(rule) >>", configuration: "/BaseState /OFF /ON [7 0 R]")
        expectPixels(try await PreparedSheets(files: [file]).side(0), isPrinted ? printed : hidden)
    }

    @Test(arguments: [("6 0 R", false), ("7 0 R", true)])
    func `an annotation belongs to a layer`(layer: String, isPrinted: Bool) async throws {
        let file = document(
            "6 0 R", configuration: "/OFF [6 0 R]", content: "",
            annotations:
                "<< /Type /Annot /Subtype /Square /F 4 /C [1 0 0] /IC [1 0 0] /Rect [60 0 120 60] /OC \(layer) >>")
        expectPixels(try await PreparedSheets(files: [file]).side(0), isPrinted ? printed : hidden)
    }
}
