// Describes the columns of the tables: the only list of columns besides the schemas.

import PrintModel

/// A column of a table, with the conversion of its values.
///
/// `Written` is the type of the rows that are inserted, and `Found` the type of the rows that are read.
struct StoredColumn<Written, Found>: Sendable {
    let name: String
    let kind: StoredKind
    /// Whether the value can change after the row was inserted.
    let isChangeable: Bool
    /// Returns the value of an inserted or updated row.
    let write: @Sendable (Written) throws -> (any SQLValue)?
    /// Reads the value of a row; nil if no type contains the value.
    let read: (@Sendable (inout Found, any SQLRow, Int) throws -> Void)?

    /// Returns a column that is not NULL.
    static func required<Value: StoredColumnValue>(
        _ name: String, isFixed: Bool = false, _ write: @escaping @Sendable (Written) throws -> Value,
        _ read: @escaping @Sendable (inout Found, Value) throws -> Void
    ) -> StoredColumn {
        StoredColumn(
            name: name, kind: Value.kind, isChangeable: !isFixed, write: write,
            read: { found, row, index in try read(&found, Value.required(row, index)) })
    }

    /// Returns a column that can be NULL.
    static func optional<Value: StoredColumnValue>(
        _ name: String, isFixed: Bool = false, _ write: @escaping @Sendable (Written) throws -> Value?,
        _ read: @escaping @Sendable (inout Found, Value?) throws -> Void
    ) -> StoredColumn {
        StoredColumn(
            name: name, kind: Value.kind, isChangeable: !isFixed, write: write,
            read: { found, row, index in try read(&found, Value.optional(row, index)) })
    }
}

extension RandomAccessCollection {
    /// The names of the columns, for the text of a statement.
    func names<Written, Found>() -> String where Element == StoredColumn<Written, Found> {
        map(\.name).joined(separator: ", ")
    }

    /// The placeholders of `values`, for the text of a statement.
    func placeholders<Written, Found>() -> String where Element == StoredColumn<Written, Found> {
        (1...count).map { "$\($0)" }.joined(separator: ", ")
    }

    /// Returns the values of a row in the order of the columns.
    func values<Written, Found>(of row: Written) throws -> [(any SQLValue)?]
    where Element == StoredColumn<Written, Found> {
        try map { try $0.write(row) }
    }

    /// Reads the values of a row, which has these columns as its first columns.
    func read<Written, Found>(_ row: any SQLRow, into found: inout Found) throws
    where Element == StoredColumn<Written, Found> {
        for (index, column) in enumerated() { try column.read?(&found, row, index) }
    }
}

/// A type that can be the type of a column.
protocol StoredColumnValue: SQLValue {
    static var kind: StoredKind { get }
    static func required(_ row: any SQLRow, _ column: Int) throws -> Self
    static func optional(_ row: any SQLRow, _ column: Int) throws -> Self?
}

extension Int: StoredColumnValue {
    static var kind: StoredKind { .integer }
    static func required(_ row: any SQLRow, _ column: Int) throws -> Int { try row.int(column) }
    static func optional(_ row: any SQLRow, _ column: Int) throws -> Int? { try row.optionalInt(column) }
}

extension Double: StoredColumnValue {
    static var kind: StoredKind { .real }
    static func required(_ row: any SQLRow, _ column: Int) throws -> Double { try row.double(column) }
    static func optional(_ row: any SQLRow, _ column: Int) throws -> Double? { try row.optionalDouble(column) }
}

extension String: StoredColumnValue {
    static var kind: StoredKind { .text }
    static func required(_ row: any SQLRow, _ column: Int) throws -> String { try row.string(column) }
    static func optional(_ row: any SQLRow, _ column: Int) throws -> String? { try row.optionalString(column) }
}

extension Bool: StoredColumnValue {
    static var kind: StoredKind { .boolean }
    static func required(_ row: any SQLRow, _ column: Int) throws -> Bool { try row.bool(column) }
    static func optional(_ row: any SQLRow, _ column: Int) throws -> Bool? { try row.optionalBool(column) }
}

extension StoredTable {
    // MARK: - Printers

