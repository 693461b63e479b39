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
