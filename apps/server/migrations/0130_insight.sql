-- What follows from the outcomes of a run: what each failure means, which tests are flaky, and what may be excused.

create type verdict as enum (
  'flaked', 'fixed', 'quarantined', 'not_run', 'already_red', 'environment', 'changed', 'known_flaky', 'new_test', 'new'
);
create type stability as enum ('stable', 'suspect', 'flaky', 'broken');
create type flake_kind as enum ('retry', 'rerun', 'commit');

-- What CI says of a build, from `metadata`. Null if it says nothing, or nothing of the right form.
alter table runs
  add column repository text,
  add column branch text,
  add column commit_sha text,
  add column head_commit text,
  add column base_branch text,
  add column base_commit text,
  add column pull_request text,
  add column default_branch text,
  add column target text,
  -- The pipeline, such as `nightly`. The API calls it suite in `metadata`; tests have suites of their own.
  add column series text not null default '',
  -- False for a run of a fork: it is no base, and makes no test flaky.
  add column is_trusted boolean not null default true,
  -- Why the run is no base and makes no test flaky.
  add column excluded text check (excluded in ('mass_failure', 'by_hand')),
  -- What a user decided about that; null if the evaluation decides.
  add column excluded_by_hand boolean,
  -- The uploads that the evaluation knows; null if it has to be computed again, whatever was uploaded.
  add column evaluated_upload_count integer,
  add column evaluated_at timestamptz(3),
  -- When the evaluation found the run settled for the first time; null if it was reopened since.
  add column settled_at timestamptz(3),
  -- Counts, base and warnings, as the API has them.
  add column evaluation json;

alter table run_uploads
  -- Tests that passed or failed; null for uploads of earlier versions.
  add column executed_count integer,
  -- Most of its tests failed, so that none of them is called flaky because of it.
  add column is_excluded boolean not null default false;

alter table tests
  -- The day and the series of the last settled run with it; null until it is known.
  add column last_seen_on date,
  add column last_series text,
  -- The test that it continues.
  add column continues_id uuid;

alter table projects
  -- What a user set; null to take what CI reports.
  add column default_branch text,
  -- What CI reported last.
  add column reported_default_branch text,
  -- Whether tests that become flaky are quarantined, and who owns these entries.
  add column auto_quarantine boolean not null default false,
  add column auto_quarantine_owner_id uuid references users (id) on delete set null,
  -- When runs from before this migration got their build data; null for not yet.
  add column insight_filled_at timestamptz(3),
  -- When it last found the limit reached, of which the administrators of the project receive one email.
  add column auto_quarantine_limited_at timestamptz(3);

alter table projects alter column insight_filled_at set default now();

-- What identifies failures with one cause. See packages/failures.
create table failure_signatures (
  project_id uuid not null,
  signature uuid not null,
  version smallint not null,
  kind text not null,
  message text not null,
  frame text not null,
  -- Whether it says too little to be the same cause in several tests.
  is_weak boolean not null,
  title text not null,
  first_run_id uuid not null,
  first_seen_at timestamptz(3) not null,
  primary key (project_id, signature)
);

-- The different failures of a test in a run, at most three.
create table test_failures (
  project_id uuid not null,
  run_id uuid not null,
  test_id uuid not null,
  -- From 1, in the order of the attempts.
  place smallint not null,
  signature uuid not null,
  -- Whether it is the failure that decided the outcome; never for a test that passed.
  is_final boolean not null,
  primary key (project_id, run_id, test_id, place)
);
create index test_failures_signature on test_failures (project_id, signature, run_id);
create index test_failures_test on test_failures (project_id, test_id, run_id);

-- What became of the tests of a run that did not simply pass.
create table test_verdicts (
  project_id uuid not null,
  run_id uuid not null,
  test_id uuid not null,
  verdict verdict not null,
  blocks boolean not null,
  is_first_flake boolean not null default false,
  -- The run that it was compared with.
  base_run_id uuid,
  -- The first of the runs in a row in which the test failed, and how many these are.
  since_run_id uuid,
  since_runs smallint,
  signature uuid,
  quarantine_id uuid,
  primary key (project_id, run_id, test_id)
);

-- Commits on which a test both passed and failed.
create table flake_events (
  project_id uuid not null,
  test_id uuid not null,
  -- The commit, with the target if there is one; `run <id>` without a commit.
  commit_key text not null,
  kind flake_kind not null,
  run_id uuid not null,
  -- The other run of the commit, if it needed two.
  other_run_id uuid,
  signature uuid,
  -- When the run was created.
  at timestamptz(3) not null,
  primary key (project_id, test_id, commit_key),
  foreign key (project_id, test_id) references tests (project_id, id) on delete cascade
);
create index flake_events_run on flake_events (project_id, run_id);
create index flake_events_at on flake_events (project_id, at);

-- Tests that are not stable, and those that were not lately. See features/stability.
create table unstable_tests (
  project_id uuid not null,
  test_id uuid not null,
  stability stability not null,
  since timestamptz(3) not null,
  -- Commits of the last 30 days on which it flaked, of those on which it was executed.
  flake_commits integer not null,
  commits integer not null,
  score smallint not null,
  last_event_at timestamptz(3),
  -- The newest base runs in a row in which it failed, and the first of them.
  consecutive_failures smallint not null default 0,
  first_failing_run_id uuid,
  updated_at timestamptz(3) not null default now(),
  primary key (project_id, test_id),
  foreign key (project_id, test_id) references tests (project_id, id) on delete cascade
);
create index unstable_tests_order on unstable_tests (project_id, stability, score desc, test_id);

-- Failures that do not block for a while. They stay on the coordinator.
create table quarantines (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  test_id uuid not null,
  reason text not null check (char_length(reason) between 1 and 2000),
  owner_id uuid references users (id) on delete set null,
  link text check (char_length(link) <= 2048),
  -- Patterns with `*`; none for all branches.
  branches text[] not null default '{}' check (cardinality(branches) <= 10),
  is_automatic boolean not null default false,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  ended_by uuid references users (id) on delete set null,
  end_reason text check (char_length(end_reason) <= 2000),
  -- When emails about it were sent: that it ends soon, that it ended, that the test is broken.
  reminded_at timestamptz(3),
  end_announced_at timestamptz(3),
  broken_announced_at timestamptz(3),
  primary key (project_id, id)
);
create unique index quarantines_active on quarantines (project_id, test_id) where ended_at is null;
create index quarantines_test on quarantines (project_id, test_id, id);
create index quarantines_ending on quarantines (expires_at) where ended_at is null;
create index quarantines_owner on quarantines (owner_id) where owner_id is not null;
create index quarantines_created_by on quarantines (created_by) where created_by is not null;
create index quarantines_ended_by on quarantines (ended_by) where ended_by is not null;

-- What cannot be counted later, by day (UTC).
create table insight_days (
  project_id uuid not null references projects (id) on delete cascade,
  day date not null,
  flaky_count integer not null,
  suspect_count integer not null,
  broken_count integer not null,
  quarantined_count integer not null,
  automated_case_count integer not null,
  case_count integer not null,
  -- Whether automatic quarantine reached its limit.
  is_limited boolean not null default false,
  -- {"<series>": {"base_runs", "executed", "passed", "median_ms"}}
  series json not null,
  primary key (project_id, day)
);