    static let printerColumns: [StoredColumn<ConfiguredPrinter, ConfiguredPrinter>] = [
        .required("name", { $0.name }, { $0.name = $1 }),
        .required("device_uri", { $0.deviceURI }, { $0.deviceURI = $1 }),
        .required("info", { $0.info }, { $0.info = $1 }),
        .required("location", { $0.location }, { $0.location = $1 }),
        .required("is_default", { $0.isDefault }, { $0.isDefault = $1 }),
        .required("is_paused", { $0.isPaused }, { $0.isPaused = $1 }),
        .required("pause_message", { $0.pauseMessage }, { $0.pauseMessage = $1 }),
        .required("is_accepting", { $0.isAccepting }, { $0.isAccepting = $1 }),
        .required("error_policy", { $0.errorPolicy.rawValue }, { $0.errorPolicy = try known($1) }),
        .required("after_interruption", { $0.afterInterruption.rawValue }, { $0.afterInterruption = try known($1) }),
        .required("options", { try StoredJSON.text(of: $0.options) }, { $0.options = try StoredJSON.value(of: $1) }),
        .required("users", { try StoredJSON.text(of: $0.policy) }, { $0.policy = try StoredJSON.value(of: $1) }),
        .required("geo_location", { $0.geoLocation }, { $0.geoLocation = $1 }),
        .required("organization", { $0.organization }, { $0.organization = $1 }),
        .required("organizational_unit", { $0.organizationalUnit }, { $0.organizationalUnit = $1 }),
        .required("is_shared", { $0.isShared }, { $0.isShared = $1 }),
        .required("dns_sd_name", { $0.serviceName }, { $0.serviceName = $1 }),
        .required("admits_anonymous", { $0.admitsAnonymous }, { $0.admitsAnonymous = $1 }),
    ]

    // MARK: - Jobs

    /// The columns of jobs, in the order in which they are read.
    ///
    /// The first columns, through `completed_at`, are those of a job in a list without `JobParts.details`.
    static let jobColumns: [StoredColumn<Job, Job>] = [
        .required("id", isFixed: true, { $0.id }, { $0.id = $1 }),
        .required("uuid", isFixed: true, { $0.uuid }, { $0.uuid = $1 }),
        .required("printer", { $0.printer }, { $0.printer = $1 }),
        .required("owner", isFixed: true, { $0.owner }, { $0.owner = $1 }),
        .required("name", { $0.name }, { $0.name = $1 }),
        .required("state", { $0.state.rawValue }, { $0.state = try known($1) }),
        .required("message", { $0.message }, { $0.message = $1 }),
        .required("priority", { $0.priority }, { $0.priority = $1 }),
        .required("created_at", isFixed: true, { $0.createdAt }, { $0.createdAt = $1 }),
        .optional("completed_at", { $0.completedAt }, { $0.completedAt = $1 }),
        .required(
            "reasons", { $0.reasons.isEmpty ? "[]" : try StoredJSON.text(of: $0.reasons) },
            { $0.reasons = try StoredJob.reasons(in: $1) }),
        .required("ticket", { try StoredTicket.text(of: $0.ticket) }, { try StoredJob.setTicket(of: &$0, $1) }),
        .optional("held_until", { $0.heldUntil }, { $0.heldUntil = $1 }),
        .optional("submission_id", isFixed: true, { $0.submissionID }, { $0.submissionID = $1 }),
        .optional("processing_at", { $0.processingAt }, { $0.processingAt = $1 }),
        .optional("impressions", { $0.impressions }, { $0.impressions = $1 }),
        .required("impressions_completed", { $0.impressionsCompleted }, { $0.impressionsCompleted = $1 }),
        .optional("sheets", { $0.sheets }, { $0.sheets = $1 }),
        .required("sheets_completed", { $0.sheetsCompleted }, { $0.sheetsCompleted = $1 }),
        .optional("remote_id", { $0.remote?.id }, { $0.remote = $1.map { RemoteJob(id: $0, uuid: nil) } }),
        .optional("remote_uuid", { $0.remote?.uuid }, { $0.remote?.uuid = $1 }),
        .required("attempts", { $0.attempts }, { $0.attempts = $1 }),
        .optional("retry_at", { $0.retryAt }, { $0.retryAt = $1 }),
        .optional("resume_from", { $0.resumeFrom }, { $0.resumeFrom = $1 }),
        .optional("parent_id", isFixed: true, { $0.parentID }, { $0.parentID = $1 }),
        .optional("moved_from", { $0.movedFrom }, { $0.movedFrom = $1 }),
        .optional(
            "sheet_plan", { try $0.sheetPlan.map { try StoredJSON.text(of: $0) } },
            { $0.sheetPlan = try $1.map(StoredJob.sheetPlan) }),
        .optional(
            "warnings", { $0.warnings.isEmpty ? nil : try StoredJSON.text(of: $0.warnings) },
            { $0.warnings = try $1.map { try StoredJSON.value(of: $0) } ?? [] }),
        .required(
            "earlier_impressions", { $0.printedBefore.impressions }, { $0.printedBefore.impressions = $1 }),
        .required("earlier_blanks", { $0.printedBefore.blanks }, { $0.printedBefore.blanks = $1 }),
        .required("earlier_sheets", { $0.printedBefore.sheets }, { $0.printedBefore.sheets = $1 }),
        .required("preparation_seconds", { $0.preparationSeconds }, { $0.preparationSeconds = $1 }),
        // Only statements that write a job know its deadline for documents.
        StoredColumn(name: "incoming_until", kind: .real, isChangeable: false, write: { _ in nil }, read: nil),
    ]

