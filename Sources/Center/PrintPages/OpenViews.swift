// Keeps the documents that are shown in folders, for a limited time.

import AsyncPrimitives
import FoundationEssentials
import Glibc
import PrintModel
import PrintWork

/// The files and pages of documents that the Print Center displays.
struct OpenView: Sendable {
    /// A side of a printed sheet.
    struct Side: Hashable, Sendable {
        /// The numbers of the document pages on the side.
        ///
        /// The numbers are counted from 1 across all documents. The list is empty for a blank side. If the pages of the
        /// side are unknown, the list contains only the number 0.
        var pages: [Int]
        /// The number of counterclockwise quarter turns of the content on the paper.
        var turns = 0
    }

    /// The layout of the printed sides.
    struct Layout: Sendable {
        /// The print plan for one copy in page order.
        var plan: PrintPlan
        /// The printed sides of one copy, in page order.
        var sides: [Side]
        /// The number of sides per sheet: 1 for one-sided printing, 2 for two-sided printing.
        var sidesPerSheet: Int
        /// The laid-out pages in the document's colors, not clipped to the printable area.
        var plain: ViewedDocuments
        /// The properties of the laid-out PDF, such as the number of sheets.
        var prepared: PreparedDocument
    }

    /// The folder that contains the files of the view.
    var folder: String
    /// The documents, converted to a format that the layout supports.
    var documents: [InputDocument]
    /// The displayed documents, as a request to the viewer.
    var viewed: ViewedDocuments
    /// The sizes of the displayed pages, and the number of pages of each document.
    var opened: OpenedPages
    /// The layout; nil if the documents are displayed without layout.
    var layout: Layout?
    /// The path of the PDF with the laid-out pages; nil if the documents are displayed without layout.
    var preparedPath: String?
}

/// A store of the documents that the Print Center displays.
///
/// The files of each job or preview are in a separate folder. A folder is removed ten minutes after its last use. The
/// initializer removes the folders of an earlier process.
actor OpenViews {
    private struct Entry {
        /// The number of the job; nil for a preview.
        var job: Int?
        var task: Task<OpenView, any Error>
        var view: OpenView?
        var lastUse: ContinuousClock.Instant
    }

    private let folder: String
    private let pictures: PagePictures
    private var entries: [String: Entry] = [:]

    /// The maximum number of folders with open documents.
    private static let most = 24
    /// The time without use after which a folder is removed.
    private static let idleTime = Duration.seconds(600)

    /// Creates an empty list of open documents, and an empty folder for the files of the documents.
    init(folder: String, pictures: PagePictures) {
        self.folder = folder
        self.pictures = pictures
        try? FileManager.default.removeItem(atPath: folder)
        mkdir(folder, 0o700)
    }

    /// Returns the open documents for a key, and opens the documents if necessary.
    ///
    /// - Parameters:
    ///   - key: A text that identifies the documents and their layout.
    ///   - job: The number of the job; nil for a preview.
    ///   - open: A closure that opens the documents in the given empty folder.
    func view(
        _ key: String, job: Int?, open: @escaping @Sendable (_ folder: String) async throws -> OpenView
    ) async throws -> OpenView {
        if entries[key] == nil {
            let path = "\(folder)/\(UUID().uuidString.lowercased())"
            let task = Task(executorPreference: BlockingThreads.shared) {
                BlockingCall.check()
                guard mkdir(path, 0o700) == 0 else {
                    throw WorkError(
                        .writeFailed, "cannot create a folder for page images: \(String(cString: strerror(errno)))")
                }
                return try await open(path)
            }
            entries[key] = Entry(job: job, task: task, lastUse: .now)
            removeExcess()
        }
        entries[key]?.lastUse = .now
        guard let task = entries[key]?.task else { throw CancellationError() }
        switch await task.result {
        case .success(let view):
            if entries[key]?.task == task { entries[key]?.view = view }
            return view
        case .failure(let error):
            if entries[key]?.task == task { entries[key] = nil }
            throw error
        }
    }

    /// Returns the open documents with the key that was passed to `view`; nil if the documents are not open.
    func openView(_ key: String) -> OpenView? {
        entries[key]?.lastUse = .now
        return entries[key]?.view
    }

    /// Closes the documents with the key that was passed to `view`, and cancels the preparation of these documents.
    func close(_ key: String) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        remove(entry)
    }

    /// Closes the documents of a job.
    func closeAll(ofJob job: Int) {
        for key in entries.filter({ $0.value.job == job }).keys { close(key) }
    }

    /// Closes the documents of all previews that contain the given upload.
    func closeAll(ofUpload id: String) {
        for key in entries.filter({ $0.value.job == nil && $0.key.contains(id) }).keys { close(key) }
    }

    /// The numbers of the jobs with open documents.
    var jobs: Set<Int> { Set(entries.values.compactMap(\.job)) }

    /// Closes documents that were not used for ten minutes.
    func closeIdle() {
        let limit = ContinuousClock.now - Self.idleTime
        for key in entries.filter({ $0.value.lastUse < limit }).keys { close(key) }
    }

    /// Closes all documents.
    func closeAll() {
        for key in entries.keys { close(key) }
    }

    private func removeExcess() {
        while entries.count > Self.most, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            close(oldest.key)
        }
    }

    private func remove(_ entry: Entry) {
        entry.task.cancel()
        let pictures = pictures
        // The folder is removed when the work in it has ended.
        Task(executorPreference: BlockingThreads.shared) {
            guard let view = try? await entry.task.value else { return }
            pictures.close(view.viewed)
            if let plain = view.layout?.plain { pictures.close(plain) }
            try? FileManager.default.removeItem(atPath: view.folder)
        }
    }
}
