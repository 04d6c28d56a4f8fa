// Reads a job that has ended from the printer's output folder.

import FoundationEssentials

/// A job that has ended, with the printed pages.
///
/// The images are in the printer's output folder. A temporary output folder is deleted when the printer stops. Read the
/// images before the printer stops.
public struct PrintedJob: Sendable, CustomStringConvertible {
    /// The job's number (IPP `job-id`).
    public var id: Int
    /// The job's name (IPP `job-name`).
    public var name: String
    /// The user who submitted the job, as claimed by the client (IPP `job-originating-user-name`).
    public var owner: String
    /// The final state: `completed`, `canceled` or `aborted`.
    public var state: JobState
    /// The reason for the state; empty if there is no reason (IPP `job-state-message`).
    public var message: String
    /// The differences between the request and the output, such as `content clipped at the left margin on page 2`.
    public var warnings: [String]
    /// The printed pages of one copy, in order.
    ///
    /// Pages that were not printed are omitted.
    public var pages: [PrintedPage]
    /// The number of requested copies.
    public var copies: Int
    /// The duplex mode in which the job was printed: one-sided, or two-sided on the long or short edge.
    public var sides: Duplex
    /// The paper on which the job was printed.
    public var paper: PrintPaper
    /// The color mode that the printer chose.
    public var colorMode: ColorMode
    /// The requested tray (IPP `media-source`); nil when no tray was requested.
    public var mediaSource: String?
    /// The number of printed sides that are not blank, in all copies.
    public var impressions: Int
    /// The number of printed sheets, in all copies.
    public var sheets: Int
    /// The received documents, in order.
    public var documents: [Document]
    /// The folder of the job's files: images, documents, `sheets.pdf`, `job.json`.
    public var folder: String

    /// A document that the printer received.
    public struct Document: Hashable, Sendable {
        /// The path of the document's file.
        public var path: String
        /// The name of the document; nil when the client sent no name.
        public var name: String?
        /// The format of the document: the format that the client declared, otherwise the format detected from the
        /// content.
        public var format: DocumentFormat
    }

    /// Reads the files of a job from its folder, such as `output/color-laser/job-000001` of a `printsim`.
    ///
    /// - Throws: `unreadable` if the folder contains no job, or the job has not ended.
    public init(folder: String) throws(PrintTestingError) {
        let file: JobFile
        do {
            file = try JSONDecoder().decode(JobFile.self, from: Data(contentsOf: URL(filePath: "\(folder)/job.json")))
        } catch {
            throw PrintTestingError(
                .unreadable, "cannot read '\(folder)/job.json'; the printer may have stopped", cause: error)
        }
        guard let state = JobState.allCases.first(where: { $0.description == file.state }), state.isTerminal else {
            throw PrintTestingError(
                .unreadable, "job \(file.id) in '\(folder)' has not ended: its state is \(file.state)")
        }
        (id, name, owner) = (file.id, file.name, file.owner)
        (self.state, message, warnings) = (state, file.message, file.warnings)
        (copies, sides, paper) = (file.copies, file.sides, file.paper)
        (colorMode, mediaSource) = (file.colorMode, file.mediaSource)
        (impressions, sheets) = (file.impressionsCompleted, file.sheetsCompleted)
        documents = file.documents.map {
            Document(path: "\(folder)/\($0.file)", name: $0.name, format: $0.format)
        }
        self.folder = folder
        let texts = JobTexts(documents, job: file.id, ranges: file.pageRanges)
        pages = file.pages.enumerated().filter { FileManager.default.fileExists(atPath: "\(folder)/\($1.file)") }.map {
            (index, image) in
            PrintedPage(
                number: index + 1, job: file.id, width: image.width, height: image.height,
                resolution: file.resolution ?? 100, isBlank: image.isBlank,
                clipped: image.clipped, path: "\(folder)/\(image.file)", texts: texts,
                image: PageFile("\(folder)/\(image.file)"))
        }
    }

    /// A line with the number, name, state, page count, sheet count and warnings of the job.
    public var description: String {
        let because = message.isEmpty ? "" : ": \(message)"
        let warned = warnings.map { "; \($0)" }.joined()
        return "job \(id) (\(name)): \(state)\(because), \(pages.count) page\(pages.count == 1 ? "" : "s") on "
            + "\(sheets) sheet\(sheets == 1 ? "" : "s")\(warned)"
    }
}

/// The members of `job.json` that this module reads.
private struct JobFile: Decodable {
    struct Document: Decodable {
        var file: String
        var name: String?
        var format: DocumentFormat
    }

    var id: Int
    var name: String
    var owner: String
    var state: String
    var message: String
    var warnings: [String]
    var copies: Int
    var sides: Duplex
    var paper: PrintPaper
    var colorMode: ColorMode
    var mediaSource: String?
    var impressionsCompleted: Int
    var sheetsCompleted: Int
    var pageRanges: PageRanges
    var resolution: Int?
    var documents: [Document]
    var pages: [PageImage]
}
