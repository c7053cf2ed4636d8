-- Configurations of a project, such as Chrome of Browser. They stay on the coordinator.
create table configurations (
  id uuid primary key,
  project_id uuid not null references projects (id) on delete cascade,
  group_key text not null check (group_key ~ '^[a-z][a-z0-9_]{0,39}$'),
  group_name text not null,
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,39}$'),
  name text not null,
  -- Variants of tests that are results of it.
  variants text[] not null default '{}',
  position integer not null,
  retired_at timestamptz(3),
  unique (project_id, group_key, key)
);

-- What the test cases of a run are tested with. A copy: later changes of configurations do not change a run. As `runs`, it
-- stays on the coordinator.
create table run_configurations (
  project_id uuid not null,
  run_id uuid not null references runs (id) on delete cascade,
  -- Never given again within a run.
  place smallint not null,
  name text not null,
  -- [{"id", "group_key", "group_name", "key", "name", "variants"}], one of each group.
  configurations json not null,
  -- Whether test cases that are added to the run later get it, too.
  for_all boolean not null default true,
  passed_count integer not null default 0,
  failed_count integer not null default 0,
  blocked_count integer not null default 0,
  retest_count integer not null default 0,
  not_tested_count integer not null default 0,
  primary key (project_id, run_id, place)
);
create index on run_configurations (run_id);

-- What a result is tested with, and what came of it. As in test_results there are no foreign keys: whatever deletes results
-- deletes these. Pages are filled to less than half, so that updates find room and write to no index (HOT).
create table result_combinations (
  project_id uuid not null,
  run_id uuid not null,
  result_id uuid not null,
  place smallint not null,
  -- The place in run_configurations.
  configuration smallint not null,
  -- The row of a data set; 0 without one.
  data_row smallint not null default 0,
  status result_status not null default 'not_tested',
  previous_status result_status,
  note text,
  elapsed integer,
  tested_by uuid,
  tested_at timestamptz(3),
  -- When a user set it: outcomes from before do not decide it any more.
  set_at timestamptz(3),
  assigned_to uuid,
  data json,
  primary key (project_id, run_id, result_id, place)
) with (fillfactor = 40);

-- The status that followed from the combinations when they were last written, as the place in RESULT_STATUSES; null without
-- combinations, which takes no space. A server of an earlier version may have set another status since.
alter table test_results add column combination_state smallint;
-- The status of each combination in their order, a digit each: the place in RESULT_STATUSES, and 5 more with a note. Lists show
-- them without reading the combinations.
alter table test_results add column combination_summary text;
-- The number of combinations; null for a run without configurations.
alter table runs add column combination_count integer;
-- The greatest place of a configuration that the run has, or has had.
alter table runs add column last_configuration_place smallint;
-- What the combinations that were replaced or removed were.
alter table result_changes add column combinations json;

create function notify_configurations_changed() returns trigger language plpgsql as $$
begin
  perform notify_change('configurations', project_id, null, null) from changed group by project_id;
  return null;
end $$;
create trigger configurations_notify_inserted after insert on configurations
  referencing new table as changed for each statement execute function notify_configurations_changed();
create trigger configurations_notify_updated after update on configurations
  referencing new table as changed for each statement execute function notify_configurations_changed();
create trigger configurations_notify_deleted after delete on configurations
  referencing old table as changed for each statement execute function notify_configurations_changed();
