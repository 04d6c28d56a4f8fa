// Documents of all types, made by the programs that people make such documents with.

import Foundation
import PrintTestSupport
import Testing

/// One document of each printable type, made by `scripts/sample-documents`.
///
/// Text documents contain the words "Sample of EXTENSION". Images are red on the left and blue on the right.
struct SampleDocuments {
    /// The extensions of documents with words.
    static let written = [
        "txt", "c", "md", "html", "csv", "tsv", "eml", "mbox", "epub", "xml", "pdf", "ps", "eps", "docx", "doc", "odt",
        "rtf", "xlsx",
        "xls", "ods", "pptx", "ppt", "odp",
    ]
    /// The extensions of images in red and blue.
    static let colored = ["png", "tiff", "jpg", "gif", "bmp", "ico", "cur", "webp", "heic", "avif", "jp2", "j2k"]
    /// The extensions of all documents.
    ///
    /// The X bitmap is black on the left. The letters of the SVG drawing are shapes.
    static let all = written + colored + ["xbm", "svg"]

    private let folder: TemporaryFolder

    /// The samples of this test run, which are made once.
    static let shared = Task { try await SampleDocuments() }

    private init() async throws {
        folder = try TemporaryFolder()
        let script = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../scripts/sample-documents")
            .standardized.path
        let run = try await ProgramRun(
            "/usr/bin/python3", [script, folder.path],
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path, "LANG": "C.UTF-8"], in: folder.path, input: "")
        try #require(run.code == 0, "\(run.complaints)")
    }

    /// Returns the path of the sample with an extension.
    func path(_ ending: String) -> String { folder.path("sample.\(ending)") }
}