    // MARK: - Events

    static let eventColumns: [StoredColumn<StoredEvent, JobEvent>] = [
        StoredColumn(
            name: "sequence", kind: .integer, isChangeable: false, write: { _ in nil },
            read: { event, row, index in event.sequence = try row.int(index) }),
        .optional("job_id", { $0.jobID }, { $0.jobID = $1 }),
        .required("printer", { $0.printer }, { $0.printer = $1 }),
        .required("time", { $0.time }, { $0.time = $1 }),
        .required("kind", { $0.kind }, { $0.kind = $1 }),
        .optional(
            "state", { $0.state },
            { event, state in
                if event.jobID == nil {
                    event.printerState = state.flatMap(PrinterState.init(rawValue:))
                } else {
                    event.state = state.flatMap(JobState.init(rawValue:))
                }
            }),
        .required("message", { $0.message }, { $0.message = $1 }),
        // Keywords have no spaces. An empty list is stored as NULL.
        .optional(
            "reasons", { $0.reasons.isEmpty ? nil : $0.reasons.joined(separator: " ") },
            { $0.reasons = $1?.split(separator: " ").map(String.init) ?? [] }),
        .optional("impressions", { $0.impressions }, { $0.impressions = $1 }),
        .optional("impressions_completed", { $0.impressionsCompleted }, { $0.impressionsCompleted = $1 }),
    ]

    // MARK: - Accounting

    static let accountingColumns: [StoredColumn<AccountingEntry, AccountingEntry>] = [
        .required("job_id", { $0.jobID }, { $0.jobID = $1 }),
        .required("owner", { $0.user }, { $0.user = $1 }),
        .required("printer", { $0.printer }, { $0.printer = $1 }),
        .required("name", { $0.title }, { $0.title = $1 }),
        .required("created_at", { $0.submittedAt }, { $0.submittedAt = $1 }),
        .required("ended_at", { $0.endedAt }, { $0.endedAt = $1 }),
        .required("state", { $0.state.rawValue }, { $0.state = try known($1) }),
        .required("copies", { max(1, $0.copies) }, { $0.copies = $1 }),
        .required("impressions", { $0.printed.impressions }, { $0.printed.impressions = $1 }),
        .required("blanks", { $0.printed.blanks }, { $0.printed.blanks = $1 }),
        .required("sheets", { $0.printed.sheets }, { $0.printed.sheets = $1 }),
        .optional("color", { $0.isColor }, { $0.isColor = $1 }),
        .optional("media", { $0.media }, { $0.media = $1 }),
        .required("bytes", { $0.bytes }, { $0.bytes = $1 }),
    ]

    /// Returns a value of an enumeration.
    ///
    /// - Throws: `DamagedValue` if this version of printq does not know the value.
    private static func known<Value: RawRepresentable>(_ rawValue: Value.RawValue) throws -> Value {
        guard let value = Value(rawValue: rawValue) else { throw DamagedValue("unknown \(Value.self): \(rawValue)") }
        return value
    }
}

extension AccountingEntry {
    /// An entry whose values are not read yet.
    static var blank: AccountingEntry {
        AccountingEntry(
            jobID: 0, user: "", printer: "", title: "", submittedAt: 0, endedAt: 0, state: .completed, copies: 1,
            printed: PrintedSides(impressions: 0, blanks: 0, sheets: 0), isColor: nil, media: nil, bytes: 0)
    }
}
