-- Shards are counted by CI job, and a run that CI has made completes by itself once its jobs are done and no report comes.

create table run_jobs (
  project_id uuid not null,
  run_id uuid not null references runs (id) on delete cascade,
  -- CI's name of the job.
  job text not null,
  expected_shards integer check (expected_shards between 1 and 1000),
  shards_done text[] not null default '{}' check (cardinality(shards_done) <= 1000),
  primary key (project_id, run_id, job)
);

alter table runs
  add column last_upload_at timestamptz(3),
  -- Who completed the run; null for CI, and if the run completed by itself.
  add column completed_by uuid references users (id) on delete set null,
  -- Whether the run completed by itself, so that a late report opens it again. Null if a server of an earlier version did.
  add column completed_itself boolean;
create index runs_completed_by on runs (completed_by) where completed_by is not null;
create index runs_in_ci on runs (last_upload_at) where status = 'in_progress' and run_key is not null;

alter table projects
  -- How long after the last report; null for never.
  add column complete_after_minutes integer default 30 check (complete_after_minutes between 0 and 10080);
