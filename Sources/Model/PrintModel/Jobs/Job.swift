// Defines a print job, the job's documents, and the corresponding job at a printer.

/// A job in the queue or in its history.
public struct Job: Hashable, Sendable, Codable, Identifiable {
    /// The job's number (IPP `job-id`), which is unique for the lifetime of a spool.
    public var id: Int
    /// The job's UUID (IPP `job-uuid`): `urn:uuid:…`.
    package var uuid: String
    package var printer: String
    /// The user who submitted the job (IPP `job-originating-user-name`).
    package var owner: String
    /// The job's name (IPP `job-name`).
    package var name: String
    package var state: JobState
    package var reasons: [JobStateReason]
    /// The notice, the error or the printer's message that explains the state; often empty.
    ///
    /// `stateMessage` is the description of the state for users.
    package var message: String
    package var ticket: JobTicket
    /// The priority, 1 to 100; higher values print first.
    package var priority: Int
    /// A `pending-held` job without a time is held until a user releases the job.
    package var heldUntil: UnixTime?
    /// The documents, in order.
    package var documents: [JobDocument]
    /// The time at which the job was accepted.
    package var createdAt: UnixTime
    /// The time at which the job was first processed.
    package var processingAt: UnixTime?
    package var completedAt: UnixTime?
    /// The number of sides of the whole job, over all sheets and copies; nil until the number is known.
    ///
    /// The number includes blank backs. IPP's `job-impressions`, which excludes blank backs, is `impressionsPerCopy`.
    package var impressions: Int?
    /// The number of finished sides, including blank backs.
    ///
    /// IPP's `job-impressions-completed` is `printedImpressions`.
    package var impressionsCompleted: Int
    /// The number of sheets over all copies (IPP `job-media-sheets`); nil until the number is known.
    package var sheets: Int?
    package var sheetsCompleted: Int
    /// The layout of the job's sheets; nil until the layout is known.
    package var sheetPlan: SheetPlan?
    /// The options that the printer does not support, and the problems that were found during the preparation of the
    /// pages, one sentence each.
    package var warnings: [String]
    /// The numbers of sides and sheets that were printed before the job was last restarted or resumed.
    package var printedBefore: PrintedSides
    /// The corresponding job at the printer; nil before the printer has created that job.
    package var remote: RemoteJob?
    /// The working time of the attempts to prepare the documents since the last success, in seconds.
    package var preparationSeconds: Double
    package var attempts: Int
    /// The time of the next delivery attempt; nil if the job does not wait for a retry.
    package var retryAt: UnixTime?
    /// The client's identifier for the submission; nil if the client sent no identifier.
    ///
    /// If a client repeats a submission with the same identifier, printq creates no second job.
    package var submissionID: String?
    /// The side from which the job resumes, counted from 1 over all copies; nil if the whole job is printed.
    package var resumeFrom: Int?
    /// The number of the job whose documents this job reprints (IPP `parent-job-id`); nil for a job that was submitted
    /// with documents.
    package var parentID: Int?
    /// The name of the printer from which the job was last moved; nil if the job was never moved.
    package var movedFrom: String?

    /// Creates a job that was just accepted.
    package init(
        id: Int, uuid: String, printer: String, owner: String, name: String, state: JobState = .pending,
        reasons: [JobStateReason] = [], message: String = "", ticket: JobTicket = JobTicket(), priority: Int = 50,
        heldUntil: UnixTime? = nil, documents: [JobDocument] = [], createdAt: UnixTime, submissionID: String? = nil
    ) {
        (self.id, self.uuid, self.printer, self.owner, self.name) = (id, uuid, printer, owner, name)
        (self.state, self.reasons, self.message, self.ticket) = (state, reasons, message, ticket)
        (self.priority, self.heldUntil, self.documents, self.createdAt) = (priority, heldUntil, documents, createdAt)
        self.impressionsCompleted = 0
        self.sheetsCompleted = 0
        self.warnings = []
        self.printedBefore = PrintedSides()
        self.preparationSeconds = 0
        self.attempts = 0
        self.submissionID = submissionID
    }
}

