CREATE SCHEMA "longhaul";
SET search_path TO longhaul;


CREATE TABLE "longhaul"."schema_version" (
    "installed_rank" INT NOT NULL,
    "version" VARCHAR(50),
    "description" VARCHAR(200) NOT NULL,
    "type" VARCHAR(20) NOT NULL,
    "script" VARCHAR(1000) NOT NULL,
    "checksum" INTEGER,
    "installed_by" VARCHAR(100) NOT NULL,
    "installed_on" TIMESTAMP NOT NULL DEFAULT now(),
    "execution_time" INTEGER NOT NULL,
    "success" BOOLEAN NOT NULL
);

ALTER TABLE "longhaul"."schema_version" ADD CONSTRAINT "schema_version_pk" PRIMARY KEY ("installed_rank");

CREATE INDEX "schema_version_s_idx" ON "longhaul"."schema_version" ("success");

-- Schema 1, in which tables and columns have the names that they have in SQLite. Times are nanoseconds since 1970 (UTC), but
-- for what the clock of the database says. Ids sort in the order of creation, so that new rows go to the end of each index;
-- all texts sort by their bytes. What the blobs hold says the schema of SQLite.

CREATE SEQUENCE lease_epoch;

-- One row for each node that ever joined.
--   epoch       of its newest lease; older ones are void
--   expires_at  by the clock of the database; the lease is void from then on. '-infinity' where it cannot be renewed any more
CREATE TABLE lease (
    node       text COLLATE "C" PRIMARY KEY,
    epoch      bigint NOT NULL,
    joined_at  bigint NOT NULL,
    expires_at timestamptz NOT NULL
);

-- One row for each task. A page has room for new versions of its rows, so that a change which leaves the indexes alone stays
-- in its page.
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
    route_member text COLLATE "C" GENERATED ALWAYS AS (substr(route, strpos(route, '/') + 1)) STORED
) WITH (fillfactor = 80);

CREATE INDEX task_of_owner ON task (owner, id);

CREATE INDEX task_unended ON task (id) WHERE stage > 0;

CREATE INDEX task_expiry ON task (expires_at) WHERE expires_at IS NOT NULL;

CREATE INDEX task_of_group ON task (owner, route_group, id, route_member) WHERE route_group IS NOT NULL;

CREATE UNIQUE INDEX task_creation_key ON task (owner, creation_key) WHERE creation_key IS NOT NULL;

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

-- Small rows that are no tasks, such as sessions.
CREATE TABLE handle (
    space      text COLLATE "C" NOT NULL,
    key        text COLLATE "C" NOT NULL,
    value      bytea NOT NULL,
    expires_at bigint,
    PRIMARY KEY (space, key)
) WITH (fillfactor = 80);

CREATE INDEX handle_expiry ON handle (expires_at) WHERE expires_at IS NOT NULL;

-- The data keys that have sealed blobs, each with a blob that it has sealed.
CREATE TABLE data_key (
    id    text COLLATE "C" PRIMARY KEY,
    proof bytea NOT NULL
);

-- By default a table is cleaned when a fifth of its rows are dead: for 10 million tasks these are 2 million, and days of them.
ALTER TABLE task SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05);

ALTER TABLE event SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05);

ALTER TABLE part SET (autovacuum_vacuum_scale_factor = 0.01);

ALTER TABLE handle SET (autovacuum_vacuum_scale_factor = 0.01);

-- Schema 2: what several nodes need that have the store at once.

-- Since when the lease has held without a gap.
ALTER TABLE lease ADD COLUMN held_since timestamptz NOT NULL DEFAULT clock_timestamp();

-- work      the name of the tool. Null in rows of schema 1, until a node claims
-- unfenced  whether the work may run, and the task was last written by somebody else than its node
ALTER TABLE task ADD COLUMN work text COLLATE "C";

ALTER TABLE task ADD COLUMN unfenced boolean NOT NULL DEFAULT false;

-- By these a node finds every second, among all that runs, what it may claim and what others have changed.
CREATE INDEX task_of_lease ON task (lease_node, lease_epoch) WHERE stage > 0;

CREATE INDEX task_unfenced ON task (lease_node) WHERE unfenced;

CREATE INDEX task_without_work ON task (id) WHERE stage > 0 AND work IS NULL;

INSERT INTO event (task_id, seq, body) VALUES
    ('000000000000000000000000000000000002', '3', E'\\x0180c8ceb40daab4de7502403e000000000000014059000000000000010e61742033302e30'),
    ('000000000000000000000000000000000003', '3', E'\\x0180c8ceb40daab4de75070271'),
    ('000000000000000000000000000000000006', '2', E'\\x0180c8ceb40daab4de750b0000020e6f7574636f6d65'),
    ('000000000000000000000000000000000007', '2', E'\\x0180c8ceb40daab4de750b01b3fd03046e6f01047b7d');

