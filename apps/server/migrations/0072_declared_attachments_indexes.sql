-- no transaction
create index concurrently if not exists run_attachments_test on run_attachments (project_id, run_id, test_id) where test_id is not null;
create index concurrently if not exists run_attachments_waiting on run_attachments (project_id, run_id, digest) where file_id is null and removed_at is null;
create index concurrently if not exists runs_waiting on runs (id) where waiting_file_count > 0;
