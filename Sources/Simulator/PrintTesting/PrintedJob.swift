// A job that has ended, and what came out.

import FoundationEssentials

/// A job that has ended, and what came out of the printer.
///
/// The images are in the printer's output folder, and go with it: look at them while the printer is there.
public struct PrintedJob: Sendable, CustomStringConvertible {
    /// Its number.
    public var id: Int
    /// Its name.
    public var name: String
    /// Who sent it, as the client claimed.
    public var owner: String
    /// How it ended: `completed`, `canceled` or `aborted`.
    public var state: JobState
    /// Why, in words; empty when there is nothing to say.
    public var message: String
    /// What was done otherwise than asked, or lost, such as `content clipped at the left margin on page 2`.
    public var warnings: [String]
    /// The pages of one copy, in order; those that came out.
    public var pages: [PrintedPage]
    /// How many copies were asked for.
    public var copies: Int
    /// On which sides.
    public var sides: Duplex
    /// On which paper.
    public var paper: PrintPaper
    /// The colour mode that the printer settled on.
    public var colorMode: ColorMode
    /// From which tray, if one was asked for.
    public var mediaSource: String?
    /// How many sides with something on them came out, of all copies.
    public var impressions: Int
    /// How many sheets came out, of all copies.
    public var sheets: Int
    /// The documents as they arrived, in order.
    public var documents: [Document]
    /// The folder of all that the job left: images, documents, `sheets.pdf`, `job.json`.
    public var folder: String

    /// A document as it arrived.
    public struct Document: Hashable, Sendable {
        /// Its file.
        public var path: String
        /// Its name, if the sender gave one.
        public var name: String?
        /// Its format, by content.
        public var format: DocumentFormat
    }

    /// Reads what a printer left in a job's folder, such as `output/color-laser/job-000001` of a `printsim`.
    ///
    /// - Throws: `unreadable` when there is no such job, or it has not ended.
    public init(folder: String) throws(PrintTestingError) {
        let file: JobFile
        do {
            file = try JSONDecoder().decode(JobFile.self, from: Data(contentsOf: URL(filePath: "\(folder)/job.json")))
        } catch {
            throw PrintTestingError(
                .unreadable, "'\(folder)/job.json' cannot be read; is the printer still there?", cause: error)
        }
        guard let state = JobState.allCases.first(where: { $0.description == file.state }), state.isTerminal else {
            throw PrintTestingError(.unreadable, "job \(file.id) in '\(folder)' has not ended: it is \(file.state)")
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

    /// Number, name, state, pages and warnings in one line.
    public var description: String {
        let because = message.isEmpty ? "" : ": \(message)"
        let warned = warnings.map { "; \($0)" }.joined()
        return "job \(id) (\(name)): \(state)\(because), \(pages.count) page\(pages.count == 1 ? "" : "s") on "
            + "\(sheets) sheet\(sheets == 1 ? "" : "s")\(warned)"
    }
}

/// What is read of `job.json`.
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
