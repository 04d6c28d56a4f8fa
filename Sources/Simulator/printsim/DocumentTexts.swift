// Searches the text of documents.

import PrintModel
import PrintWork
import PrinterSimulator

/// The text of the documents of jobs, which sandboxed workers read when somebody searches the jobs.
///
/// The text of documents that consist of pixels is empty.
actor DocumentTexts {
    private let viewer: PageViewer
    /// The texts by the UUID of the job, in lower case, with one space between words.
    private var texts: [String: String] = [:]
    /// The UUIDs of the jobs in `texts`, with the oldest first.
    private var order: [String] = []
    private var bytes = 0

    /// The maximum number of bytes of all texts in memory.
    private static let mostBytes = 64 << 20
    /// The number of pages of a job whose text is read.
    private static let mostPages = 200

    init(_ viewer: PageViewer) { self.viewer = viewer }

    /// Returns a text in the form in which it is searched: in lower case, with one space between words.
    static func searched(_ text: String) -> String {
        text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns whether the pages of a job's documents contain a text of `searched`.
    func contain(_ wanted: String, in job: SimulatedJob, at printer: SimulatedPrinter) async -> Bool {
        if let text = texts[job.uuid] { return text.contains(wanted) }
        // The documents of such a job are still arriving.
        guard !job.isIncoming else { return false }
        let text = Self.searched(await read(job, at: printer))
        guard !Task.isCancelled else { return false }
        keep(text, of: job.uuid)
        return text.contains(wanted)
    }

    /// Returns the text of a job's documents; documents that cannot be read have no text.
    private func read(_ job: SimulatedJob, at printer: SimulatedPrinter) async -> String {
        guard let images = try? JobImages(of: job, at: printer) else { return "" }
        var text = ""
        for (number, document) in zip(1..., job.documents) where document.format == .pdf {
            guard let path = images.document(number) else { continue }
            let documents = ViewedDocuments(
                id: path, request: ViewRequest(documents: [ViewedDocument(InputDocument(path: path, format: .pdf))]))
            defer { viewer.close(documents) }
            guard let opened = try? await viewer.pages(of: documents, for: job.owner) else { continue }
            for page in (1...max(1, opened.sizes.count)).prefix(Self.mostPages) {
                guard let words = try? await viewer.words(ofPage: page, in: documents, for: job.owner) else { continue }
                text += words.text + "\n"
            }
        }
        return text
    }

    private func keep(_ text: String, of uuid: String) {
        if texts[uuid] == nil { order.append(uuid) }
        texts[uuid] = text
        bytes += text.utf8.count
        while bytes > Self.mostBytes, order.count > 1 {
            bytes -= texts.removeValue(forKey: order.removeFirst())?.utf8.count ?? 0
        }
    }
}
