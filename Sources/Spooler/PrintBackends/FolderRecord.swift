// Describes the stored record of a job in a folder.

import FoundationEssentials

/// The record of a job, stored as `.printq/UUID.json` in the folder.
///
/// The contents are not synced to the disk. After a power cut, only the existence of the record is certain.
struct FolderRecord: Hashable, Sendable, Codable {
    /// The job's number in the queue.
    var id: Int
    /// The job's name.
    var name: String
    /// The user who submitted the job.
    var owner: String
    /// The file name for the delivered document; nil if no name has been chosen yet.
    var file: String?
}

/// The state of a job's delivery, for a job with a record.
enum FolderDelivery: Hashable, Sendable {
    /// A document that has not arrived or is incomplete, in `.printq/UUID.open`.
    case incoming
    /// A delivered document, which was moved to its final file name.
    case delivered
    /// A canceled job, whose document was renamed to `.printq/UUID.canceled`.
    case canceled
}