extension Job {
    /// The requested options that are not applied, and the other warnings, one sentence each.
    ///
    /// A completed job with warnings ends with `job-completed-with-warnings`.
    package var allWarnings: [String] { (ticket.unapplied ?? []).map(\.reason) + warnings }

    /// The first three warnings, followed by the number of further warnings as text; empty for no warnings.
    ///
    /// A `job-state-message` has at most 1,023 bytes.
    package var warningText: String {
        let others = furtherWarnings.count
        let more = others > 0 ? ["\(others) more warning\(others == 1 ? "" : "s")"] : []
        return (allWarnings.prefix(Self.mostWarnings) + more).joined(separator: ". ")
    }

    private static let mostWarnings = 3

    /// The warnings that `warningText` only counts.
    package var furtherWarnings: [String] { Array(allWarnings.dropFirst(Self.mostWarnings)) }

    /// Whether the password of the documents was deleted, because the job has ended.
    package var needsPasswordAgain: Bool { ticket.hasDocumentPassword == true && state.isTerminal }

    /// The reasons of a job that a person or an option holds.
    var holdReasons: [JobStateReason] {
        if isLockedForOwner { return [.jobHoldUntilSpecified] }
        let waitsForOwner = ticket.unapplied?.contains { $0.option == "job-password" } ?? false
        return [.jobHoldUntilSpecified] + (waitsForOwner || hasReleasePassword ? [.jobPasswordWait] : [])
    }

    /// Whether the job was submitted with a password for its release (`job-password`).
    ///
    /// The documents of the job are deleted when the job ends.
    package var hasReleasePassword: Bool { ticket.passwordExpiresAt != nil }

    /// Whether a person who knows the password can release the job.
    package var waitsForPassword: Bool {
        state == .pendingHeld && hasReleasePassword && reasons.contains(.jobPasswordWait)
    }

    /// Whether only the owner and administrators can release the job, because of wrong passwords.
    package var isLockedForOwner: Bool {
        state == .pendingHeld && hasReleasePassword && reasons.contains(.jobHoldUntilSpecified)
            && !reasons.contains(.jobPasswordWait)
    }

    /// Whether the spool has a password of the job or of its documents, or documents that must not outlive the job.
    package var hasSecrets: Bool { ticket.hasDocumentPassword == true || hasReleasePassword }
}

/// A document of a job.
public struct JobDocument: Hashable, Sendable, Codable {
    /// The position in the job, from 1 (IPP `document-number`).
    package var number: Int
    /// The document's name, often a file name (IPP `document-name`).
    package var name: String?
    /// The document's format, detected from the content or specified by the client.
    package var format: DocumentFormat
    /// The document's size in bytes.
    package var bytes: Int

    package init(number: Int, name: String? = nil, format: DocumentFormat, bytes: Int) {
        (self.number, self.name, self.format, self.bytes) = (number, name, format, bytes)
    }
}

/// The identity of a job at a printer.
///
/// The number and the UUID must match, because printers can reuse numbers.
public struct RemoteJob: Hashable, Sendable, Codable {
    /// The job's number at the printer.
    public var id: Int
    /// The job's UUID at the printer; nil when the printer assigned no UUID.
    package var uuid: String?
    /// The user name for requests about this job; nil means the user of the spooler process.
    ///
    /// A cupsd or another printd accepts the documents of a job, and requests to cancel the job, only from the owner of
    /// the job.
    package var owner: String?

    package init(id: Int, uuid: String?, owner: String? = nil) {
        (self.id, self.uuid, self.owner) = (id, uuid, owner)
    }

    /// Returns whether two values identify the same job at the printer.
    ///
    /// The comparison ignores the owners.
    public static func == (one: RemoteJob, other: RemoteJob) -> Bool { one.id == other.id && one.uuid == other.uuid }

    /// Hashes the number and the UUID.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(uuid)
    }
}
