-- What users have left out of runs: outcomes of tests that no longer exist, and errors outside of tests that are settled.

create table left_out (
  project_id uuid not null,
  run_id uuid not null references runs (id) on delete cascade,
  -- The id of the test or of the error.
  id uuid not null,
  kind text not null check (kind in ('test', 'suite_error')),
  -- Titles of the test, or the place of the error.
  name text not null,
  -- The row of test_outcomes or suite_errors, to put it back.
  content json not null,
  -- The rows of outcome_parts; null if there were none.
  parts json,
  left_out_at timestamptz(3) not null default now(),
  left_out_by uuid references users (id) on delete set null,
  primary key (project_id, run_id, id)
);
create index left_out_by_user on left_out (left_out_by) where left_out_by is not null;
