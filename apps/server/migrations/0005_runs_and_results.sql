create type run_status as enum ('in_progress', 'completed');
create type result_status as enum ('passed', 'failed', 'blocked', 'retest', 'not_tested');

create table runs (
  id uuid primary key,
  project_id uuid not null references projects (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 255),
  description text not null default '',
  status run_status not null default 'in_progress',
  milestone_id uuid,
  -- Counts of its results by status, moved by the difference in the transaction that writes results.
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

-- The largest table. Its key begins with project_id so that it can be distributed by it, and ids are made in the
-- order in which cases join a run, so that the key is the list's order. No index names a column that a result
-- update changes, and pages keep room: updates stay heap-only (HOT). It has no foreign keys: a check per row would
-- double the price of creating a run. What they would guarantee is kept by locks instead: whatever adds or removes
-- results holds its run's row, and whatever deletes a case or makes a run holds its project's row.
create table test_results (
  project_id uuid not null,
  run_id uuid not null,
  id uuid not null,
  case_number integer,
  title text not null,
  status result_status not null default 'not_tested',
  -- What status was before it was last written. An update that sets it can return it, and so learns by how much to move
  -- the run's counters without reading the row twice (RETURNING old.status is there only from PostgreSQL 18 on).
  previous_status result_status,
  note text,
  elapsed integer check (elapsed >= 0),
  tested_by uuid,
  tested_at timestamptz(3),
  primary key (project_id, run_id, id),
  unique (project_id, case_number, run_id)
) with (fillfactor = 80);

-- A time-ordered UUID (RFC 9562, version 7) for item `ordinal` of a batch made at `moment`: 48 bits of milliseconds,
-- then 32 bits of the ordinal (12 in rand_a, 20 in rand_b: method 1, a dedicated counter), then 42 random bits.
-- PostgreSQL has uuidv7() only from 18 on, and that one does not keep a batch's order.
create function uuid_v7_in_batch(moment timestamptz, ordinal bigint) returns uuid
  language sql volatile parallel safe strict
  return (
    lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0')
    || lpad(to_hex(x'7000'::int | (ordinal >> 20)), 4, '0')
    || lpad(to_hex(x'8000000000000000'::bigint | ((ordinal & 1048575) << 42) | (random() * 4398046511103)::bigint), 16, '0')
  )::uuid;
