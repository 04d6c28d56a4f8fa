// Defines the tables of the first version of the spool, and their changes up to version 5.

extension SpoolSchema {
    /// The tables of the first version of the schema.
    static let version1 = """
        CREATE TABLE printers (
            -- Printers, in order of creation.
            id            INTEGER PRIMARY KEY AUTOINCREMENT,
            name          TEXT    NOT NULL UNIQUE CHECK (name <> ''),
            device_uri    TEXT    NOT NULL CHECK (device_uri <> ''),
            info          TEXT    NOT NULL,
            is_default    INTEGER NOT NULL CHECK (is_default IN (0, 1)),
            is_paused     INTEGER NOT NULL CHECK (is_paused IN (0, 1)),
            pause_message TEXT    NOT NULL,
            is_accepting  INTEGER NOT NULL CHECK (is_accepting IN (0, 1)),
            error_policy  TEXT    NOT NULL CHECK (error_policy IN ('retry-job', 'abort-job', 'stop-printer'))
        );

        CREATE UNIQUE INDEX printers_default ON printers (
            -- There is at most one default printer.
            is_default
        ) WHERE is_default = 1;

        CREATE TABLE jobs (
            -- Jobs, waiting, in hand and ended. States are IPP's: 3 pending, 4 pending-held, 5 processing,
            -- 6 processing-stopped, 7 canceled, 8 aborted, 9 completed. Times are seconds since 1970.
            -- A job outlives its printer, so `printer` is no foreign key. AUTOINCREMENT: an id is never used twice.
            id                    INTEGER PRIMARY KEY AUTOINCREMENT,
            uuid                  TEXT    NOT NULL UNIQUE CHECK (uuid LIKE 'urn:uuid:%'),
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
            UNIQUE (owner, submission_id)
        );

        CREATE INDEX jobs_queue ON jobs (
            -- The head of a printer's queue: what it prints next.
            printer, priority DESC, id
        ) WHERE state = 3;

        CREATE INDEX jobs_unfinished ON jobs (
            -- The list of jobs that have not ended: those in hand first, then in the order of printing.
            (state < 5), priority DESC, id
        ) WHERE state < 7;

        CREATE INDEX jobs_ended ON jobs (
            -- The list of jobs that have ended, newest first.
            completed_at DESC, id DESC
        ) WHERE state >= 7;

        CREATE INDEX jobs_held_until ON jobs (
            -- The few jobs that wait for the clock, here and in the next two.
            held_until
        ) WHERE held_until IS NOT NULL;

        CREATE INDEX jobs_incoming_until ON jobs (incoming_until) WHERE incoming_until IS NOT NULL;

        CREATE INDEX jobs_retry_at ON jobs (retry_at) WHERE retry_at IS NOT NULL;

        CREATE TABLE documents (
            -- Documents of jobs. Up to 64 KiB the bytes are `content`, else they are the file jobs/<job_id>/<file>;
            -- both are null when the document was not to be kept. `content` comes last, so that lists need not read it.
            job_id  INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
            number  INTEGER NOT NULL CHECK (number >= 1),
            name    TEXT,
            format  TEXT    NOT NULL CHECK (format <> ''),
            bytes   INTEGER NOT NULL CHECK (bytes >= 0),
            file    TEXT    CHECK (file LIKE 'document-%'),
            content BLOB    CHECK (content IS NULL OR length(content) = bytes),
            PRIMARY KEY (job_id, number),
            CHECK (file IS NULL OR content IS NULL)
        );

        CREATE TABLE events (
            -- What happened, in order; `job_id` is null for a printer's own events.
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            job_id   INTEGER,
            printer  TEXT    NOT NULL,
            time     REAL    NOT NULL,
            kind     TEXT    NOT NULL CHECK (kind LIKE 'job-%' OR kind LIKE 'printer-%'),
            state    INTEGER CHECK (state BETWEEN 3 AND 9),
            message  TEXT    NOT NULL,
            CHECK ((kind LIKE 'job-%') = (job_id IS NOT NULL))
        );

        CREATE INDEX events_of_job ON events (job_id, sequence);
        """

    /// The columns for resuming, reprinting and moving jobs, and an index of the documents in files.
    ///
    /// `parent_id` is not a foreign key, because a reprinted job remains in the spool after the original job was
    /// removed.
    static let version2 = """
        ALTER TABLE jobs ADD COLUMN resume_from INTEGER CHECK (resume_from > 1);
        ALTER TABLE jobs ADD COLUMN parent_id INTEGER CHECK (parent_id >= 1);
        ALTER TABLE jobs ADD COLUMN moved_from TEXT CHECK (moved_from <> '');

        CREATE INDEX documents_in_files ON documents (
            -- The documents that are files, to say how large they are together.
            bytes
        ) WHERE file IS NOT NULL;
        """

    /// Indexes for lists and counts by printer and by owner.
    ///
    /// With the indexes, the time of these queries does not depend on the number of jobs.
    static let version3 = """
        CREATE INDEX jobs_unfinished_of_printer ON jobs (
            -- A printer's jobs that have not ended, in the order of `jobs_unfinished`.
            printer, (state < 5), priority DESC, id
        ) WHERE state < 7;

        CREATE INDEX jobs_unfinished_of_owner ON jobs (
            -- Somebody's jobs that have not ended, in the same order.
            owner, (state < 5), priority DESC, id
        ) WHERE state < 7;

        CREATE INDEX jobs_ended_of_printer ON jobs (
            -- A printer's jobs that have ended, newest first.
            printer, completed_at DESC, id DESC
        ) WHERE state >= 7;

        CREATE INDEX jobs_ended_of_owner ON jobs (
            -- Somebody's jobs that have ended, newest first.
            owner, completed_at DESC, id DESC
        ) WHERE state >= 7;
        """

    /// Event data for IPP notifications (RFC 3995), and the highest number of an event that was purged from the log.
    static let version5 = """
        ALTER TABLE events ADD COLUMN reasons TEXT;
        ALTER TABLE events ADD COLUMN impressions INTEGER;
        ALTER TABLE events ADD COLUMN impressions_completed INTEGER;

        CREATE TABLE event_log (
            -- One row: the highest number of an event that was removed; those up to it are not complete any more.
            purged_through INTEGER NOT NULL
        );

        -- Where older versions have removed some, nobody knows which.
        INSERT INTO event_log SELECT COALESCE(
            (SELECT seq FROM sqlite_sequence WHERE name = 'events' AND seq <> (SELECT COUNT(*) FROM events)), 0);

        CREATE TRIGGER events_purged AFTER DELETE ON events
            -- Whoever removes events, the log knows it.
            WHEN OLD.sequence > (SELECT purged_through FROM event_log)
            BEGIN
                UPDATE event_log SET purged_through = OLD.sequence;
            END;
        """
}
