-- Which tasks a node runs, for lists of nodes.
--   role    ALL, FRONT or WORK
--   labels  of the node, by which tools choose it
ALTER TABLE lease ADD COLUMN role text NOT NULL DEFAULT 'ALL', ADD COLUMN labels text[] NOT NULL DEFAULT '{}';
