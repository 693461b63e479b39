-- Schema 1. Times are nanoseconds since 1970 (UTC); ids sort in the order of creation, so that new rows go to the end of
-- every tree. The blobs "spec", "body" and "event.body" start with a byte that says which form they have (now 1); numbers in
-- them are variable-length, texts are UTF-8 behind their length. Pieces of more than 1 KiB (arguments, results, questions,
-- answers, handles) lie in "part" and are only named in the blobs, so that a write of progress never writes them again.

-- One row for each node that ever joined. The lease is valid that has the highest epoch, unless it was handed back.
CREATE TABLE lease (
    node      TEXT    NOT NULL PRIMARY KEY,
    epoch     INTEGER NOT NULL,
    joined_at INTEGER NOT NULL,
    left_at   INTEGER
) WITHOUT ROWID;

-- One row for each task. The table has row numbers: several rows of up to 4 KB share a page, where a table without them gives
-- each row above 1,000 bytes a page more.
--   stage        2 live, 1 ended while its work may still run, 0 ended and nothing left to stop
--   lease_*      the lease under which it is run; node null and epoch 0 while nobody holds it
--   expires_at   when it may be removed; null until its work has ended, and while somebody attends to it
--   spec         what never changes: work, request, origin, digest of the creation key, time of creation
--   body         what changes: state, message, progress, retention, ending, questions, attempts, handle
--   route        "GROUP/MEMBER", by which the creator of a task finds it again, beside its id; null where it does not
CREATE TABLE task (
    id           TEXT    NOT NULL PRIMARY KEY,
    owner        TEXT    NOT NULL,
    creation_key TEXT,
    stage        INTEGER NOT NULL,
    lease_node   TEXT,
    lease_epoch  INTEGER NOT NULL,
    expires_at   INTEGER,
    version      INTEGER NOT NULL,
    last_event   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    route        TEXT,
    spec         BLOB    NOT NULL,
    body         BLOB    NOT NULL,
    route_group  TEXT AS (substr(route, 1, instr(route, '/') - 1)) VIRTUAL,
    route_member TEXT AS (substr(route, instr(route, '/') + 1)) VIRTUAL
);

CREATE INDEX task_of_owner ON task (owner, id);
CREATE INDEX task_unended ON task (lease_epoch, id) WHERE stage > 0;
CREATE INDEX task_expiry ON task (expires_at) WHERE expires_at IS NOT NULL;
-- The tasks of a group lie in the order of their creation, so that new ones go to one page for each group that creates tasks,
-- and not all over the index.
CREATE INDEX task_of_group ON task (owner, route_group, id, route_member) WHERE route_group IS NOT NULL;
CREATE UNIQUE INDEX task_creation_key ON task (owner, creation_key) WHERE creation_key IS NOT NULL;

-- The history of each task. An event that the row of its task implies has no row: see ImpliedEvents.
CREATE TABLE event (
    task_id TEXT    NOT NULL,
    seq     INTEGER NOT NULL,
    body    BLOB    NOT NULL,
    PRIMARY KEY (task_id, seq)
) WITHOUT ROWID;

-- Big pieces of tasks and events.
CREATE TABLE part (
    task_id TEXT NOT NULL,
    name    TEXT NOT NULL,
    body    BLOB NOT NULL,
    PRIMARY KEY (task_id, name)
);

-- Small rows that are no tasks: sessions, handles on tasks elsewhere.
CREATE TABLE handle (
    space      TEXT NOT NULL,
    key        TEXT NOT NULL,
    value      BLOB NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (space, key)
) WITHOUT ROWID;

CREATE INDEX handle_expiry ON handle (expires_at) WHERE expires_at IS NOT NULL;

-- The data keys that have sealed blobs of this file, each with a blob that it has sealed: see KnownKeys. A sealed blob starts
-- with 0, 'L', 'H', 1, and says which key has sealed it: see RowSeal.
CREATE TABLE data_key (
    id    TEXT NOT NULL PRIMARY KEY,
    proof BLOB NOT NULL
) WITHOUT ROWID;
