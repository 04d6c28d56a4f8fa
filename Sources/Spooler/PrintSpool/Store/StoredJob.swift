// Converts the stored fields of a job to a job, for all stores.

import FoundationEssentials
import PrintModel

/// The stored form of a job.
enum StoredJob {
    /// The columns of the table `jobs` that `Decoder` converts to a job, in the order in which `Decoder` reads them.
    static let columns = """
        \(baseColumns), reasons, ticket, held_until, submission_id, processing_at, impressions, impressions_completed,
        sheets, sheets_completed, remote_id, remote_uuid, attempts, retry_at, resume_from, parent_id, moved_from,
        sheet_plan, warnings, earlier_impressions, earlier_blanks, earlier_sheets,
        preparation_seconds
        """

    /// The columns of a job in a list without `JobParts.details`.
    private static let baseColumns =
        "id, uuid, printer, owner, name, state, message, priority, created_at, completed_at"

    /// Returns the columns for the given parts of a job.
    static func columns(_ parts: JobParts) -> String { parts.contains(.details) ? columns : baseColumns }

    /// Returns the column names that `columns(parts)` contains, in the same order.
    static func columnNames(_ parts: JobParts) -> [String] {
        columns(parts).split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    private static let tickets = DecodedTexts<StoredTicket>()
    private static let reasons = DecodedTexts<[JobStateReason]>()
    private static let plans = DecodedTexts<SheetPlan>()

    /// A decoder that converts rows of the table `jobs` to jobs.
    struct Decoder {
        /// The parts of the jobs that the rows contain.
        let parts: JobParts

        init(_ parts: JobParts = .all) { self.parts = parts }

        /// Returns the job that a row contains, without the job's documents.
        ///
        /// - Parameter fields: A reader that returns the values of `columns(parts)` in order.
        /// - Throws: `DamagedValue`, and the errors of the reader.
        func job(_ fields: inout some StoredFields) throws -> Job {
            let (id, uuid): (Int, String) = (try fields.next(), try fields.next())
            let (printer, owner, name): (String, String, String) = (
                try fields.next(), try fields.next(), try fields.next()
            )
            guard let state = JobState(rawValue: try fields.next()) else {
                throw DamagedValue("a job has an unknown state")
            }
            var job = Job(
                id: id, uuid: uuid, printer: printer, owner: owner, name: name, state: state, reasons: [],
                message: try fields.next(), ticket: JobTicket(), priority: try fields.next(),
                createdAt: try fields.next())
            job.completedAt = try fields.next()
            guard parts.contains(.details) else { return job }
            job.reasons = try StoredJob.reasons.value(of: fields.next()) { try Self.reasons(in: $0) }
            switch try StoredJob.tickets.value(of: fields.next(), StoredTicket.init) {
            case .known(let ticket):
                job.ticket = ticket
                job.reasons.removeAll { $0 == .unsupportedAttributesOrValues }
            case .unknown:
                if !job.hasUnknownOptions { job.reasons.append(.unsupportedAttributesOrValues) }
            }
            job.heldUntil = try fields.next()
            job.submissionID = try fields.next()
            job.processingAt = try fields.next()
            job.impressions = try fields.next()
            job.impressionsCompleted = try fields.next()
            job.sheets = try fields.next()
            job.sheetsCompleted = try fields.next()
            let (remoteID, remoteUUID): (Int?, String?) = (try fields.next(), try fields.next())
            job.remote = remoteID.map { RemoteJob(id: $0, uuid: remoteUUID) }
            job.attempts = try fields.next()
            job.retryAt = try fields.next()
            job.resumeFrom = try fields.next()
            job.parentID = try fields.next()
            job.movedFrom = try fields.next()
            let plan: String? = try fields.next()
            job.sheetPlan = try plan.map { try StoredJob.plans.value(of: $0) { try StoredJSON.value(of: $0) } }
            let warnings: String? = try fields.next()
            job.warnings = try warnings.map { try StoredJSON.value(of: $0) } ?? []
            job.printedBefore = PrintedSides(
                impressions: try fields.next(), blanks: try fields.next(), sheets: try fields.next())
            job.preparationSeconds = try fields.next()
            return job
        }

        private static func reasons(in text: String) throws -> [JobStateReason] {
            do { return try JSONDecoder().decode([JobStateReason].self, from: Data(text.utf8)) } catch {
                throw DamagedValue("unreadable ticket or reasons: \(error)")
            }
        }
    }
}

/// A reader of the values of a row, in the order of the columns.
///
/// Each function returns the value of the next column, and throws an error for a value of another type.
protocol StoredFields {
    mutating func next() throws -> Int
    mutating func next() throws -> Int?
    mutating func next() throws -> Double
    mutating func next() throws -> Double?
    mutating func next() throws -> String
    mutating func next() throws -> String?
}
