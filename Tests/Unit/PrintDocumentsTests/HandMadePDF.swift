// Builds PDFs from objects that a test writes.

/// A PDF that consists of objects in text form.
///
/// The objects are numbered from 1. The first object is the catalog.
struct HandMadePDF {
    var objects: [String]

    init(_ objects: String...) { self.objects = objects }

    init(objects: [String]) { self.objects = objects }

    /// Creates a PDF from objects, followed by a stream object.
    init(_ objects: String..., stream dictionary: String, _ data: String) {
        let length = "\(dictionary.dropLast(2)) /Length \(data.utf8.count) >>"
        self.objects = objects + ["\(length)\nstream\n\(data)\nendstream"]
    }

    /// The bytes of the file, with a cross-reference table.
    var bytes: [UInt8] {
        var file = "%PDF-1.7\n"
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(file.utf8.count)
            file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = file.utf8.count
        file += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            let digits = String(offset)
            file += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        file += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        return Array(file.utf8)
    }
}
