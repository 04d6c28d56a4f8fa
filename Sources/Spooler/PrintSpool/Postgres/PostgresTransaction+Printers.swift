// Reads and writes printers in PostgreSQL.

import PostgresClient
import PrintModel

extension PostgresTransaction {
    func printers() throws -> [ConfiguredPrinter] {
        try session.query("SELECT \(Self.printerColumns) FROM printers ORDER BY id").map(Self.printer)
    }

    func printer(named name: String) throws -> ConfiguredPrinter? {
        // Another host may not change the printer until the end of the transaction. Submissions prevent its removal.
        let lock = session.isWriting ? " FOR UPDATE" : ""
        return try session.query("SELECT \(Self.printerColumns) FROM printers WHERE name = $1\(lock)", [name])
            .first.map(Self.printer)
    }

    func isAccepting(_ printer: String) throws -> Bool? {
        if let known = session.expectations?.isAccepting(printer) { return known }
        // The printer cannot be removed until the end of the transaction.
        let lock = session.isWriting ? " FOR KEY SHARE" : ""
        return try boolean("SELECT is_accepting FROM printers WHERE name = $1\(lock)", [printer])
    }

    func insert(_ printer: ConfiguredPrinter) throws {
        try session.enqueue(
            """
            INSERT INTO printers (\(Self.printerColumns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """, Self.values(of: printer))
    }

    func update(_ printer: ConfiguredPrinter) throws {
        try session.enqueue(
            """
            UPDATE printers SET
                device_uri = $2, info = $3, location = $4, is_default = $5, is_paused = $6, pause_message = $7,
                is_accepting = $8, error_policy = $9, after_interruption = $10, options = $11, users = $12
            WHERE name = $1
            """, Self.values(of: printer))
    }

    func removePrinter(named name: String) throws {
        try session.enqueue("DELETE FROM printers WHERE name = $1", [name])
    }

    func clearDefaultPrinter() throws {
        try session.enqueue("UPDATE printers SET is_default = FALSE WHERE is_default")
    }

    private static let printerColumns = """
        name, device_uri, info, location, is_default, is_paused, pause_message, is_accepting, error_policy,
        after_interruption, options, users
        """

    private static func values(of printer: ConfiguredPrinter) throws -> [(any PostgresParameter)?] {
        [
            printer.name, printer.deviceURI, printer.info, printer.location, printer.isDefault, printer.isPaused,
            printer.pauseMessage, printer.isAccepting, printer.errorPolicy.rawValue,
            printer.afterInterruption.rawValue, try StoredJSON.text(of: printer.options),
            try StoredJSON.text(of: printer.users),
        ]
    }

    private static func printer(_ row: PostgresRow) throws -> ConfiguredPrinter {
        guard let errorPolicy = ConfiguredPrinter.ErrorPolicy(rawValue: try row.string(8)) else {
            throw DamagedValue("the printer '\(try row.string(0))' has an unknown error policy")
        }
        guard let afterInterruption = ConfiguredPrinter.AfterInterruption(rawValue: try row.string(9)) else {
            throw DamagedValue("the printer '\(try row.string(0))' has an unknown action for interrupted jobs")
        }
        return ConfiguredPrinter(
            name: try row.string(0), deviceURI: try row.string(1), info: try row.string(2),
            location: try row.string(3), isDefault: try row.bool(4), isPaused: try row.bool(5),
            pauseMessage: try row.string(6), isAccepting: try row.bool(7), errorPolicy: errorPolicy,
            afterInterruption: afterInterruption, options: try StoredJSON.value(of: row.string(10)),
            users: try StoredJSON.value(of: row.string(11)))
    }
}
