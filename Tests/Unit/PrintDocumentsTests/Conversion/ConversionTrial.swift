import PrintDocuments
import Foundation
import PrintModel
import PrintTestSupport

/// A folder with documents that a test converts.
struct ConversionTrial {
    let folder: TemporaryFolder
    var layout = ConversionLayout(pageSize: Size(width: 612, height: 792))

    init() throws { folder = try TemporaryFolder() }

    /// Writes a document and returns it.
    func document(_ bytes: some Sequence<UInt8>, name: String = "a.txt") throws -> InputDocument {
        let path = folder.path(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return InputDocument(path: path)
    }

    /// The path of the converted document.
    var output: String { folder.path("output.pdf") }

    /// Converts a document of the type that its name has.
    @discardableResult
    func convert(_ bytes: some Sequence<UInt8>, name: String = "a.txt") async throws -> ConvertedDocument {
        let type = DocumentTypes.builtIn.type(forName: name)!
        return try await DocumentConverters().convert(
            ConvertRequest(document: document(bytes, name: name), type: type, layout: layout, output: output))
    }

    @discardableResult
    func convert(_ text: String, name: String = "a.txt") async throws -> ConvertedDocument {
        try await convert(text.utf8, name: name)
    }

    /// Returns the output of a program that reads the converted document.
    func run(_ program: String, _ arguments: String...) async throws -> String {
        try await ProgramRun(
            "/usr/bin/\(program)", arguments, environment: ["LC_ALL": "C.UTF-8"], in: folder.path
        ).output
    }

    /// Returns the text of pages, laid out as on paper.
    func text(page: Int? = nil) async throws -> String {
        let pages = page.map { ["-f", "\($0)", "-l", "\($0)"] } ?? []
        return try await ProgramRun(
            "/usr/bin/pdftotext", ["-layout"] + pages + [output, "-"], environment: ["LC_ALL": "C.UTF-8"],
            in: folder.path
        ).output
    }

    /// Returns the lines of a page that contain text, without spaces at their ends.
    func lines(page: Int = 1) async throws -> [String] {
        try await text(page: page).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && $0 != "\u{C}" }
    }

    /// Returns the words of a page with their boxes in points, from top to bottom and from left to right.
    func words(page: Int = 1) async throws -> [Word] {
        let html = try await run("pdftotext", "-bbox", "-f", "\(page)", "-l", "\(page)", output, "-")
        return html.matches(of: /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)<\/word>/)
            .map { match in
                Word(
                    text: String(match.5),
                    box: Rect(
                        x: Double(match.1)!, y: Double(match.2)!, width: Double(match.3)! - Double(match.1)!,
                        height: Double(match.4)! - Double(match.2)!))
            }
            .sorted { (($0.box.minY * 10).rounded(), $0.box.minX) < (($1.box.minY * 10).rounded(), $1.box.minX) }
    }

    struct Word {
        var text: String
        var box: Rect
    }
}
