// Describes the stored record of a job in a folder.

import FoundationEssentials

/// The record of a job, stored as `.printq/UUID.json` in the folder.
struct FolderRecord: Hashable, Sendable, Codable {
    /// The job's number in the queue.
    var id: Int
    /// The job's name.
    var name: String
    /// The user who submitted the job.
    var owner: String
    /// The progress of the job.
    var stage: Stage
    /// The file name for the delivered document; nil if no name has been chosen yet.
    var file: String?

    /// The progress of a job.
    ///
    /// In the stage `whole`, the document is `.printq/UUID.pdf` until it is moved to its file name. If
    /// `.printq/UUID.pdf` does not exist in this stage, the document was delivered.
    enum Stage: String, Codable {
        /// The document is missing or incomplete.
        case created
        /// The complete document is on the disk. The document was moved to its file name, or will be moved next.
        case whole
        /// The job was canceled.
        case canceled
    }
}

/// The state of a delivery, which depends on the record and on whether the document is still in `.printq`.
enum FolderDelivery: Hashable, Sendable {
    /// The document is missing or incomplete.
    case incoming
    /// The complete document will be moved to its file name.
    case waiting
    /// The document was moved to its file name.
    case delivered
    /// The job was canceled.
    case canceled

    /// Creates the state of a job's delivery.
    init(_ stage: FolderRecord.Stage, documentIsInside: Bool) {
        self =
            switch stage {
            case .created: .incoming
            case .whole: documentIsInside ? .waiting : .delivered
            case .canceled: .canceled
            }
    }
}
