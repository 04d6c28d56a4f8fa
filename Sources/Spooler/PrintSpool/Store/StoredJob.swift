// Converts the stored fields of a job to a job, for all stores.

import FoundationEssentials
import PrintModel

/// The stored form of a job.
enum StoredJob {
    /// The columns of the table `jobs` that `Decoder` converts to a job, in the order in which `Decoder` reads them.
    static let columns = """
        id, uuid, printer, owner, name, state, reasons, message, ticket, priority, held_until, created_at, submission_id,
        processing_at, completed_at, impressions, impressions_completed, sheets, sheets_completed, remote_id, remote_uuid,
        attempts, retry_at, resume_from, parent_id, moved_from, sheet_plan, warnings, earlier_impressions,
        earlier_blanks, earlier_sheets
        """

    /// The column names that `columns` contains, in the same order.
    static let columnNames = columns.split { $0 == "," || $0.isWhitespace }.map(String.init)

    /// A decoder that converts rows of the table `jobs` to jobs.
    ///
    /// If several rows contain the same ticket or the same reasons, the decoder decodes this text only once.
    struct Decoder {
        private var tickets: [String: StoredTicket] = [:]
        private var reasons: [String: [JobStateReason]] = [:]

        /// Returns the job that a row contains, without the job's documents.
        ///
        /// - Parameter fields: A reader that returns the values of `columns` in order.
        /// - Throws: `DamagedValue`, and the errors of the reader.
        mutating func job(_ fields: inout some StoredFields) throws -> Job {
            let (id, uuid): (Int, String) = (try fields.next(), try fields.next())
            let (printer, owner, name): (String, String, String) = (
                try fields.next(), try fields.next(), try fields.next()
            )
            guard let state = JobState(rawValue: try fields.next()) else {
                throw DamagedValue("a job has an unknown state")
            }
            var job = Job(
                id: id, uuid: uuid, printer: printer, owner: owner, name: name, state: state,
                reasons: try Self.decoded(fields.next(), &reasons), message: try fields.next(),
                ticket: JobTicket(), priority: 50, createdAt: 0)
            switch try ticket(fields.next()) {
            case .known(let ticket):
                job.ticket = ticket
                job.reasons.removeAll { $0 == .unsupportedAttributesOrValues }
            case .unknown:
                if !job.hasUnknownOptions { job.reasons.append(.unsupportedAttributesOrValues) }
            }
            job.priority = try fields.next()
            job.heldUntil = try fields.next()
            job.createdAt = try fields.next()
            job.submissionID = try fields.next()
            job.processingAt = try fields.next()
            job.completedAt = try fields.next()
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
            job.sheetPlan = try plan.map { try StoredJSON.value(of: $0) }
            let warnings: String? = try fields.next()
            job.warnings = try warnings.map { try StoredJSON.value(of: $0) } ?? []
            job.printedBefore = PrintedSides(
                impressions: try fields.next(), blanks: try fields.next(), sheets: try fields.next())
            return job
        }

        private mutating func ticket(_ text: String) throws -> StoredTicket {
            if let known = tickets[text] { return known }
            let ticket = try StoredTicket(text)
            tickets[text] = ticket
            return ticket
        }

        private static func decoded<Value: Decodable>(_ text: String, _ known: inout [String: Value]) throws -> Value {
            if let value = known[text] { return value }
            do {
                let value = try JSONDecoder().decode(Value.self, from: Data(text.utf8))
                known[text] = value
                return value
            } catch {
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
