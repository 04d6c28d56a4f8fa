// Defines the schema of the spool's SQLite database.

/// A schema of the spool's SQLite database: the migrations that create the tables.
///
/// Version 1 is the schema of printq 1.0.0. A later version of printq that changes the tables adds a migration, and does
/// not change the earlier migrations.
package struct SpoolSchema: Sendable {
    /// The SQL statements of each migration, in order.
    ///
    /// The first migration creates the tables. Each further migration changes the tables of the previous schema.
    let migrations: [String]

    /// The schema number: the number of migrations.
    ///
    /// The header of the database file contains the number (`PRAGMA user_version`).
    var number: Int { migrations.count }

    /// The schema of this version of printq.
    package static let current = SpoolSchema(migrations: [version1, version2])

    private static let version2 = """
        CREATE TABLE document_passwords (
            -- The passwords of encrypted documents, until their job ends.
            job_id   INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
            number   INTEGER NOT NULL CHECK (number >= 1),
            password TEXT    NOT NULL CHECK (password <> ''),
            PRIMARY KEY (job_id, number)
        ) WITHOUT ROWID;

        CREATE TRIGGER document_passwords_of_ended_jobs AFTER UPDATE OF state ON jobs
            WHEN NEW.state >= 7 AND EXISTS (SELECT 1 FROM document_passwords WHERE job_id = NEW.id)
            BEGIN
                DELETE FROM document_passwords WHERE job_id = NEW.id;
            END;
        """

    /// The application ID in the header of the database file (`PRAGMA application_id`): `prtq` in ASCII.
    ///
    /// The databases of builds before printq 1.0.0 have no application ID. Their schemas have other numbers.
    static let applicationID = 0x7072_7471
}
