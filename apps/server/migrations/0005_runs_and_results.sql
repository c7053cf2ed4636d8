create type run_status as enum ('in_progress', 'completed');
create type result_status as enum ('passed', 'failed', 'blocked', 'retest', 'not_tested');

create table runs (
  id uuid primary key,
  project_id uuid not null references projects (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 255),
  description text not null default '',
  status run_status not null default 'in_progress',
  milestone_id uuid,
  -- Numbers of results by status, updated in the transaction that writes the results.
  passed_count integer not null default 0 check (passed_count >= 0),
  failed_count integer not null default 0 check (failed_count >= 0),
  blocked_count integer not null default 0 check (blocked_count >= 0),
  retest_count integer not null default 0 check (retest_count >= 0),
  not_tested_count integer not null default 0 check (not_tested_count >= 0),
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  foreign key (project_id, milestone_id) references milestones (project_id, id) on delete set null (milestone_id)
) with (fillfactor = 70);
create index runs_project on runs (project_id, id);
create index runs_milestone on runs (project_id, milestone_id) where milestone_id is not null;

-- The largest table. Its key starts with project_id, so that it can be distributed by it. Ids are created in the order
-- in which test cases join a run, so that the key is the order of the list. No index contains a column that an update of
-- a result changes, so that updates can be heap-only (HOT); migration 0021 gives pages the room for that. There are no
-- foreign keys, because a check for each row would double the cost of creating a run. Locks guarantee the same: adding or
-- removing results locks the run's row; deleting a test case or creating a run locks the project's row.
create table test_results (
  project_id uuid not null,
  run_id uuid not null,
  id uuid not null,
  case_number integer,
  title text not null,
  status result_status not null default 'not_tested',
  -- The status before the last write. An update that sets it can return it, which is how the counters of the run are
  -- updated without reading the row twice (RETURNING old.status requires PostgreSQL 18).
  previous_status result_status,
  note text,
  elapsed integer check (elapsed >= 0),
  tested_by uuid,
  tested_at timestamptz(3),
  primary key (project_id, run_id, id),
  unique (project_id, case_number, run_id)
) with (fillfactor = 80);

-- A time-ordered UUID (RFC 9562, version 7) for item `ordinal` of a batch that is created at `moment`: 48 bits of
-- milliseconds, then 32 bits of the ordinal (12 in rand_a, 20 in rand_b: method 1, a dedicated counter), then 42 random
-- bits. uuidv7() requires PostgreSQL 18 and does not keep the order of a batch.
create function uuid_v7_in_batch(moment timestamptz, ordinal bigint) returns uuid
  language sql volatile parallel safe strict
  return (
    lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0')
    || lpad(to_hex(x'7000'::int | (ordinal >> 20)), 4, '0')
    || lpad(to_hex(x'8000000000000000'::bigint | ((ordinal & 1048575) << 42) | (random() * 4398046511103)::bigint), 16, '0')
  )::uuid;
