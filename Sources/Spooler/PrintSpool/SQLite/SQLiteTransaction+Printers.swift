// Reads and writes printers in SQLite.

import GRDB
package import PrintModel

extension SQLiteTransaction {
    package func printers() throws -> [ConfiguredPrinter] {
        try Row.fetchAll(db, sql: "SELECT * FROM printers ORDER BY id").compactMap(Self.printer)
    }

    package func printer(named name: String) throws -> ConfiguredPrinter? {
        try Row.fetchOne(
            try db.cachedStatement(sql: "SELECT * FROM printers WHERE name = ?"), arguments: [name]
        ).flatMap(Self.printer)
    }

    package func isAccepting(_ printer: String) throws -> Bool? {
        try Bool.fetchOne(
            try db.cachedStatement(sql: "SELECT is_accepting FROM printers WHERE name = ?"), arguments: [printer])
    }

    package func insert(_ printer: ConfiguredPrinter) throws {
        try db.execute(
            sql: """
                INSERT INTO printers (
                    name, device_uri, info, location, is_default, is_paused, pause_message, is_accepting,
                    error_policy, after_interruption, options, users
                ) VALUES (
                    :name, :deviceURI, :info, :location, :isDefault, :isPaused, :pauseMessage, :isAccepting,
                    :errorPolicy, :afterInterruption, :options, :users)
                """, arguments: try Self.values(of: printer))
    }

    package func update(_ printer: ConfiguredPrinter) throws {
        try db.execute(
            sql: """
                UPDATE printers SET
                    device_uri = :deviceURI, info = :info, location = :location, is_default = :isDefault,
                    is_paused = :isPaused, pause_message = :pauseMessage, is_accepting = :isAccepting,
                    error_policy = :errorPolicy, after_interruption = :afterInterruption, options = :options,
                    users = :users
                WHERE name = :name
                """, arguments: try Self.values(of: printer))
    }

    package func removePrinter(named name: String) throws {
        try db.execute(sql: "DELETE FROM printers WHERE name = ?", arguments: [name])
    }

    package func clearDefaultPrinter() throws {
        try db.execute(sql: "UPDATE printers SET is_default = 0 WHERE is_default = 1")
    }

    private static func values(of printer: ConfiguredPrinter) throws -> StatementArguments {
        [
            "name": printer.name, "deviceURI": printer.deviceURI, "info": printer.info, "location": printer.location,
            "isDefault": printer.isDefault, "isPaused": printer.isPaused, "pauseMessage": printer.pauseMessage,
            "isAccepting": printer.isAccepting, "errorPolicy": printer.errorPolicy.rawValue,
            "afterInterruption": printer.afterInterruption.rawValue,
            "options": try StoredJSON.text(of: printer.options), "users": try StoredJSON.text(of: printer.users),
        ]
    }

    /// Returns the printer that a row contains; nil if not even the name of the printer is readable.
    ///
    /// An unreadable printer keeps its readable fields, and is paused and does not accept jobs. The next change of the
    /// printer replaces the damaged fields.
    private static func printer(_ row: Row) -> ConfiguredPrinter? {
        do { return try readablePrinter(row) } catch {
            guard let name = String.fromDatabaseValue(row["name"]) else { return nil }
            func text(_ column: String) -> String? { String.fromDatabaseValue(row[column]) }
            let message =
                "the stored record of this printer was damaged; correct the printer with 'printq printers change "
                + "\(name)'"
            return ConfiguredPrinter(
                name: name, deviceURI: text("device_uri") ?? "", info: text("info") ?? "",
                location: text("location") ?? "", isDefault: Bool.fromDatabaseValue(row["is_default"]) ?? false,
                isPaused: true, pauseMessage: message, isAccepting: false,
                errorPolicy: text("error_policy").flatMap(ConfiguredPrinter.ErrorPolicy.init) ?? .retryJob,
                afterInterruption: text("after_interruption").flatMap(ConfiguredPrinter.AfterInterruption.init) ?? .ask,
                options: text("options").flatMap { try? StoredJSON.value(of: $0) } ?? [:],
                // The damaged list may have denied users.
                users: text("users").flatMap { try? StoredJSON.value(of: $0) } ?? .allowed([]))
        }
    }

    private static func readablePrinter(_ row: Row) throws -> ConfiguredPrinter {
        let errorPolicy = ConfiguredPrinter.ErrorPolicy(rawValue: try row.decode(forColumn: "error_policy"))
        let action = ConfiguredPrinter.AfterInterruption(rawValue: try row.decode(forColumn: "after_interruption"))
        guard let errorPolicy, let action else { throw DamagedValue("a printer has an unknown policy") }
        return ConfiguredPrinter(
            name: try row.decode(forColumn: "name"), deviceURI: try row.decode(forColumn: "device_uri"),
            info: try row.decode(forColumn: "info"), location: try row.decode(forColumn: "location"),
            isDefault: try row.decode(forColumn: "is_default"), isPaused: try row.decode(forColumn: "is_paused"),
            pauseMessage: try row.decode(forColumn: "pause_message"),
            isAccepting: try row.decode(forColumn: "is_accepting"), errorPolicy: errorPolicy, afterInterruption: action,
            options: try StoredJSON.value(of: row.decode(forColumn: "options")),
            users: try StoredJSON.value(of: row.decode(forColumn: "users")))
    }
}
