-- The tables of the spool, as the migrations in Sources/Spooler/PrintSpool/SQLite/ create them.

CREATE TABLE printers (
    -- Printers, in order of creation.
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    name               TEXT    NOT NULL UNIQUE CHECK (name <> ''),
    device_uri         TEXT    NOT NULL CHECK (device_uri <> ''),
    info               TEXT    NOT NULL,
    location           TEXT    NOT NULL DEFAULT '',
    is_default         INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    is_paused          INTEGER NOT NULL CHECK (is_paused IN (0, 1)),
    pause_message      TEXT    NOT NULL,
    is_accepting       INTEGER NOT NULL CHECK (is_accepting IN (0, 1)),
    error_policy       TEXT    NOT NULL CHECK (error_policy IN ('retry-job', 'abort-job', 'stop-printer')),
    after_interruption TEXT    NOT NULL DEFAULT 'ask'
        CHECK (after_interruption IN ('ask', 'continue', 'abort')),
    options            TEXT    NOT NULL DEFAULT '{}' CHECK (options LIKE '{%}'),
    users              TEXT    NOT NULL DEFAULT '{"denied":[]}' CHECK (users LIKE '{%}')
, geo_location        TEXT NOT NULL DEFAULT '', organization        TEXT NOT NULL DEFAULT '', organizational_unit TEXT NOT NULL DEFAULT '', is_shared        INTEGER NOT NULL DEFAULT 0 CHECK (is_shared IN (0, 1)), dns_sd_name      TEXT    NOT NULL DEFAULT '', admits_anonymous INTEGER NOT NULL DEFAULT 0 CHECK (admits_anonymous IN (0, 1)));

CREATE UNIQUE INDEX printers_default ON printers (
    -- There is at most one default printer.
    is_default
) WHERE is_default = 1;

CREATE TABLE jobs (
    -- Jobs. States are IPP's: 3 pending, 4 pending-held, 5 processing, 6 processing-stopped, 7 canceled,
    -- 8 aborted, 9 completed. Times are seconds since 1970. A job outlives its printer and the job that it
    -- reprints (parent_id), so these columns are not foreign keys. AUTOINCREMENT: an ID is never used again.
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
    moved_from            TEXT    CHECK (moved_from <> ''),
    sheet_plan            TEXT    CHECK (sheet_plan LIKE '{%}'),
    warnings              TEXT    CHECK (warnings LIKE '[%]'),
    earlier_impressions   INTEGER NOT NULL DEFAULT 0 CHECK (earlier_impressions >= 0),
    earlier_blanks        INTEGER NOT NULL DEFAULT 0 CHECK (earlier_blanks >= 0),
    earlier_sheets        INTEGER NOT NULL DEFAULT 0 CHECK (earlier_sheets >= 0),
    preparation_seconds   REAL    NOT NULL DEFAULT 0 CHECK (preparation_seconds >= 0)
);

CREATE UNIQUE INDEX jobs_submissions ON jobs (
    -- The same submission again is the same job.
    owner, submission_id
) WHERE submission_id IS NOT NULL;

CREATE INDEX jobs_queue ON jobs (
    -- The head of a printer's queue.
    printer, priority DESC, id
) WHERE state = 3;

CREATE INDEX jobs_queue_of_owner ON jobs (
    -- The first job of each owner in a printer's queue.
    printer, owner, priority DESC, id
) WHERE state = 3;

CREATE INDEX jobs_unfinished ON jobs (
    -- The list of jobs that have not ended: jobs in progress first, then in the order of printing.
    (state < 5), priority DESC, id
) WHERE state < 7;

CREATE INDEX jobs_unfinished_of_printer ON jobs (printer, (state < 5), priority DESC, id) WHERE state < 7;

CREATE INDEX jobs_unfinished_of_owner ON jobs (owner, (state < 5), priority DESC, id) WHERE state < 7;

CREATE INDEX jobs_ended ON jobs (
    -- The list of jobs that have ended, newest first.
    completed_at DESC, id DESC
) WHERE state >= 7;

CREATE INDEX jobs_ended_of_printer ON jobs (printer, completed_at DESC, id DESC) WHERE state >= 7;

CREATE INDEX jobs_ended_of_owner ON jobs (owner, completed_at DESC, id DESC) WHERE state >= 7;

