-- Schema 4: limits that hold over all nodes.

-- How many tasks an owner has that have not ended.
CREATE INDEX task_live ON task (owner) WHERE stage = 2;

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
