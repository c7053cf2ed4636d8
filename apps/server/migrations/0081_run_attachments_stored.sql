-- no transaction
-- Finds the runs that still have files, among many whose files were removed because of their age.
create index concurrently if not exists run_attachments_stored on run_attachments (project_id, run_id) where file_id is not null;
