-- The test case that an archived one was merged into, never one that was itself merged; null for the others.
alter table test_cases add column merged_into integer;

-- What a merge has moved, for some time, so that it can be undone. These rows stay on the coordinator.
create table case_merges (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  target_number integer not null,
  -- json, not jsonb: read as a whole. See features/duplicates/merged-parts.queries.ts.
  moved json not null,
  merged_at timestamptz(3) not null default now(),
  primary key (project_id, id)
);
create index case_merges_by_time on case_merges (project_id, merged_at);
