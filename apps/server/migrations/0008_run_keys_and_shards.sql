alter table runs
  -- The key with which all shards of a CI build request the same run.
  add column run_key text check (char_length(run_key) between 1 and 255),
  -- Short texts by name. Read and replaced as a whole.
  add column metadata json not null default '{}',
  add column expected_shards integer check (expected_shards between 1 and 1000),
  -- Names of shards, in the order in which they reported. They are read only with the run, and one statement that locks
  -- the row adds each of them.
  add column shards_done text[] not null default '{}',
  add constraint runs_shards_done_check check (cardinality(shards_done) <= 1000);
create unique index runs_run_key on runs (project_id, run_key) where run_key is not null;