CREATE INDEX jobs_held_until ON jobs (
    -- The few jobs that wait for the clock.
    held_until
) WHERE held_until IS NOT NULL;

CREATE INDEX jobs_incoming_until ON jobs (incoming_until) WHERE incoming_until IS NOT NULL;

CREATE INDEX jobs_retry_at ON jobs (retry_at) WHERE retry_at IS NOT NULL;

CREATE TABLE turns (
    -- With the queue order 'fair', the last turn of each owner at a printer. A later turn has a higher number.
    printer TEXT    NOT NULL REFERENCES printers (name) ON DELETE CASCADE,
    owner   TEXT    NOT NULL,
    number  INTEGER NOT NULL CHECK (number >= 1),
    job_id  INTEGER NOT NULL,
    PRIMARY KEY (printer, owner)
) WITHOUT ROWID;

CREATE INDEX turns_in_order ON turns (printer, number);

CREATE TABLE documents (
    -- Documents of jobs. Up to 64 KiB the bytes are `content`, otherwise they are the file
    -- jobs/<job_id>/<file>. `content` and `file` are null if the document was not kept. `content` is the last
    -- column, so that lists do not read it.
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

CREATE INDEX documents_in_files ON documents (
    -- The documents in files, for their total size.
    bytes
) WHERE file IS NOT NULL;

CREATE TABLE events (
    -- Events, in order; `job_id` is null for a printer's own events.
    sequence              INTEGER PRIMARY KEY AUTOINCREMENT,
    job_id                INTEGER,
    printer               TEXT    NOT NULL,
    time                  REAL    NOT NULL,
    kind                  TEXT    NOT NULL CHECK (kind LIKE 'job-%' OR kind LIKE 'printer-%'),
    state                 INTEGER CHECK (state BETWEEN 3 AND 9),
    message               TEXT    NOT NULL,
    reasons               TEXT,
    impressions           INTEGER,
    impressions_completed INTEGER,
    CHECK ((kind LIKE 'job-%') = (job_id IS NOT NULL))
);

CREATE INDEX events_of_job ON events (job_id, sequence);

CREATE TABLE event_log (
    -- One row: the highest number of a removed event, and the ID of the boot in which the spool was last opened.
    purged_through INTEGER NOT NULL,
    boot           TEXT
);

CREATE TRIGGER events_purged AFTER DELETE ON events
    WHEN OLD.sequence > (SELECT purged_through FROM event_log)
    BEGIN
        UPDATE event_log SET purged_through = OLD.sequence;
    END;

CREATE TABLE accounting (
    -- The costs of ended jobs; a row outlives its job. `impressions` are sides with marks, `blanks` are sides
    -- without marks. `color` and `media` are null for a job that was never prepared.
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

CREATE INDEX accounting_ended ON accounting (ended_at, job_id);

CREATE INDEX accounting_of_owner ON accounting (owner, ended_at, job_id);

CREATE INDEX accounting_of_printer ON accounting (printer, ended_at, job_id);

CREATE TABLE identity (
    -- One row: the unique name of this spool, from which printq derives the UUIDs of the printers.
    name TEXT NOT NULL CHECK (name <> '')
);

CREATE TABLE schema_changes (
    -- The programs that created or migrated this database, oldest first. Times are seconds since 1970.
    number  INTEGER PRIMARY KEY,
    schema  INTEGER NOT NULL CHECK (schema >= 1),
    program TEXT    NOT NULL CHECK (program <> ''),
    time    REAL    NOT NULL
);

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
, printers        TEXT    NOT NULL DEFAULT '[]' CHECK (printers LIKE '[%]'), acts_for_others INTEGER NOT NULL DEFAULT 0 CHECK (acts_for_others IN (0, 1)));

CREATE TABLE users (
    -- The users on the network. `password_hash` is a yescrypt hash; the password is not stored.
    id                  INTEGER PRIMARY KEY,
    name                TEXT NOT NULL UNIQUE CHECK (name <> ''),
    scope               TEXT NOT NULL CHECK (scope IN ('look', 'submit', 'manage')),
    password_hash       TEXT NOT NULL CHECK (password_hash <> ''),
    created_at          REAL NOT NULL,
    password_changed_at REAL NOT NULL
);

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
