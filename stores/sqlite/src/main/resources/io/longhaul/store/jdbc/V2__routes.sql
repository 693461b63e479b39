-- Schema 2. By what the creator of a task finds it again, beside its id; null where it does not. Older tasks have none.
ALTER TABLE task ADD COLUMN route TEXT;

CREATE INDEX task_of_route ON task (owner, route, id) WHERE route IS NOT NULL;
