-- Schema 1, in which tables and columns have the names that they have in SQLite. Times are nanoseconds since 1970 (UTC), but
-- for what the clock of the database says. Ids sort in the order of creation, so that new rows go to the end of each index;
-- all texts sort by their bytes. What the blobs hold says the schema of SQLite.

CREATE SEQUENCE lease_epoch;

-- One row for each node that ever joined.
--   epoch       of its newest lease; older ones are void
--   expires_at  by the clock of the database; the lease is void from then on. '-infinity' where it cannot be renewed any more
--   held_since  since when the lease has held without a gap
--   draining    whether the node begins nothing any more, and gives away what it has not begun; until it joins anew
--   role        ALL, FRONT or WORK
--   labels      by which tools choose the node
CREATE TABLE lease (
    node       text COLLATE "C" PRIMARY KEY,
    epoch      bigint NOT NULL,
    joined_at  bigint NOT NULL,
    expires_at timestamptz NOT NULL,
    held_since timestamptz NOT NULL DEFAULT clock_timestamp(),
    draining   boolean NOT NULL DEFAULT false,
    role       text NOT NULL DEFAULT 'ALL',
    labels     text[] NOT NULL DEFAULT '{}'
);

-- One row for each task. A page has room for new versions of its rows, so that a change which leaves the indexes alone stays
-- in its page.
--   work      the name of the tool
--   unfenced  whether the work may run, and the task was last written by another process than its node
CREATE TABLE task (
    id           text COLLATE "C" PRIMARY KEY,
    owner        text COLLATE "C" NOT NULL,
    creation_key text COLLATE "C",
    stage        smallint NOT NULL,
    lease_node   text COLLATE "C",
    lease_epoch  bigint NOT NULL,
    expires_at   bigint,
    version      bigint NOT NULL,
    last_event   bigint NOT NULL,
    updated_at   bigint NOT NULL,
    spec         bytea NOT NULL,
    body         bytea NOT NULL,
    route        text COLLATE "C",
    route_group  text COLLATE "C" GENERATED ALWAYS AS (split_part(route, '/', 1)) STORED,
    route_member text COLLATE "C" GENERATED ALWAYS AS (substr(route, strpos(route, '/') + 1)) STORED,
    work         text COLLATE "C" NOT NULL,
    unfenced     boolean NOT NULL DEFAULT false
) WITH (fillfactor = 80);

CREATE INDEX task_of_owner ON task (owner, id);
CREATE INDEX task_unended ON task (id) WHERE stage > 0;
CREATE INDEX task_expiry ON task (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX task_of_group ON task (owner, route_group, id, route_member) WHERE route_group IS NOT NULL;
CREATE UNIQUE INDEX task_creation_key ON task (owner, creation_key) WHERE creation_key IS NOT NULL;
-- How many tasks an owner has that have not ended.
CREATE INDEX task_live ON task (owner) WHERE stage = 2;
-- By these a node finds every second, among all that runs, what it may claim and what others have changed.
CREATE INDEX task_of_lease ON task (lease_node, work, lease_epoch) WHERE stage > 0;
CREATE INDEX task_unfenced ON task (lease_node) WHERE unfenced;

-- The history of each task.
CREATE TABLE event (
    task_id text COLLATE "C" NOT NULL,
    seq     bigint NOT NULL,
    body    bytea NOT NULL,
    PRIMARY KEY (task_id, seq)
);

-- Big pieces of tasks and events.
CREATE TABLE part (
    task_id text COLLATE "C" NOT NULL,
    name    text COLLATE "C" NOT NULL,
    body    bytea NOT NULL,
    PRIMARY KEY (task_id, name)
);

-- Small rows that are no tasks, such as sessions. Each use of a session moves its expiry: the index has the hour of the
-- expiry, so that most uses leave the index alone.
CREATE TABLE handle (
    space        text COLLATE "C" NOT NULL,
    key          text COLLATE "C" NOT NULL,
    value        bytea NOT NULL,
    expires_at   bigint,
    expires_hour bigint GENERATED ALWAYS AS (expires_at / 3600000000000) STORED,
    PRIMARY KEY (space, key)
) WITH (fillfactor = 80);

CREATE INDEX handle_expiry ON handle (expires_hour) WHERE expires_hour IS NOT NULL;

-- The data keys that have sealed blobs, each with a blob that it has sealed.
CREATE TABLE data_key (
    id    text COLLATE "C" PRIMARY KEY,
    proof bytea NOT NULL
);

-- What each node has of the slots of a kind of work that has a limit. A row whose lease is void counts no more.
--   held    slots that no other node may fill
--   wanted  slots that the node would fill
--   next    the task that would fill the next one
CREATE TABLE slot (
    work   text COLLATE "C" NOT NULL,
    node   text COLLATE "C" NOT NULL,
    epoch  bigint NOT NULL,
    held   integer NOT NULL,
    wanted integer NOT NULL,
    next   text COLLATE "C",
    PRIMARY KEY (work, node)
) WITH (fillfactor = 50);

-- By default a table is cleaned when a fifth of its rows are dead: for 10 million tasks these are 2 million, and days of them.
ALTER TABLE task SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE event SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE part SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE handle SET (autovacuum_vacuum_scale_factor = 0.01);
