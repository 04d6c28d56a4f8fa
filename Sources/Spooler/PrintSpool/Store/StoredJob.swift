// Converts the rows of the table `jobs` to jobs.

import FoundationEssentials
import PrintModel

/// The stored form of a job.
enum StoredJob {
    /// The columns of a job in a list without `JobParts.details`.
    private static let baseColumns = columns(through: "completed_at")
    /// The columns that are read.
    private static let allColumns = columns(through: "preparation_seconds")

    private static func columns(through last: String) -> ArraySlice<StoredColumn<Job, Job>> {
        let end = StoredTable.jobColumns.firstIndex { $0.name == last } ?? 0
        return StoredTable.jobColumns[...end]
    }

    private static let baseNames = baseColumns.names()
    private static let allNames = allColumns.names()

    /// Returns the columns for the given parts of a job, for the text of a statement.
    static func columns(_ parts: JobParts) -> String { parts.contains(.details) ? allNames : baseNames }

    /// Returns the column names that `columns(parts)` contains, in the same order.
    static func columnNames(_ parts: JobParts) -> [String] {
        (parts.contains(.details) ? allColumns : baseColumns).map(\.name)
    }

    /// Returns the job that a row with `columns(parts)` contains, without the job's documents.
    ///
    /// - Throws: `UnreadableJob` if the row cannot be decoded.
    static func job(in row: some SQLRow, _ parts: JobParts) throws -> Job {
        try row.job(parts) {
            var job = Job(id: 0, uuid: "", printer: "", owner: "", name: "", createdAt: 0)
            try (parts.contains(.details) ? allColumns : baseColumns).read(row, into: &job)
            return job
        }
    }

    // MARK: - Columns with JSON text

    private static let tickets = DecodedTexts<StoredTicket>()
    private static let reasons = DecodedTexts<[JobStateReason]>()
    private static let plans = DecodedTexts<SheetPlan>()

    /// Sets the options of a job, or marks a job with options that this version does not support.
    static func setTicket(of job: inout Job, _ text: String) throws {
        switch try tickets.value(of: text, StoredTicket.init) {
        case .known(let ticket):
            job.ticket = ticket
            job.reasons.removeAll { $0 == .unsupportedAttributesOrValues }
        case .unknown:
            if !job.hasUnknownOptions { job.reasons.append(.unsupportedAttributesOrValues) }
        }
    }

    static func reasons(in text: String) throws -> [JobStateReason] {
        try reasons.value(of: text) { text in
            do { return try JSONDecoder().decode([JobStateReason].self, from: Data(text.utf8)) } catch {
                throw DamagedValue("unreadable ticket or reasons: \(error)")
            }
        }
    }

    static func sheetPlan(in text: String) throws -> SheetPlan {
        try plans.value(of: text) { try StoredJSON.value(of: $0) }
    }
}
