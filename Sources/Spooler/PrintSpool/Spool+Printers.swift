// Stores the printers of the queue.

import FoundationEssentials
import GRDB
public import PrintModel

extension Spool {
    /// Returns the printers in the order in which they were added.
    public func printers() async throws(SpoolError) -> [ConfiguredPrinter] {
        let (known, changes) = printerList.known
        if let known { return known }
        let printers = try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM printers ORDER BY id").map(Self.printer)
        }
        printerList.remember(printers, after: changes)
        return printers
    }

    /// Returns the printer with the given name; nil if the printer does not exist.
    public func printer(named name: String) async throws(SpoolError) -> ConfiguredPrinter? {
        try await read { [self] db in try fetchPrinter(name, in: db) }
    }

    /// Adds a printer.
    ///
    /// - Throws: `printerExists`, `invalidName`.
    public func addPrinter(_ printer: ConfiguredPrinter) async throws(SpoolError) {
        guard ConfiguredPrinter.isValidName(printer.name) else { throw .invalidName(printer.name) }
        try await writePrinters { [self] db in
            guard try fetchPrinter(printer.name, in: db) == nil else { throw SpoolError.printerExists(printer.name) }
            try insert(printer, in: db)
        }
    }

    /// Changes a printer.
    ///
    /// Adds the printer if it does not exist and the change contains a device URI.
    ///
    /// - Returns: `true` if the printer was added.
    /// - Throws: `noSuchPrinter`, `invalidName`.
    @discardableResult
    public func addOrModifyPrinter(named name: String, _ change: PrinterChange) async throws(SpoolError) -> Bool {
        guard ConfiguredPrinter.isValidName(name) else { throw .invalidName(name) }
        return try await writePrinters { [self] db in
            guard let printer = try fetchPrinter(name, in: db) else {
                guard let deviceURI = change.deviceURI else { throw SpoolError.noSuchPrinter(name) }
                try insert(change.applied(to: ConfiguredPrinter(name: name, deviceURI: deviceURI)), in: db)
                return true
            }
            let isStateOnly = change.isPaused != nil || change.isAccepting != nil
            try modifyPrinter(
                printer.name, isStateOnly ? "printer-state-changed" : "printer-config-changed", "Changed", in: db
            ) { $0 = change.applied(to: $0) }
            return false
        }
    }

    /// Removes a printer and keeps the history of its jobs.
    ///
    /// - Throws: `noSuchPrinter`, or `notPossible` while the printer has jobs that have not ended.
    public func removePrinter(named name: String) async throws(SpoolError) {
        try await writePrinters { [self] db in
            guard let printer = try fetchPrinter(name, in: db) else { throw SpoolError.noSuchPrinter(name) }
            let jobs =
                try Int.fetchOne(
                    db, sql: Self.queuedJobs(ofPrinter: true, ofOwner: false), arguments: [name]) ?? 0
            guard jobs == 0 else {
                throw SpoolError.notPossible(
                    "printer '\(name)' has \(jobs) \(jobs == 1 ? "job" : "jobs") and cannot be removed; "
                        + "cancel the jobs with --cancel-jobs, or move them with --move-jobs-to NAME")
            }
            try db.execute(sql: "DELETE FROM printers WHERE name = ?", arguments: [name])
            try appendEvent("printer-deleted", at: printer, message: "Removed", in: db)
        }
    }

    /// Makes a printer the default printer, which prints jobs without a printer name.
    ///
    /// - Throws: `noSuchPrinter`.
    public func setDefaultPrinter(_ name: String) async throws(SpoolError) {
        try await modifyPrinter(name, "printer-config-changed", "Set as the default printer") { $0.isDefault = true }
    }

    /// Pauses a printer, so that its jobs wait (IPP `Pause-Printer`).
    ///
    /// - Throws: `noSuchPrinter`.
    public func pausePrinter(named name: String, message: String = "") async throws(SpoolError) {
        try await modifyPrinter(name, "printer-state-changed", message.isEmpty ? "Paused" : "Paused: \(message)") {
            $0.isPaused = true
            $0.pauseMessage = message
        }
    }

    /// Resumes a paused printer (IPP `Resume-Printer`).
    ///
    /// - Throws: `noSuchPrinter`.
    public func resumePrinter(named name: String) async throws(SpoolError) {
        try await modifyPrinter(name, "printer-state-changed", "Resumed") {
            $0.isPaused = false
            $0.pauseMessage = ""
        }
    }

    /// Sets whether a printer accepts new jobs (IPP `Enable-Printer`, `Disable-Printer`).
    ///
    /// - Throws: `noSuchPrinter`.
    public func setAccepting(_ isAccepting: Bool, printer name: String) async throws(SpoolError) {
        try await modifyPrinter(
            name, "printer-state-changed", isAccepting ? "Accepting jobs" : "Not accepting jobs"
        ) { $0.isAccepting = isAccepting }
    }

    // MARK: - Database access

    /// Runs a transaction that may change the table `printers`, and invalidates the cached printers.
    private func writePrinters<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SpoolError) -> Value {
        printerList.beginChange()
        defer { printerList.endChange() }
        return try await write(body)
    }

    func fetchPrinter(_ name: String, in db: Database) throws -> ConfiguredPrinter? {
        try Row.fetchOne(
            try db.cachedStatement(sql: "SELECT * FROM printers WHERE name = ?"), arguments: [name]
        ).map(Self.printer)
    }

    private func insert(_ printer: ConfiguredPrinter, in db: Database) throws {
        if printer.isDefault { try clearDefault(in: db) }
        try db.execute(
            sql: """
                INSERT INTO printers (
                    name, device_uri, info, location, is_default, is_paused, pause_message, is_accepting,
                    error_policy, after_interruption, options, users
                ) VALUES (
                    :name, :deviceURI, :info, :location, :isDefault, :isPaused, :pauseMessage, :isAccepting,
                    :errorPolicy, :afterInterruption, :options, :users)
                """, arguments: try Self.values(of: printer))
        try appendEvent("printer-added", at: printer, message: "Added", in: db)
    }

    private func modifyPrinter(
        _ name: String, _ kind: String, _ message: String,
        _ change: @escaping @Sendable (inout ConfiguredPrinter) -> Void
    ) async throws(SpoolError) {
        try await writePrinters { [self] db in try modifyPrinter(name, kind, message, in: db, change) }
    }

    private func modifyPrinter(
        _ name: String, _ kind: String, _ message: String, in db: Database, _ change: (inout ConfiguredPrinter) -> Void
    ) throws {
        guard let before = try fetchPrinter(name, in: db) else { throw SpoolError.noSuchPrinter(name) }
        var printer = before
        change(&printer)
        guard printer != before else { return }
        if printer.isDefault { try clearDefault(in: db) }
        try db.execute(
            sql: """
                UPDATE printers SET
                    device_uri = :deviceURI, info = :info, location = :location, is_default = :isDefault,
                    is_paused = :isPaused, pause_message = :pauseMessage, is_accepting = :isAccepting,
                    error_policy = :errorPolicy, after_interruption = :afterInterruption, options = :options,
                    users = :users
                WHERE name = :name
                """, arguments: try Self.values(of: printer))
        try appendEvent(kind, at: printer, message: message, in: db)
    }

    private func clearDefault(in db: Database) throws {
        try db.execute(sql: "UPDATE printers SET is_default = 0 WHERE is_default = 1")
    }

    private static func values(of printer: ConfiguredPrinter) throws -> StatementArguments {
        [
            "name": printer.name, "deviceURI": printer.deviceURI, "info": printer.info, "location": printer.location,
            "isDefault": printer.isDefault, "isPaused": printer.isPaused, "pauseMessage": printer.pauseMessage,
            "isAccepting": printer.isAccepting, "errorPolicy": printer.errorPolicy.rawValue,
            "afterInterruption": printer.afterInterruption.rawValue,
            "options": try JobRecord.json(printer.options), "users": try JobRecord.json(printer.users),
        ]
    }

    private static func printer(_ row: Row) throws -> ConfiguredPrinter {
        guard let errorPolicy = ConfiguredPrinter.ErrorPolicy(rawValue: row["error_policy"]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a printer has an unknown error policy")
        }
        guard let afterInterruption = ConfiguredPrinter.AfterInterruption(rawValue: row["after_interruption"]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a printer has an invalid after_interruption")
        }
        return ConfiguredPrinter(
            name: row["name"], deviceURI: row["device_uri"], info: row["info"], location: row["location"],
            isDefault: row["is_default"], isPaused: row["is_paused"], pauseMessage: row["pause_message"],
            isAccepting: row["is_accepting"], errorPolicy: errorPolicy, afterInterruption: afterInterruption,
            options: try options(row["options"]), users: try JobRecord.value(of: row["users"]))
    }

    private static func options(_ text: String) throws -> [String: String] {
        do {
            return try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
        } catch {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "cannot decode the options of a printer: \(error)")
        }
    }
}
