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
    package static let current = SpoolSchema(
        migrations: [version1, version2, version3, version4, version5, version6, version7, version8, version9])

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

    private static let version3 = """
        ALTER TABLE printers ADD COLUMN geo_location        TEXT NOT NULL DEFAULT '';
        ALTER TABLE printers ADD COLUMN organization        TEXT NOT NULL DEFAULT '';
        ALTER TABLE printers ADD COLUMN organizational_unit TEXT NOT NULL DEFAULT '';
        """

    private static let version4 = """
        CREATE TABLE tokens (
            -- The tokens of clients on the network. `digest` is the SHA-256 digest of the secret, which is not stored.
            id           INTEGER PRIMARY KEY,
            name         TEXT NOT NULL UNIQUE CHECK (name <> ''),
            owner        TEXT NOT NULL CHECK (owner <> ''),
            scope        TEXT NOT NULL CHECK (scope IN ('look', 'submit', 'manage')),
            digest       TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
            created_at   REAL NOT NULL,
            expires_at   REAL,
            last_used_at REAL
        );
        """

    private static let version5 = """
        ALTER TABLE printers ADD COLUMN is_shared        INTEGER NOT NULL DEFAULT 0 CHECK (is_shared IN (0, 1));
        ALTER TABLE printers ADD COLUMN dns_sd_name      TEXT    NOT NULL DEFAULT '';
        ALTER TABLE printers ADD COLUMN admits_anonymous INTEGER NOT NULL DEFAULT 0 CHECK (admits_anonymous IN (0, 1));
        """

    private static let version6 = """
        CREATE TABLE users (
            -- The users on the network. `password_hash` is a yescrypt hash; the password is not stored.
            id                  INTEGER PRIMARY KEY,
            name                TEXT NOT NULL UNIQUE CHECK (name <> ''),
            scope               TEXT NOT NULL CHECK (scope IN ('look', 'submit', 'manage')),
            password_hash       TEXT NOT NULL CHECK (password_hash <> ''),
            created_at          REAL NOT NULL,
            password_changed_at REAL NOT NULL
        );
        """

    private static let version7 = """
        CREATE TABLE job_passwords (
            -- The hashes of the passwords of jobs that wait for their release, until the job ends.
            job_id     INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
            hash       TEXT    NOT NULL CHECK (hash <> ''),
            encryption TEXT    NOT NULL,
            failures   INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0)
        );

        CREATE TRIGGER job_passwords_of_ended_jobs AFTER UPDATE OF state ON jobs
            WHEN NEW.state >= 7 AND EXISTS (SELECT 1 FROM job_passwords WHERE job_id = NEW.id)
            BEGIN
                DELETE FROM job_passwords WHERE job_id = NEW.id;
            END;

        CREATE TABLE release_attempts (
            -- The wrong passwords at the release stations of printers.
            printer  TEXT    PRIMARY KEY,
            failures INTEGER NOT NULL CHECK (failures >= 0),
            last_at  REAL    NOT NULL
        ) WITHOUT ROWID;
        """

    private static let version8 = """
        CREATE TABLE quotas (
            -- The limits of users, of members of groups, of guests and of all users.
            subject TEXT NOT NULL CHECK (subject IN ('user', 'group', 'guests', 'everyone')),
            name    TEXT NOT NULL,
            period  TEXT NOT NULL CHECK (period IN ('job', 'day', 'week', 'month')),
            pages   INTEGER CHECK (pages >= 0),
            sheets  INTEGER CHECK (sheets >= 0),
            copies  INTEGER CHECK (copies >= 0),
            color   TEXT,
            PRIMARY KEY (subject, name, period)
        ) WITHOUT ROWID;

        CREATE TABLE quota_credits (
            -- What administrators have added to the quotas of users. What was printed before a reset does not count.
            id         INTEGER PRIMARY KEY,
            owner      TEXT    NOT NULL CHECK (owner <> ''),
            kind       TEXT    NOT NULL CHECK (kind IN ('top-up', 'refund', 'reset')),
            pages      INTEGER NOT NULL CHECK (pages >= 0),
            sheets     INTEGER NOT NULL CHECK (sheets >= 0),
            job_id     INTEGER UNIQUE,
            created_at REAL    NOT NULL
        );
        CREATE INDEX quota_credits_of_owner ON quota_credits (owner, created_at);
        """

    private static let version9 = """
        ALTER TABLE tokens ADD COLUMN printers        TEXT    NOT NULL DEFAULT '[]' CHECK (printers LIKE '[%]');
        ALTER TABLE tokens ADD COLUMN acts_for_others INTEGER NOT NULL DEFAULT 0 CHECK (acts_for_others IN (0, 1));
        """

    /// The application ID in the header of the database file (`PRAGMA application_id`): `prtq` in ASCII.
    ///
    /// The databases of builds before printq 1.0.0 have no application ID. Their schemas have other numbers.
    static let applicationID = 0x7072_7471
}
