// Builds PDF files from single objects, for features that `PDFBuilder` does not support.

import FoundationEssentials

/// A document with one or more pages, shared resources and additional objects.
///
///     let pdf = SharedResourcePDF(width: 60, height: 60, resources: "/ExtGState << /M << /BM /Multiply >> >>",
///         content: "/M gs 1 0 0 rg 0 0 30 30 re f")
///     try pdf.write(to: folder.path("blend.pdf"))
struct SharedResourcePDF {
    /// The number of the first additional object.
    ///
    /// The catalog, the page tree and the font Helvetica (`/F1`) have lower numbers.
    static let firstObject = 4

    var width: Double
    var height: Double
    /// The entries of the pages' resource dictionary, without the font.
    var resources = ""
    /// Additional entries for the dictionary of each page.
    var entries = ""
    /// The objects that the resources and entries refer to, numbered from `firstObject`.
    var objects: [String] = []
    /// The content stream of each page.
    var contents: [String]

    init(
        width: Double, height: Double, resources: String = "", entries: String = "", objects: [String] = [],
        content: String...
    ) {
        self.width = width
        self.height = height
        self.resources = resources
        self.entries = entries
        self.objects = objects
        contents = content
    }

    /// Returns a stream object.
    static func stream(_ dictionary: String, _ content: String) -> String {
        "<< \(dictionary) /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream"
    }

    /// Returns a form XObject with a transparency group.
    static func group(_ entries: String = "", width: Double, height: Double, resources: String = "", _ content: String)
        -> String
    {
        stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 \(width) \(height)] /Group << /S /Transparency \(entries) >>"
                + " /Resources << \(resources) >>", content)
    }

    /// The bytes of the file.
    var bytes: [UInt8] {
        let firstPage = Self.firstObject + objects.count
        let kids = contents.indices.map { "\(firstPage + $0 * 2) 0 R" }.joined(separator: " ")
        var all = [
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [\(kids)] /Count \(contents.count) >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        ]
        all += objects
        for (index, content) in contents.enumerated() {
            all.append(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(width) \(height)] /Contents \(firstPage + index * 2 + 1) 0 R"
                    + " /Resources << /Font << /F1 3 0 R >> \(resources) >> \(entries) >>")
            all.append(Self.stream("", content))
        }
        var file = "%PDF-1.7\n"
        var table = "0000000000 65535 f \n"
        for (index, object) in all.enumerated() {
            let offset = String(file.utf8.count)
            table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
            file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = file.utf8.count
        file += "xref\n0 \(all.count + 1)\n\(table)trailer\n<< /Size \(all.count + 1) /Root 1 0 R >>\n"
        return Array("\(file)startxref\n\(start)\n%%EOF\n".utf8)
    }

    func write(to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
}
