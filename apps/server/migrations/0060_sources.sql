-- Which CI job, instance, shard, variant and report file the outcomes of a run came from. Outcomes of different sources stand
-- beside each other, so that a pass in one job never replaces the failure of another.

-- One row for each upload of a source. `source` is the same number for all uploads of equal job, instance, shard, variant,
-- report and build attempt, and 1 for the first source of a run.
create table run_uploads (
  project_id uuid not null,
  run_id uuid not null references runs (id) on delete cascade,
  number integer not null,
  source integer not null,
  -- 128 bits of SHA-256 of what makes the source.
  source_digest uuid not null,
  -- '' if unknown.
  job text not null,
  instance text not null,
  shard text not null,
  variant text not null,
  -- Path of the report file within the repository.
  report text not null,
  -- For people, and to match reruns: 'linux x64, Node 20'.
  label text not null,
  -- Page of the CI job.
  job_url text not null,
  -- Null if CI does not count the reruns of its jobs.
  build_attempt bigint,
  -- Whether the upload says that it ran tests of other sources again.
  is_rerun boolean not null,
  test_count integer not null,
  failed_count integer not null,
  finished_at timestamptz(3),
  uploaded_at timestamptz(3) not null default now(),
  primary key (project_id, run_id, number)
);
create index run_uploads_source on run_uploads (project_id, run_id, source_digest);

-- What each source reported of a test; only for tests that several sources of a run have reported. test_outcomes then has
-- what follows from all of them.
create table outcome_parts (
  project_id uuid not null,
  run_id uuid not null,
  test_id uuid not null,
  source integer not null,
  status attempt_status not null,
  is_flaky boolean not null,
  elapsed_ms integer check (elapsed_ms >= 0),
  attempt_count smallint not null check (attempt_count > 0),
  tested_at timestamptz(3) not null,
  attempts json,
  primary key (project_id, run_id, test_id, source)
);

alter table test_outcomes
  -- The source that reported the test; null for the first one of the run, which takes no space.
  add column source integer;

alter table suite_errors
  -- As in test_outcomes.
  add column source integer;

alter table runs
  add column upload_count integer not null default 0,
  add column source_count integer not null default 0,
  -- Numbers of outcomes without a test case. Null in runs from before this migration; together they differ from
  -- unmatched_test_count while a server of the previous version writes. The next upload counts them.
  add column unmatched_passed_count integer,
  add column unmatched_failed_count integer,
  add column unmatched_skipped_count integer;
alter table runs
  alter column unmatched_passed_count set default 0,
  alter column unmatched_failed_count set default 0,
  alter column unmatched_skipped_count set default 0;

alter table test_results
  -- When a user set the result. Outcomes of tests from before that moment do not decide it again.
  add column set_at timestamptz(3);