INSERT INTO handle (space, key, value, expires_at) VALUES
    ('session', 's', E'\\x7b7d', '1800000009123456789');

INSERT INTO lease (node, epoch, joined_at, expires_at, held_since) VALUES
    ('old', '1', '1800000000123456789', '2026-11-25 23:37:23.002387+00', '2026-11-25 23:37:08.002388+00');

INSERT INTO part (task_id, name, body) VALUES
    ('000000000000000000000000000000000006', 'outcome', E'\\x7272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272727272');

INSERT INTO schema_version (installed_rank, version, description, type, script, checksum, installed_by, installed_on, execution_time, success) VALUES
    ('0', NULL, '<< Flyway Schema Creation >>', 'SCHEMA', '"longhaul"', NULL, 'postgres', '2026-11-25 23:37:07.546452', '0', 'true'),
    ('1', '1', 'tasks', 'SQL', 'V1__tasks.sql', '994037598', 'postgres', '2026-11-25 23:37:07.616626', '43', 'true'),
    ('2', '2', 'nodes', 'SQL', 'V2__nodes.sql', '226994653', 'postgres', '2026-11-25 23:37:07.738759', '24', 'true');

INSERT INTO task (id, owner, creation_key, stage, lease_node, lease_epoch, expires_at, version, last_event, updated_at, spec, body, route, work, unfenced) VALUES
    ('000000000000000000000000000000000001', 'alice', NULL, '0', 'old', '1', '1800086400123456789', '3', '3', '1800000000123456789', E'\\x0180c8ceb40daab4de7508776f726b00010e7b226e223a317d01247b226469616c656374223a2274657374227d', E'\\x030300000080c60a0000000200000180c8ceb40daab4de750100000108646f6e65000000', NULL, 'work', 'false'),
    ('000000000000000000000000000000000002', 'alice', NULL, '2', 'old', '1', NULL, '3', '3', '1800000000123456789', E'\\x0180c8ceb40daab4de7508776f726b00010e7b226e223a327d01247b226469616c656374223a2274657374227d', E'\\x03010001403e000000000000014059000000000000010e61742033302e300080c60a00000002000000000000', NULL, 'work', 'false'),
    ('000000000000000000000000000000000003', 'alice', NULL, '2', 'old', '1', NULL, '3', '3', '1800000000123456789', E'\\x0180c8ceb40daab4de7508776f726b00010e7b226e223a337d01247b226469616c656374223a2274657374227d', E'\\x030200000080c60a0000000200000002027124656c696369746174696f6e2f63726561746580c8ceb40daab4de75f8c8ceb40daab4de7501047b7d000000', NULL, 'work', 'false'),
    ('000000000000000000000000000000000004', 'alice', NULL, '1', 'old', '1', NULL, '3', '3', '1800000000123456789', E'\\x0180c8ceb40daab4de7508776f726b00010e7b226e223a347d01247b226469616c656374223a2274657374227d', E'\\x030500000080c60a0000000200000180c8ceb40daab4de750002010c77616e746564000000', NULL, 'work', 'true'),
    ('000000000000000000000000000000000005', 'alice', NULL, '2', NULL, '0', NULL, '1', '1', '1800000000123456789', E'\\x0180c8ceb40daab4de7508776f726b00010e7b226e223a357d01247b226469616c656374223a2274657374227d', E'\\x030000000080c60a00000000000000000000', NULL, 'work', 'false'),
    ('000000000000000000000000000000000006', 'bob', 'key', '0', NULL, '0', '1800086400123456789', '2', '2', '1800000000123456789', E'\\x0180c8ceb40daab4de7508776f726b010c646967657374010e7b226e223a367d01247b226469616c656374223a2274657374227d', E'\\x030300000080c60a0000000000000180c8ceb40daab4de75010000020e6f7574636f6d65000000', NULL, 'work', 'false'),
    ('000000000000000000000000000000000007', 'alice', NULL, '0', NULL, '0', '1800000060123456789', '3', '2', '1800000000123456789', E'\\x0180c8ceb40daab4de7508776f726b00010e7b226e223a377d01247b226469616c656374223a2274657374227d', E'\\x0304000000780000000000000180c8ceb40daab4de750101b3fd03046e6f01047b7d000000', NULL, 'work', 'false');

SELECT setval('lease_epoch', 1);
