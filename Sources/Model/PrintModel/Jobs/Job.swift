// A job, as everyone sees it.

/// A job in the queue or in its history.
public struct Job: Hashable, Sendable, Codable, Identifiable {
    /// The job's number (IPP `job-id`); never used twice in the life of a spool.
    public var id: Int
    /// The job's universal name (IPP `job-uuid`): `urn:uuid:…`.
    public var uuid: String
    /// The name of its printer.
    public var printer: String
    /// Who submitted it (IPP `job-originating-user-name`).
    public var owner: String
    /// Its name (IPP `job-name`).
    public var name: String
    /// Its state.
    public var state: JobState
    /// Why it is in that state.
    public var reasons: [JobStateReason]
    /// The state in words (IPP `job-state-message`); empty when there is nothing to say.
    public var message: String
    /// What was asked for.
    public var ticket: JobTicket
    /// 1…100, the higher the sooner.
    public var priority: Int
    /// Held until this moment; nil with `pending-held` means until released.
    public var heldUntil: UnixTime?
    /// Its documents, in order.
    public var documents: [JobDocument]
    /// When it was accepted.
    public var createdAt: UnixTime
    /// When it was first worked on.
    public var processingAt: UnixTime?
    /// When it ended.
    public var completedAt: UnixTime?
    /// The sides of all sheets and copies, once known; blank backs are counted, unlike in IPP's `job-impressions`
    /// (`impressionsPerCopy`).
    public var impressions: Int?
    /// The sides done so far, in the same way; IPP's `job-impressions-completed` is `printedImpressions`.
    public var impressionsCompleted: Int
    /// The sheets to print over all copies, once known (IPP `job-media-sheets`).
    public var sheets: Int?
    /// The sheets printed so far.
    public var sheetsCompleted: Int
    /// How its sheets come out, once known.
    public var sheetPlan: SheetPlan?
    /// What is wrong with its pages as they were prepared for the printer, a sentence each: a completed job with warnings
    /// ends with `job-completed-with-warnings`.
    public var warnings: [String]
    /// What came out of it in earlier goes, before it went on after a doubt.
    public var printedBefore: PrintedSides
    /// The job at the printer, once it was created there.
    public var remote: RemoteJob?
    /// How often it was tried in vain.
    public var attempts: Int
    /// When it is tried again; nil when it was not in vain.
    public var retryAt: UnixTime?
    /// What the sender calls the submission, so that repeating it makes no second job.
    public var submissionID: String?
    /// The side it goes on from after a doubt, counted over all copies from 1; nil when all of it is printed.
    public var resumeFrom: Int?
    /// The job whose documents it prints once more (IPP `parent-job-id`); nil for a job with documents of its own.
    public var parentID: Int?
    /// The printer that it was moved away from last; nil when it never was.
    public var movedFrom: String?

    /// A job just accepted.
    public init(
        id: Int, uuid: String, printer: String, owner: String, name: String, state: JobState = .pending,
        reasons: [JobStateReason] = [], message: String = "", ticket: JobTicket = JobTicket(), priority: Int = 50,
        heldUntil: UnixTime? = nil, documents: [JobDocument] = [], createdAt: UnixTime, submissionID: String? = nil
    ) {
        self.id = id
        self.uuid = uuid
        self.printer = printer
        self.owner = owner
        self.name = name
        self.state = state
        self.reasons = reasons
        self.message = message
        self.ticket = ticket
        self.priority = priority
        self.heldUntil = heldUntil
        self.documents = documents
        self.createdAt = createdAt
        self.impressionsCompleted = 0
        self.sheetsCompleted = 0
        self.warnings = []
        self.printedBefore = PrintedSides()
        self.attempts = 0
        self.submissionID = submissionID
    }
}

/// One document of a job.
public struct JobDocument: Hashable, Sendable, Codable {
    /// Its place in the job, from 1 (IPP `document-number`).
    public var number: Int
    /// Its name, often the file's (IPP `document-name`).
    public var name: String?
    /// Its format, as found or said.
    public var format: DocumentFormat
    /// Its size in bytes.
    public var bytes: Int

    /// A document.
    public init(number: Int, name: String? = nil, format: DocumentFormat, bytes: Int) {
        self.number = number
        self.name = name
        self.format = format
        self.bytes = bytes
    }
}

/// A job as a printer knows it: both parts must match, for numbers may restart.
public struct RemoteJob: Hashable, Sendable, Codable {
    /// The printer's number for it.
    public var id: Int
    /// The printer's universal name for it; nil when it gave none.
    public var uuid: String?
    /// In whose name the printer is asked about it; nil for our own.
    ///
    /// A cupsd, and another printd, lets only a job's owner send or cancel it.
    public var owner: String?

    /// A job at a printer.
    public init(id: Int, uuid: String?, owner: String? = nil) {
        self.id = id
        self.uuid = uuid
        self.owner = owner
    }

    /// Whether two are the same job; in whose name they are asked about changes nothing.
    public static func == (one: RemoteJob, other: RemoteJob) -> Bool { one.id == other.id && one.uuid == other.uuid }

    /// Hashes what makes the job the same.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(uuid)
    }
}
