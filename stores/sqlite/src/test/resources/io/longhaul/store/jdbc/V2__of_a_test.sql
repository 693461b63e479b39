-- A later schema, for the test of upgrades.
DROP TABLE IF EXISTS left_over;
CREATE TABLE left_over (id TEXT);
ALTER TABLE task ADD COLUMN note TEXT NOT NULL DEFAULT 'added';
