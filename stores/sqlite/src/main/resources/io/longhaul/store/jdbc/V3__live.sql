-- Schema 3. The engine counts the live tasks of an owner in memory: nothing asks for this index, which each creation and
-- each end of a task wrote.
DROP INDEX task_live;
