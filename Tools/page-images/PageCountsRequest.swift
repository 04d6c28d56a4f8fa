// Counts the pages of documents of any type.

import FoundationEssentials
import PrintModel
import PrintWork

/// Documents whose pages are counted after the conversion, read as JSON from standard input.
struct PageCountsRequest: Decodable {
    /// The folder with printq's programs.
    var programs: String
    /// The existing folder for prepared PDFs.
    var output: String
    /// The paths of the documents.
    var documents: [String]
    /// Whether the prepared PDFs stay in the folder; nil for false.
    var keepsPDFs: Bool?

    /// The result for one document.
    struct Answer: Encodable {
        let document: String
        /// The number of pages; nil if the document cannot be printed.
        var pages: Int?
        /// The path of the prepared PDF; nil if the PDF is not kept.
        var pdf: String?
        var notices: [String] = []
        /// The error code, for programs; nil if the document can be printed.
        var code: WorkError.Code?
        /// The error message, for people.
        var message: String?
        /// The message of a library, or the signal that ended the worker.
        var detail: String?
    }

    /// Identifies, converts and prepares the documents one after another.
    func answer(_ write: @Sendable (Answer) throws -> Void) async throws {
        let pool = ConvertingWorkerPool(ConvertingWorkerPool.Settings(programs: programs))
        async let running: Void = pool.run()
        for path in documents {
            let name = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
            let folder = "\(output)/\(UInt64.random(in: 0...UInt64.max))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let output = "\(folder)/prepared.pdf"
            let request = PrepareRequest(
                documents: [InputDocument(path: path, name: name)],
                imposition: Imposition(paper: PrintPaper(media: .letter)), output: output)
            do throws(WorkError) {
                let prepared = try await pool.prepare(request) { _ in }
                try? write(
                    Answer(
                        document: path, pages: prepared.pages, pdf: keepsPDFs == true ? output : nil,
                        notices: prepared.notices))
            } catch {
                try? write(
                    Answer(document: path, code: error.code, message: error.message, detail: error.detail))
            }
            if keepsPDFs != true { try FileManager.default.removeItem(atPath: folder) }
        }
        pool.shutdown()
        await running
    }
}
