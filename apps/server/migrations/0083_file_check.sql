-- What the weekly check of the file store has found: when it ended, and how many contents no file knows.
alter table instance_settings add column files_checked_at timestamptz(3);
alter table instance_settings add column unknown_file_count integer;
-- Files whose content is missing in the store. There are hardly any.
create index files_lost on files (project_id) where is_lost;
