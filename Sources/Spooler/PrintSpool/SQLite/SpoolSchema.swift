// Defines the tables of the spool and their migrations.

import GRDB

/// The tables of the spool.
///
/// `CHECK` constraints reject invalid values, so that a bug cannot store invalid values. The statements are also valid
/// in PostgreSQL, except for `AUTOINCREMENT`.
package enum SpoolSchema {
    /// The migrations from an empty database to the current schema, in order.
    ///
    /// The schema number is the number of the last migration. There is no schema 4.
    static let migrations = [
        Migration(1, version1), Migration(2, version2), Migration(3, version3), Migration(5, version5),
        Migration(6, version6),
        // The boot id of the machine when the spool was last opened (see `EventNumbers`).
        Migration(7, "ALTER TABLE event_log ADD COLUMN boot TEXT"),
        // The locations of printers, and the default options for jobs that do not set them.
        Migration(
            8,
            """
            ALTER TABLE printers ADD COLUMN location TEXT NOT NULL DEFAULT '';
            ALTER TABLE printers ADD COLUMN options TEXT NOT NULL DEFAULT '{}' CHECK (options LIKE '{%}');
            """),
        Migration(9, version9), Migration(10, version10),
        // The warnings about a job's pages, as a list of sentences.
        Migration(11, "ALTER TABLE jobs ADD COLUMN warnings TEXT CHECK (warnings LIKE '[%]')"),
        // The policy for jobs that a printer aborts although the document is valid.
        Migration(
            12,
            """
            ALTER TABLE printers ADD COLUMN after_interruption TEXT NOT NULL DEFAULT 'ask' \
            CHECK (after_interruption IN ('ask', 'continue', 'abort'))
            """),
        Migration(13, version13),
    ]

    /// The current schema number.
    package static let number = migrations.last?.number ?? 0

    /// The columns for the allowed users of printers and for the sheets of jobs, and the table of accounting entries.
    ///
    /// Accounting entries are kept longer than jobs.
    private static let version9 = """
        ALTER TABLE printers ADD COLUMN users TEXT NOT NULL DEFAULT '{"denied":[]}' CHECK (users LIKE '{%}');

        ALTER TABLE jobs ADD COLUMN sheet_plan TEXT CHECK (sheet_plan LIKE '{%}');
        ALTER TABLE jobs ADD COLUMN earlier_impressions INTEGER NOT NULL DEFAULT 0 CHECK (earlier_impressions >= 0);
        ALTER TABLE jobs ADD COLUMN earlier_blanks INTEGER NOT NULL DEFAULT 0 CHECK (earlier_blanks >= 0);
        ALTER TABLE jobs ADD COLUMN earlier_sheets INTEGER NOT NULL DEFAULT 0 CHECK (earlier_sheets >= 0);

        CREATE TABLE accounting (
            -- What each job has cost that has ended; a row outlives its job. `impressions` are sides with something on
            -- them, `blanks` those without; `color` and `media` are null for a job that never was made ready.
            job_id      INTEGER PRIMARY KEY,
            owner       TEXT    NOT NULL,
            printer     TEXT    NOT NULL,
            name        TEXT    NOT NULL,
            created_at  REAL    NOT NULL,
            ended_at    REAL    NOT NULL,
            state       INTEGER NOT NULL CHECK (state BETWEEN 7 AND 9),
            copies      INTEGER NOT NULL CHECK (copies >= 1),
            impressions INTEGER NOT NULL CHECK (impressions >= 0),
            blanks      INTEGER NOT NULL CHECK (blanks >= 0),
            sheets      INTEGER NOT NULL CHECK (sheets >= 0),
            color       INTEGER CHECK (color IN (0, 1)),
            media       TEXT,
            bytes       INTEGER NOT NULL CHECK (bytes >= 0)
        );

        CREATE INDEX accounting_ended ON accounting (
            -- All of them, oldest first; the next two by user and by printer.
            ended_at, job_id
        );

        CREATE INDEX accounting_of_owner ON accounting (owner, ended_at, job_id);

        CREATE INDEX accounting_of_printer ON accounting (printer, ended_at, job_id);
        """

    /// The statements that replace the table `jobs` with a table that has two fewer indexes.
    ///
    /// Each submission then updates fewer indexes. Random UUIDs are unique without an index. A submission without a
    /// submission id requires no index entry. SQLite can make this change only with a new table.
    private static let version6 = """
        CREATE TABLE new_jobs (
            -- Jobs, waiting, in hand and ended. States are IPP's: 3 pending, 4 pending-held, 5 processing,
            -- 6 processing-stopped, 7 canceled, 8 aborted, 9 completed. Times are seconds since 1970.
            -- A job outlives its printer, so `printer` is no foreign key. AUTOINCREMENT: an id is never used twice.
            id                    INTEGER PRIMARY KEY AUTOINCREMENT,
            uuid                  TEXT    NOT NULL CHECK (uuid LIKE 'urn:uuid:%'),
            printer               TEXT    NOT NULL CHECK (printer <> ''),
            owner                 TEXT    NOT NULL,
            name                  TEXT    NOT NULL,
            submission_id         TEXT,
            state                 INTEGER NOT NULL CHECK (state BETWEEN 3 AND 9),
            reasons               TEXT    NOT NULL CHECK (reasons LIKE '[%]'),
            message               TEXT    NOT NULL,
            ticket                TEXT    NOT NULL CHECK (ticket LIKE '{%}'),
            priority              INTEGER NOT NULL CHECK (priority BETWEEN 1 AND 100),
            held_until            REAL    CHECK (held_until IS NULL OR state = 4),
            incoming_until        REAL    CHECK (incoming_until IS NULL OR state = 4),
            retry_at              REAL    CHECK (retry_at IS NULL OR state IN (3, 4)),
            attempts              INTEGER NOT NULL CHECK (attempts >= 0),
            created_at            REAL    NOT NULL,
            processing_at         REAL    CHECK (processing_at IS NOT NULL OR state NOT IN (5, 6)),
            completed_at          REAL    CHECK ((completed_at IS NOT NULL) = (state >= 7)),
            impressions           INTEGER CHECK (impressions >= 0),
            impressions_completed INTEGER NOT NULL CHECK (impressions_completed >= 0),
            sheets                INTEGER CHECK (sheets >= 0),
            sheets_completed      INTEGER NOT NULL CHECK (sheets_completed >= 0),
            remote_id             INTEGER,
            remote_uuid           TEXT    CHECK (remote_uuid IS NULL OR remote_id IS NOT NULL),
            resume_from           INTEGER CHECK (resume_from > 1),
            parent_id             INTEGER CHECK (parent_id >= 1),
            moved_from            TEXT    CHECK (moved_from <> '')
        );

        INSERT INTO new_jobs SELECT * FROM jobs;
        DELETE FROM sqlite_sequence WHERE name = 'new_jobs';
        INSERT INTO sqlite_sequence (name, seq) SELECT 'new_jobs', seq FROM sqlite_sequence WHERE name = 'jobs';
        DROP TABLE jobs;
        ALTER TABLE new_jobs RENAME TO jobs;

        CREATE UNIQUE INDEX jobs_submissions ON jobs (
            -- The same submission again is the same job.
            owner, submission_id
        ) WHERE submission_id IS NOT NULL;

        CREATE INDEX jobs_queue ON jobs (
            -- The head of a printer's queue: what it prints next.
            printer, priority DESC, id
        ) WHERE state = 3;

        CREATE INDEX jobs_unfinished ON jobs (
            -- The list of jobs that have not ended: those in hand first, then in the order of printing.
            (state < 5), priority DESC, id
        ) WHERE state < 7;

        CREATE INDEX jobs_unfinished_of_printer ON jobs (
            -- A printer's jobs that have not ended, in the order of `jobs_unfinished`.
            printer, (state < 5), priority DESC, id
        ) WHERE state < 7;

        CREATE INDEX jobs_unfinished_of_owner ON jobs (
            -- Somebody's jobs that have not ended, in the same order.
            owner, (state < 5), priority DESC, id
        ) WHERE state < 7;

        CREATE INDEX jobs_ended ON jobs (
            -- The list of jobs that have ended, newest first.
            completed_at DESC, id DESC
        ) WHERE state >= 7;

        CREATE INDEX jobs_ended_of_printer ON jobs (
            -- A printer's jobs that have ended, newest first.
            printer, completed_at DESC, id DESC
        ) WHERE state >= 7;

        CREATE INDEX jobs_ended_of_owner ON jobs (
            -- Somebody's jobs that have ended, newest first.
            owner, completed_at DESC, id DESC
        ) WHERE state >= 7;

        CREATE INDEX jobs_held_until ON jobs (
            -- The few jobs that wait for the clock, here and in the next two.
            held_until
        ) WHERE held_until IS NOT NULL;

        CREATE INDEX jobs_incoming_until ON jobs (incoming_until) WHERE incoming_until IS NOT NULL;

        CREATE INDEX jobs_retry_at ON jobs (retry_at) WHERE retry_at IS NOT NULL;
        """

    /// The table that contains the unique identifier of the spool.
    private static let version10 = """
        CREATE TABLE identity (
            -- One row: a name that no other spool has, drawn when this one was made. Those of its printers come of it.
            name TEXT NOT NULL CHECK (name <> '')
        );

        INSERT INTO identity (name) VALUES (lower(hex(randomblob(16))));
        """

    /// The table of the programs that changed the schema.
    ///
    /// An older program reads the version of the newer program from this table.
    private static let version13 = """
        CREATE TABLE schema_changes (
            -- The programs that created or migrated this database, oldest first. Times are seconds since 1970.
            number  INTEGER PRIMARY KEY,
            schema  INTEGER NOT NULL CHECK (schema >= 1),
            program TEXT    NOT NULL CHECK (program <> ''),
            time    REAL    NOT NULL
        );
        """
}
