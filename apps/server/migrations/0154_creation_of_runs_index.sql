-- no transaction
-- The runs of a project in the last days, however many it has had. Neither column is ever updated.
create index concurrently if not exists runs_created on runs (project_id, created_at, id);
