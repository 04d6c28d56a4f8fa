// Reads and writes printers in SQLite.

import GRDB
import PrintModel

extension SQLiteTransaction {
    func printers() throws -> [ConfiguredPrinter] {
        try Row.fetchAll(db, sql: "SELECT * FROM printers ORDER BY id").map(Self.printer)
    }

    func printer(named name: String) throws -> ConfiguredPrinter? {
        try Row.fetchOne(
            try db.cachedStatement(sql: "SELECT * FROM printers WHERE name = ?"), arguments: [name]
        ).map(Self.printer)
    }

    func isAccepting(_ printer: String) throws -> Bool? {
        try Bool.fetchOne(
            try db.cachedStatement(sql: "SELECT is_accepting FROM printers WHERE name = ?"), arguments: [printer])
    }

    func insert(_ printer: ConfiguredPrinter) throws {
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

    func update(_ printer: ConfiguredPrinter) throws {
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

    func removePrinter(named name: String) throws {
        try db.execute(sql: "DELETE FROM printers WHERE name = ?", arguments: [name])
    }

    func clearDefaultPrinter() throws {
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

    private static func printer(_ row: Row) throws -> ConfiguredPrinter {
        guard let errorPolicy = ConfiguredPrinter.ErrorPolicy(rawValue: row["error_policy"]) else {
            let name = String.fromDatabaseValue(row["name"]) ?? ""
            throw DamagedValue("the printer '\(name)' has an unknown error policy")
        }
        guard let afterInterruption = ConfiguredPrinter.AfterInterruption(rawValue: row["after_interruption"]) else {
            let name = String.fromDatabaseValue(row["name"]) ?? ""
            throw DamagedValue("the printer '\(name)' has an unknown action for interrupted jobs")
        }
        return ConfiguredPrinter(
            name: row["name"], deviceURI: row["device_uri"], info: row["info"], location: row["location"],
            isDefault: row["is_default"], isPaused: row["is_paused"], pauseMessage: row["pause_message"],
            isAccepting: row["is_accepting"], errorPolicy: errorPolicy, afterInterruption: afterInterruption,
            options: try StoredJSON.value(of: row["options"]), users: try StoredJSON.value(of: row["users"]))
    }
}
