create table folders (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  parent_id uuid,
  name text not null check (char_length(name) between 1 and 255),
  position integer not null default 0,
  test_case_count integer not null default 0 check (test_case_count >= 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  foreign key (project_id, parent_id) references folders (project_id, id)
);
create index folders_parent on folders (project_id, parent_id);

create type test_case_priority as enum ('critical', 'high', 'medium', 'low');
create type test_case_type as enum (
  'functional', 'smoke', 'regression', 'integration', 'end_to_end', 'acceptance', 'performance', 'security',
  'usability', 'accessibility', 'compatibility', 'exploratory', 'unit', 'api', 'other'
);

create table test_cases (
  project_id uuid not null references projects (id) on delete cascade,
  number integer not null,
  title text not null check (char_length(title) between 1 and 255),
  folder_id uuid,
  priority test_case_priority not null default 'medium',
  type test_case_type not null default 'functional',
  precondition text not null default '',
  -- json, not jsonb: steps are read and replaced as a whole, and json is returned as it was stored.
  steps json not null default '[]',
  expected_result text not null default '',
  tags text[] not null default '{}',
  automation_key text,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (project_id, number),
  foreign key (project_id, folder_id) references folders (project_id, id)
);
create unique index test_cases_automation_key on test_cases (project_id, automation_key) where automation_key is not null;
create index test_cases_folder on test_cases (project_id, folder_id, number);
create index test_cases_tags on test_cases using gin (tags);
create index test_cases_title_search on test_cases using gin (title gin_trgm_ops);
