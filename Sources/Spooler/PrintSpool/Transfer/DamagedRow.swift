// Repairs damaged rows.

import FoundationEssentials
import PrintModel

/// A row that contains invalid values: a job that cannot be decoded, or a row that the target of a transfer refused.
///
/// Another program or a damaged disk may have changed the row in the source.
struct DamagedRow {
    private let table: StoredTable
    private let row: StoredRow

    init(_ row: StoredRow, of table: StoredTable) { (self.row, self.table) = (row, table) }

    /// Whether the damaged options of a job request that the documents are deleted when the job ends.
    var deletesDocuments: Bool {
        table.name == "jobs" && text("ticket")?.contains(#""keepsDocuments":false"#) == true
    }

    /// Returns a repaired copy of the row; nil if the row cannot be repaired.
    ///
    /// A job keeps the valid fields that describe the job and its final state, and a job that has not ended is aborted
    /// (`JobRepair`). A document loses its content. Rows of other tables cannot be repaired.
    ///
    /// - Parameter now: The current time, which replaces missing times of a job.
    func repaired(now: UnixTime) throws -> StoredRow? {
        switch table.name {
        case "jobs": try job(now: now)
        case "documents": document
        default: nil
        }
    }

    /// The state of a job after the repair.
    private var repair: JobRepair {
        JobRepair(of: integer("state").flatMap(JobState.init(rawValue:)), reasons: text("reasons"))
    }

    /// Whether the job had ended before the repair.
    var hadEnded: Bool { repair.hadEnded }

    private func job(now: UnixTime) throws -> StoredRow? {
        guard let id = integer("id") else { return nil }
        let repair = repair
        let digits = String(id)
        let serial = String(repeating: "0", count: max(0, 12 - digits.count)) + digits
        let uuid = text("uuid").flatMap { $0.hasPrefix("urn:uuid:") ? $0 : nil }
        let values: [String: StoredValue] = [
            "id": .integer(id), "uuid": .text(uuid ?? "urn:uuid:00000000-0000-4000-8000-\(serial)"),
            "printer": .text(text("printer").flatMap { $0.isEmpty ? nil : $0 } ?? "unknown"),
            "owner": .text(text("owner") ?? "unknown"), "name": .text(text("name") ?? "unknown"),
            "submission_id": optionalText("submission_id"),
            "state": .integer(repair.state.rawValue), "reasons": .text(try StoredJSON.text(of: repair.reasons)),
            "message": .text(repair.message),
            "ticket": .text(try StoredJSON.text(of: JobTicket())),
            "priority": .integer(integer("priority").flatMap { (1...100).contains($0) ? $0 : nil } ?? 50),
            "attempts": .integer(0), "created_at": .real(real("created_at") ?? now),
            "processing_at": real("processing_at").map { .real($0) } ?? .null,
            "completed_at": .real(real("completed_at") ?? now), "impressions_completed": .integer(0),
            "sheets_completed": .integer(0), "earlier_impressions": .integer(0), "earlier_blanks": .integer(0),
            "earlier_sheets": .integer(0), "preparation_seconds": .real(0),
            "parent_id": integer("parent_id").flatMap { $0 >= 1 ? .integer($0) : nil } ?? .null,
            "moved_from": text("moved_from").flatMap { $0.isEmpty ? nil : .text($0) } ?? .null,
            "remote_id": integer("remote_id").map { .integer($0) } ?? .null,
            "remote_uuid": integer("remote_id") == nil ? .null : optionalText("remote_uuid"),
        ]
        return table.columns.map { values[$0] ?? .null }
    }

    private var document: StoredRow? {
        guard let job = integer("job_id"), let number = integer("number") else { return nil }
        let values: [String: StoredValue] = [
            "job_id": .integer(job), "number": .integer(number), "name": optionalText("name"),
            "format": .text(text("format").flatMap { $0.isEmpty ? nil : $0 } ?? "application/octet-stream"),
            "bytes": .integer(max(0, integer("bytes") ?? 0)),
        ]
        return table.columns.map { values[$0] ?? .null }
    }

    // MARK: - Valid values

    private func value(_ column: String) -> StoredValue { row[table.index(of: column)] }

    private func integer(_ column: String) -> Int? { value(column).integer }

    private func text(_ column: String) -> String? { value(column).text }

    private func optionalText(_ column: String) -> StoredValue { text(column).map { .text($0) } ?? .null }

    private func real(_ column: String) -> Double? { if case .real(let value) = value(column) { value } else { nil } }
}
