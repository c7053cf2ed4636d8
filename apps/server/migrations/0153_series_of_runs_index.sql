-- no transaction
-- Finds the series of a project, and the newest runs of each.
create index concurrently if not exists runs_series on runs (project_id, series, id);
