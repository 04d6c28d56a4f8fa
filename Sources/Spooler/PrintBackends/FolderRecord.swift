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
    /// The progress of the job's delivery.
    var stage: Stage
    /// The file name for the delivered document; nil if no name has been chosen yet.
    var file: String?

    /// The progress of a job's delivery.
    ///
    /// In the stage `whole`, the document is `.printq/UUID.pdf` until the document is moved to its final file name. If
    /// `.printq/UUID.pdf` does not exist in this stage, the document was delivered.
    enum Stage: String, Codable {
        /// A document that has not arrived or is incomplete.
        case created
        /// A complete document on the disk, in `.printq` or already under its final file name.
        case whole
        /// A canceled job.
        case canceled
    }
}

/// The state of a job's delivery.
///
/// Three facts determine the state: the stage in the record, whether the job has its token, and whether `.printq`
/// contains the document.
enum FolderDelivery: Hashable, Sendable {
    /// A document that has not arrived or is incomplete.
    case incoming
    /// A complete document that is not yet moved to its final file name.
    case waiting
    /// A delivered document, which was moved to its final file name.
    case delivered
    /// A canceled job.
    case canceled

    /// Creates the state of a job's delivery.
    ///
    /// - Parameter isOpen: Whether the job still has its token (`FolderFiles.removeToken(of:)`), so that the job's
    ///   document can arrive.
    init(_ stage: FolderRecord.Stage, isOpen: Bool, documentIsInside: Bool) {
        self =
            switch stage {
            case .created: isOpen || !documentIsInside ? .incoming : .waiting
            case .whole: documentIsInside ? .waiting : .delivered
            case .canceled: .canceled
            }
    }
}
