// Copies the rows and documents of a transfer, and compares the copy with the source.

import PrintModel

/// A copy of all tables from a source to a target.
///
/// Memory use is constant: the copy handles 100 rows, or 1 MiB of a document, at a time.
final class TransferCopy {
    private let source: any TransferSource
    private let target: any TransferTarget
    private let now: UnixTime
    private var result = SpoolTransfer.Result()
    /// The copied contents that several documents share, by the number of the content in the source.
    ///
    /// Each value contains the reference in the target, and the first document with this content.
    private var shared: [Int: (reference: StoredValue, place: DocumentPlace)] = [:]
    /// The ids of repaired jobs whose documents must not be kept.
    private var jobsWithoutDocuments: Set<Int> = []
    /// The size of the copied documents, in bytes.
    private var documentBytes = 0

    /// The number of rows in one step.
    private static let step = 100
    /// The maximum number of jobs in each list of the result.
    private static let mostListed = 100

    /// Creates a copy.
    ///
    /// - Parameter now: The current time, which replaces missing times of repaired jobs.
    init(from source: any TransferSource, to target: any TransferTarget, now: UnixTime) {
        (self.source, self.target, self.now) = (source, target, now)
    }

    /// Copies all tables, compares the numbers of rows and bytes, and commits the copy.
    ///
    /// - Throws: `inconsistent` if the copy differs from the source.
    func run() throws -> SpoolTransfer.Result {
        for table in StoredTable.all {
            let leftOut = try copy(table)
            result.rowsLeftOut += leftOut
            result.counts.append(try compare(table, leftOut: leftOut))
        }
        try compareDocuments()
        try target.store(source.numbers())
        result.earlierQueue = try target.commit()
        return result
    }

    // MARK: - Rows

    /// Copies the rows of a table, and returns the number of damaged rows that were left out.
    private func copy(_ table: StoredTable) throws -> Int {
        var (leftOut, last) = (0, StoredRow?.none)
        while true {
            let rows = try source.rows(of: table, after: last, limit: Self.step)
            guard let end = rows.last else { return leftOut }
            last = Array(end.prefix(table.keyCount))
            let prepared = table.name == "documents" ? try rows.map(withContent) : rows
            note(prepared, of: table)
            let refused = try target.insert(prepared, into: table)
            for row in refused where try !insertRepaired(row, into: table) { leftOut += 1 }
        }
    }

    /// Adds the unfinished jobs and the document bytes in the given rows to the totals.
    private func note(_ rows: [StoredRow], of table: StoredTable) {
        switch table.name {
        case "jobs":
            let states = rows.compactMap { $0[table.index(of: "state")].integer.flatMap(JobState.init(rawValue:)) }
            result.unfinishedJobs += states.count { !$0.isTerminal }
            result.jobsInProgress += states.count { $0 == .processing || $0 == .processingStopped }
        case "documents": documentBytes += rows.reduce(0) { $0 + Self.contentBytes($1) }
        default: break
        }
    }

    private static func contentBytes(_ row: StoredRow) -> Int {
        if case .bytes(let content) = row[StoredTable.documents.index(of: "content")] { content.count } else { 0 }
    }

    /// Repairs a damaged row, inserts the repaired row, and returns whether the row was inserted.
    ///
    /// - Throws: `corrupt` for the row of a printer, and for the row of a job that cannot be repaired.
    private func insertRepaired(_ row: StoredRow, into table: StoredTable) throws -> Bool {
        let damaged = DamagedRow(row, of: table)
        if table.name == "documents" { documentBytes -= Self.contentBytes(row) }
        let repaired = try damaged.repaired(now: now)
        let isInserted = try repaired.map { try target.insert([$0], into: table).isEmpty } ?? false
        switch table.name {
        case "jobs" where isInserted: noteRepaired(row, damaged)
        case "jobs", "printers": throw Self.unusable(row, table)
        default: break
        }
        return isInserted
    }

    private func noteRepaired(_ row: StoredRow, _ damaged: DamagedRow) {
        guard let id = row[0].integer else { return }
        if damaged.deletesDocuments { jobsWithoutDocuments.insert(id) }
        if result.repairedJobs.count < Self.mostListed { result.repairedJobs.append(id) }
        let state = row[StoredTable.jobs.index(of: "state")].integer.flatMap(JobState.init(rawValue:))
        // The repair has aborted the job.
        if let state, !state.isTerminal { result.unfinishedJobs -= 1 }
        if state == .processing || state == .processingStopped { result.jobsInProgress -= 1 }
    }

    private static func unusable(_ row: StoredRow, _ table: StoredTable) -> SpoolError {
        let isPrinter = table.name == "printers"
        let name = isPrinter ? row[1].text.map { "printer '\($0)'" } : row[0].integer.map { "job \($0)" }
        return SpoolError(
            code: .corrupt,
            message: "the record of \(name ?? "a row in '\(table.name)'") is damaged and cannot be copied; remove the "
                + "record, or restore a backup. Nothing was changed")
    }

    // MARK: - Documents

    /// Returns the row of a document for the target.
    ///
    /// If the document is large, the function first copies the content of the document.
    private func withContent(_ row: StoredRow) throws -> StoredRow {
        let table = StoredTable.documents
        let reference = table.index(of: "reference")
        var row = row
        guard let jobID = row[0].integer, let number = row[1].integer, !jobsWithoutDocuments.contains(jobID) else {
            row[reference] = .null
            row[table.index(of: "content")] = .null
            return row
        }
        guard row[reference] != .null else { return row }
        let format = row[table.index(of: "format")].text ?? "application/octet-stream"
        let place = DocumentPlace(jobID: jobID, number: number, format: format)
        row[reference] = try copyContent(row[reference], for: place)
        return row
    }

    /// Copies the content of a large document, and returns the reference in the target; NULL if the content is missing.
    private func copyContent(_ reference: StoredValue, for place: DocumentPlace) throws -> StoredValue {
        guard let content = try source.content(reference, ofJob: place.jobID) else {
            let known = result.jobsWithMissingDocuments
            if known.count < Self.mostListed, known.last != place.jobID {
                result.jobsWithMissingDocuments.append(place.jobID)
            }
            return .null
        }
        if let known = shared[content.number] { return try target.share(known.reference, of: known.place, for: place) }
        let new = try target.add(bytes: content.bytes, for: place) { try source.read(content, receive: $0) }
        documentBytes += content.bytes
        if content.isShared { shared[content.number] = (new, place) }
        return new
    }

    // MARK: - Comparison

    /// Compares the number of rows in the source and the target, and returns the number in the target.
    private func compare(_ table: StoredTable, leftOut: Int) throws -> Int {
        let (expected, found) = (try source.count(table) - leftOut, try target.count(table))
        guard found == expected else {
            throw Self.differs("the table '\(table.name)' has \(found) instead of \(expected) rows")
        }
        return found
    }

    private func compareDocuments() throws {
        result.documentBytes = try target.documentBytes()
        guard result.documentBytes == documentBytes else {
            throw Self.differs("the documents have \(result.documentBytes) instead of \(documentBytes) bytes")
        }
    }

    private static func differs(_ reason: String) -> SpoolError {
        SpoolError(
            code: .inconsistent,
            message: "the copy differs from the source: \(reason); nothing was changed. Please report this bug")
    }
}
