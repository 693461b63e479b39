-- Schema 3: a node can be let go.

-- Whether the node begins nothing any more, and gives away what it has not begun; until it joins anew.
ALTER TABLE lease ADD COLUMN draining boolean NOT NULL DEFAULT false;
