-- What test cases were before they were changed. A test case that was never changed has no row.
create type version_source as enum ('web', 'api', 'import', 'bulk', 'restore', 'shared_step', 'review', 'merge');

create table case_versions (
  project_id uuid not null,
  case_number integer not null,
  -- The version that ended, and the one that took its place: several saves of one person may be one change.
  version integer not null,
  next_version integer not null check (next_version > version),
  -- The earlier values of the fields that changed, by name; of custom fields as "fields.<number>".
  before json not null,
  changed text[] not null,
  -- Who made the change, as in tested_by without a foreign key.
  changed_by uuid,
  token_id uuid,
  via version_source not null,
  summary text check (char_length(summary) <= 500),
  -- When the first of several saves was made; null for one.
  started_at timestamptz(3),
  changed_at timestamptz(3) not null,
  primary key (project_id, case_number, version),
  foreign key (project_id, case_number) references test_cases (project_id, number) on delete cascade
);

-- The newest version that a person has set a result against: it is not extended any more.
alter table test_cases add column last_pinned_version integer;
-- The version that a person has tested; null for results of CI, and those that are not tested.
alter table test_results add column case_version integer;
