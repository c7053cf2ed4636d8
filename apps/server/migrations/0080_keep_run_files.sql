-- Days that files of completed runs are kept; null for as long as the server says.
alter table projects add column keep_run_files_days integer;
-- Citus takes constraints of new columns only in statements of their own.
alter table projects add constraint projects_keep_run_files_days check (keep_run_files_days between 1 and 3650);
