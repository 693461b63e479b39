-- Schema 4. A route is "GROUP/MEMBER", and was "GROUP/MEMBER/" before. The tasks of a group lie in the order of their creation,
-- so that new ones go to one page for each group that creates tasks, and not all over the index.
DROP INDEX task_of_route;

ALTER TABLE task ADD COLUMN route_group TEXT AS (substr(route, 1, instr(route, '/') - 1)) VIRTUAL;
ALTER TABLE task ADD COLUMN route_member TEXT AS (rtrim(substr(route, instr(route, '/') + 1), '/')) VIRTUAL;

CREATE INDEX task_of_group ON task (owner, route_group, id, route_member) WHERE route_group IS NOT NULL;
