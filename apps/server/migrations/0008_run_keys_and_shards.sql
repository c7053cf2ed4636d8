alter table runs
  -- Under which whoever belongs together asks for the same run: the shards of one CI build.
  add column run_key text check (char_length(run_key) between 1 and 255),
  -- Short texts by name. Read and replaced whole.
  add column metadata json not null default '{}',
  add column expected_shards integer check (expected_shards between 1 and 1000),
  -- Names, in the order in which they reported. They are never asked for without the run, and each is added by one
  -- statement that holds the row.
  add column shards_done text[] not null default '{}',
  add constraint runs_shards_done_check check (cardinality(shards_done) <= 1000);
create unique index runs_run_key on runs (project_id, run_key) where run_key is not null;
