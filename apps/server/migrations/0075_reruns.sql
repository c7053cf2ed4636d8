-- Runs that test cases of another run again. A run and its reruns are a chain, which stays together when one of them is deleted.

-- Null for runs that repeat no other one, which takes no space.
alter table runs
  add column rerun_of uuid,
  -- The first run of the chain.
  add column root_run_id uuid,
  -- From 1.
  add column rerun_number smallint;
create index runs_of_chain on runs (project_id, root_run_id, id) where root_run_id is not null;
