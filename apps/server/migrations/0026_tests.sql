-- What automation runs, and what came of it. A test is recognized by its normalized titles, its file and its variant; the
-- rules are in packages/matching. Both growing tables start their key with project_id, as test_results does.
create type attempt_status as enum ('passed', 'failed', 'blocked', 'interrupted', 'skipped');
create type link_source as enum ('id', 'key', 'hand');

create table tests (
  project_id uuid not null references projects (id) on delete cascade,
  -- Ids are created in the order in which tests become known, so that the key is the order of lists.
  id uuid not null,
  -- Digests (128 bits of SHA-256, as for automation keys) of the normalized titles, and of file and variant: titles of
  -- 2,000 characters do not fit into an index entry.
  title_digest uuid not null,
  place_digest uuid not null,
  title_key text not null,
  suite text not null,
  name text not null,
  variant text not null,
  file text not null,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  -- Finds the tests of the same titles, too.
  unique (project_id, title_digest, place_digest)
);

-- Usually one test case per test; several if the report names several ids. Links change only under the lock on the project.
create table test_links (
  project_id uuid not null,
  test_id uuid not null,
  case_number integer not null,
  source link_source not null,
  primary key (project_id, test_id, case_number),
  foreign key (project_id, test_id) references tests (project_id, id) on delete cascade,
  foreign key (project_id, case_number) references test_cases (project_id, number) on delete cascade
);
create index test_links_case on test_links (project_id, case_number);

-- One row for each test of a run. There are no foreign keys for the same reason as in test_results; deleting a run deletes
-- its outcomes. No index contains a column that a second upload changes, except that of unmatched tests.
create table test_outcomes (
  project_id uuid not null,
  run_id uuid not null,
  test_id uuid not null,
  status attempt_status not null,
  is_flaky boolean not null,
  -- Whether the test was linked when it was uploaded, or later. A stored answer, so that the run can count.
  is_matched boolean not null,
  elapsed_ms integer check (elapsed_ms >= 0),
  attempt_count smallint not null check (attempt_count > 0),
  tested_at timestamptz(3) not null,
  -- json, not jsonb: read and replaced as a whole. Null for one attempt that needs no words.
  attempts json,
  primary key (project_id, run_id, test_id)
);
-- Linking a test finds all runs that counted it as unmatched.
create index test_outcomes_unmatched on test_outcomes (project_id, test_id, run_id) where not is_matched;

-- Errors outside of tests: a file that did not load, a suite that was killed.
create table suite_errors (
  project_id uuid not null,
  run_id uuid not null references runs (id) on delete cascade,
  id uuid not null,
  -- '' if unknown.
  shard text not null,
  location text not null,
  message text not null,
  reported_at timestamptz(3) not null,
  primary key (project_id, run_id, id)
);

alter table runs
  add column adds_test_cases boolean not null default false,
  -- Numbers of outcomes, updated in the transaction that writes them. Blocked tests count as failed, interrupted ones as
  -- skipped.
  add column passed_test_count integer not null default 0 check (passed_test_count >= 0),
  add column failed_test_count integer not null default 0 check (failed_test_count >= 0),
  add column skipped_test_count integer not null default 0 check (skipped_test_count >= 0),
  add column flaky_test_count integer not null default 0 check (flaky_test_count >= 0),
  add column unmatched_test_count integer not null default 0 check (unmatched_test_count >= 0),
  add column suite_error_count integer not null default 0 check (suite_error_count >= 0);
