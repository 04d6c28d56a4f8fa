// What a folder knows of a job that comes into it.

import FoundationEssentials

/// A job of a folder, as `.printq/UUID.json` in the folder keeps it.
struct FolderRecord: Hashable, Sendable, Codable {
    /// Our number for the job.
    var id: Int
    /// The job's name.
    var name: String
    /// Who submitted it.
    var owner: String
    /// How far it has come.
    var stage: Stage
    /// The name that its document moves out under; nil as long as none was chosen.
    var file: String?

    /// How far a job has come.
    ///
    /// Its document is `.printq/UUID.pdf` from `whole` on, until it moves out to its own name: that it is gone from there is
    /// what says that it was delivered.
    enum Stage: String, Codable {
        /// It has no document, or a part of one.
        case created
        /// Its document is there and on the disk: it moves out next, or has moved.
        case whole
        /// It was canceled.
        case canceled
    }
}

/// The state of a delivery, from the record and from whether the document still waits inside.
enum FolderDelivery: Hashable, Sendable {
    /// No document has come whole.
    case incoming
    /// The document is to move out.
    case waiting
    /// It has moved out.
    case delivered
    /// It was canceled.
    case canceled

    /// The state of a job.
    init(_ stage: FolderRecord.Stage, documentIsInside: Bool) {
        self =
            switch stage {
            case .created: .incoming
            case .whole: documentIsInside ? .waiting : .delivered
            case .canceled: .canceled
            }
    }
}
