// Defines the tables of printq 1.0.0 in PostgreSQL.

extension PostgresSchema {
    /// The tables and indexes of the first schema.
    static let version1 = """
        CREATE TABLE printers (
            -- Printers, in order of creation.
            id                 bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name               text    NOT NULL UNIQUE CHECK (name <> ''),
            device_uri         text    NOT NULL CHECK (device_uri <> ''),
            info               text    NOT NULL,
            location           text    NOT NULL DEFAULT '',
            is_default         boolean NOT NULL,
            is_paused          boolean NOT NULL,
            pause_message      text    NOT NULL,
            is_accepting       boolean NOT NULL,
            error_policy       text    NOT NULL CHECK (error_policy IN ('retry-job', 'abort-job', 'stop-printer')),
            after_interruption text    NOT NULL DEFAULT 'ask'
                CHECK (after_interruption IN ('ask', 'continue', 'abort')),
            options            text    NOT NULL DEFAULT '{}' CHECK (options LIKE '{%}'),
            users              text    NOT NULL DEFAULT '{"denied":[]}' CHECK (users LIKE '{%}')
        );

        -- There is at most one default printer.
        CREATE UNIQUE INDEX printers_default ON printers (is_default) WHERE is_default;

        CREATE TABLE jobs (
            -- Jobs. States are IPP's: 3 pending, 4 pending-held, 5 processing, 6 processing-stopped, 7 canceled,
            -- 8 aborted, 9 completed. Times are seconds since 1970. A job outlives its printer. An id is never used
            -- again.
            id                    bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            uuid                  text    NOT NULL CHECK (uuid LIKE 'urn:uuid:%'),
            printer               text    NOT NULL CHECK (printer <> ''),
            owner                 text    NOT NULL,
            name                  text    NOT NULL,
            submission_id         text,
            state                 integer NOT NULL CHECK (state BETWEEN 3 AND 9),
            reasons               text    NOT NULL CHECK (reasons LIKE '[%]'),
            message               text    NOT NULL,
            ticket                text    NOT NULL CHECK (ticket LIKE '{%}'),
            priority              integer NOT NULL CHECK (priority BETWEEN 1 AND 100),
            held_until            double precision CHECK (held_until IS NULL OR state = 4),
            incoming_until        double precision CHECK (incoming_until IS NULL OR state = 4),
            retry_at              double precision CHECK (retry_at IS NULL OR state IN (3, 4)),
            attempts              integer NOT NULL CHECK (attempts >= 0),
            created_at            double precision NOT NULL,
            processing_at         double precision CHECK (processing_at IS NOT NULL OR state NOT IN (5, 6)),
            completed_at          double precision CHECK ((completed_at IS NOT NULL) = (state >= 7)),
            impressions           bigint  CHECK (impressions >= 0),
            impressions_completed bigint  NOT NULL CHECK (impressions_completed >= 0),
            sheets                bigint  CHECK (sheets >= 0),
            sheets_completed      bigint  NOT NULL CHECK (sheets_completed >= 0),
            remote_id             bigint,
            remote_uuid           text    CHECK (remote_uuid IS NULL OR remote_id IS NOT NULL),
            resume_from           bigint  CHECK (resume_from > 1),
            parent_id             bigint  CHECK (parent_id >= 1),
            moved_from            text    CHECK (moved_from <> ''),
            sheet_plan            text    CHECK (sheet_plan LIKE '{%}'),
            warnings              text    CHECK (warnings LIKE '[%]'),
            earlier_impressions   bigint  NOT NULL DEFAULT 0 CHECK (earlier_impressions >= 0),
            earlier_blanks        bigint  NOT NULL DEFAULT 0 CHECK (earlier_blanks >= 0),
            earlier_sheets        bigint  NOT NULL DEFAULT 0 CHECK (earlier_sheets >= 0),
            preparation_seconds   double precision NOT NULL DEFAULT 0 CHECK (preparation_seconds >= 0),
            -- The lease under which the job was started or taken over last; only its holder may report progress.
            lease_epoch           bigint,
            lease_incarnation     text
        ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

        -- The same submission again is the same job.
        CREATE UNIQUE INDEX jobs_submissions ON jobs (owner, submission_id) WHERE submission_id IS NOT NULL;
        -- The head of a printer's queue.
        CREATE INDEX jobs_queue ON jobs (printer, priority DESC, id) WHERE state = 3;
        -- The first job of each owner in a printer's queue.
        CREATE INDEX jobs_queue_of_owner ON jobs (printer, owner, priority DESC, id) WHERE state = 3;
        -- The list of jobs that have not ended: waiting (1) or in progress (0), in the order of printing.
        CREATE INDEX jobs_unfinished ON jobs (((state < 5)::integer), priority DESC, id) WHERE state < 7;
        CREATE INDEX jobs_unfinished_of_printer ON jobs (printer, ((state < 5)::integer), priority DESC, id)
            WHERE state < 7;
        CREATE INDEX jobs_unfinished_of_owner ON jobs (owner, ((state < 5)::integer), priority DESC, id)
            WHERE state < 7;
        -- The list of jobs that have ended, newest first.
        CREATE INDEX jobs_ended ON jobs (completed_at DESC, id DESC) WHERE state >= 7;
        CREATE INDEX jobs_ended_of_printer ON jobs (printer, completed_at DESC, id DESC) WHERE state >= 7;
        CREATE INDEX jobs_ended_of_owner ON jobs (owner, completed_at DESC, id DESC) WHERE state >= 7;
        -- The few jobs that wait for the clock.
        CREATE INDEX jobs_held_until ON jobs (held_until) WHERE held_until IS NOT NULL;
        CREATE INDEX jobs_incoming_until ON jobs (incoming_until) WHERE incoming_until IS NOT NULL;
        CREATE INDEX jobs_retry_at ON jobs (retry_at) WHERE retry_at IS NOT NULL;

        CREATE TABLE turns (
            -- With the queue order 'fair', the last turn of each owner at a printer. A later turn has a higher number.
            printer text    NOT NULL REFERENCES printers (name) ON DELETE CASCADE,
            owner   text    NOT NULL,
            number  bigint  NOT NULL CHECK (number >= 1),
            job_id  bigint  NOT NULL,
            PRIMARY KEY (printer, owner)
        );
        CREATE INDEX turns_in_order ON turns (printer, number);

        CREATE TABLE large_contents (
            -- The contents of documents of more than 64 KiB. Several jobs share a content after a reprint. A content is
            -- stored before the job is accepted, and removed with its last document.
            id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            bytes      bigint NOT NULL CHECK (bytes > 0),
            created_at timestamptz NOT NULL DEFAULT now()
        );

        CREATE TABLE chunks (
            -- The bytes of large contents, in parts of 1 MiB; the last part may be shorter. Parts count from 0.
            content_id bigint  NOT NULL REFERENCES large_contents (id) ON DELETE CASCADE,
            part       integer NOT NULL CHECK (part >= 0),
            bytes      bytea   NOT NULL CHECK (length(bytes) BETWEEN 1 AND 1048576),
            PRIMARY KEY (content_id, part)
        ) WITH (
            -- Only vacuum makes the space of deleted documents usable again.
            autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100,
            toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 5000,
            toast.autovacuum_vacuum_cost_delay = 0
        );

        -- Most documents are compressed already.
        ALTER TABLE chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;

        CREATE TABLE documents (
            -- Documents of jobs. Up to 64 KiB the bytes are `content`, otherwise they are in `chunks`. `content` and
            -- `content_id` are null when the document was not kept.
            job_id     bigint  NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
            number     integer NOT NULL CHECK (number >= 1),
            name       text,
            format     text    NOT NULL CHECK (format <> ''),
            bytes      bigint  NOT NULL CHECK (bytes >= 0),
            content_id bigint  REFERENCES large_contents (id),
            content    bytea   CHECK (content IS NULL OR length(content) = bytes),
            PRIMARY KEY (job_id, number),
            CHECK (content_id IS NULL OR content IS NULL)
        ) WITH (
            -- Only vacuum makes the space of deleted documents usable again.
            autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
            toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 5000,
            toast.autovacuum_vacuum_cost_delay = 0
        );

        ALTER TABLE documents ALTER COLUMN content SET STORAGE EXTERNAL;

        -- The documents that use a large content.
        CREATE INDEX documents_of_content ON documents (content_id) WHERE content_id IS NOT NULL;

        CREATE FUNCTION remove_unused_contents() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            -- A content that a reprint locks at this moment remains in use.
            DELETE FROM large_contents WHERE id IN (
                SELECT large_contents.id FROM large_contents
                WHERE id IN (SELECT content_id FROM removed)
                AND NOT EXISTS (SELECT FROM documents WHERE documents.content_id = large_contents.id)
                FOR UPDATE SKIP LOCKED);
            RETURN NULL;
        END $$;
        CREATE TRIGGER documents_removed AFTER DELETE ON documents REFERENCING OLD TABLE AS removed
            FOR EACH STATEMENT EXECUTE FUNCTION remove_unused_contents();
        CREATE TRIGGER documents_changed AFTER UPDATE ON documents REFERENCING OLD TABLE AS removed
            FOR EACH STATEMENT EXECUTE FUNCTION remove_unused_contents();

        CREATE TABLE events (
            -- Events in the order of their commits, without gaps; `job_id` is null for a printer's own events.
            sequence              bigint  PRIMARY KEY,
            job_id                bigint,
            printer               text    NOT NULL,
            time                  double precision NOT NULL,
            kind                  text    NOT NULL CHECK (kind LIKE 'job-%' OR kind LIKE 'printer-%'),
            state                 integer CHECK (state BETWEEN 3 AND 9),
            message               text    NOT NULL,
            reasons               text,
            impressions           bigint,
            impressions_completed bigint,
            CHECK ((kind LIKE 'job-%') = (job_id IS NOT NULL))
        );

        CREATE INDEX events_of_job ON events (job_id, sequence);

        CREATE TABLE event_log (
            -- One row: a number that is not lower than the numbers of events on earlier servers, and the server that
            -- gives the numbers (`PostgresTimeline`).
            last     bigint NOT NULL,
            timeline bigint,
            server   text
        );
        INSERT INTO event_log (last) VALUES (0);

        CREATE TABLE purged_events (
            -- One row: the highest number of a removed event. A separate table, because a removal does not number
            -- events.
            through bigint NOT NULL
        );
        INSERT INTO purged_events (through) VALUES (0);

        CREATE FUNCTION note_purged_events() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE purged_events SET through = removed.last
            FROM (SELECT max(sequence) AS last FROM removed) AS removed WHERE through < removed.last;
            RETURN NULL;
        END $$;
        CREATE TRIGGER events_purged AFTER DELETE ON events REFERENCING OLD TABLE AS removed
            FOR EACH STATEMENT EXECUTE FUNCTION note_purged_events();

        CREATE FUNCTION lock_events() RETURNS bigint LANGUAGE plpgsql AS $$
        BEGIN
            -- Locks the event log until the end of the transaction, and returns the highest number of an event. No row
            -- counts the events: its old versions would remain while another session holds a transaction open.
            PERFORM pg_advisory_xact_lock(\(eventsKey));
            -- This statement sees the events that were committed before the lock was granted.
            RETURN \(PostgresTransaction.lastEvent);
        END $$;

        CREATE TABLE accounting (
            -- The costs of ended jobs; a row outlives its job. `color` and `media` are null for a job that was never
            -- prepared.
            job_id      bigint  PRIMARY KEY,
            owner       text    NOT NULL,
            printer     text    NOT NULL,
            name        text    NOT NULL,
            created_at  double precision NOT NULL,
            ended_at    double precision NOT NULL,
            state       integer NOT NULL CHECK (state BETWEEN 7 AND 9),
            copies      bigint  NOT NULL CHECK (copies >= 1),
            impressions bigint  NOT NULL CHECK (impressions >= 0),
            blanks      bigint  NOT NULL CHECK (blanks >= 0),
            sheets      bigint  NOT NULL CHECK (sheets >= 0),
            color       boolean,
            media       text,
            bytes       bigint  NOT NULL CHECK (bytes >= 0)
        );

        CREATE INDEX accounting_ended ON accounting (ended_at, job_id);
        CREATE INDEX accounting_of_owner ON accounting (owner, ended_at, job_id);
        CREATE INDEX accounting_of_printer ON accounting (printer, ended_at, job_id);

        CREATE TABLE identity (
            -- One row: the unique name of this spool.
            name text NOT NULL CHECK (name <> '')
        );
        INSERT INTO identity (name) VALUES (replace(gen_random_uuid()::text, '-', ''));

        CREATE TABLE hosts (
            -- The hosts that share this database. `incarnation` names the last process of the host, and `folder` the
            -- spool's folder of the host.
            name        text    PRIMARY KEY CHECK (name <> ''),
            incarnation text    NOT NULL CHECK (incarnation <> ''),
            folder      text    NOT NULL,
            version     text    NOT NULL,
            started_at  timestamptz NOT NULL,
            heard_at    timestamptz NOT NULL,
            is_draining boolean NOT NULL DEFAULT false
        ) WITH (fillfactor = 10);

        CREATE TABLE commits (
            -- The numbers of the last transactions of each writing connection: after a lost response, the row shows
            -- whether the transaction was committed (`PostgresOutcome`). A void number can no longer be committed.
            writer   text        NOT NULL,
            number   bigint      NOT NULL,
            is_void  boolean     NOT NULL DEFAULT false,
            noted_at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (writer, number)
        );

        CREATE TABLE leases (
            -- The host that drives each printer. The row outlives the printer, so that an epoch is never used again.
            printer     text    PRIMARY KEY CHECK (printer <> ''),
            host        text    NOT NULL,
            incarnation text    NOT NULL,
            epoch       bigint  NOT NULL CHECK (epoch >= 1),
            lease_until timestamptz NOT NULL,
            since       timestamptz NOT NULL
        ) WITH (fillfactor = 10);

        CREATE TABLE placements (
            -- The hosts that can reach a printer (empty: all), and the host that an administrator has chosen.
            printer        text    PRIMARY KEY REFERENCES printers (name) ON DELETE CASCADE,
            hosts          text[]  NOT NULL DEFAULT '{}',
            preferred_host text    CHECK (preferred_host <> '')
        );

        CREATE TABLE schema_changes (
            -- The programs that created or migrated this database, oldest first. Times are seconds since 1970. Programs
            -- whose own schema has a number below minimum_schema cannot use the tables.
            number         bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            schema         integer NOT NULL CHECK (schema >= 1),
            minimum_schema integer NOT NULL CHECK (minimum_schema BETWEEN 1 AND schema),
            program        text    NOT NULL CHECK (program <> ''),
            time           double precision NOT NULL
        );
        """
}
