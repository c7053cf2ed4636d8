-- Steps that several test cases use. They stay on the coordinator.
create table shared_steps (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  title text not null check (char_length(title) between 1 and 255),
  steps json not null,
  version integer not null default 1,
  created_by uuid,
  -- Who made the version, as in case_versions without a foreign key.
  updated_by uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (project_id, id)
);
-- People choose them by title, and files name them by it.
create unique index shared_steps_title_key on shared_steps (project_id, lower(title));

-- What a shared step was in versions that have ended.
create table shared_step_versions (
  project_id uuid not null,
  shared_step_id uuid not null,
  version integer not null,
  title text not null,
  steps json not null,
  changed_by uuid,
  changed_at timestamptz(3) not null,
  primary key (project_id, shared_step_id, version),
  foreign key (project_id, shared_step_id) references shared_steps (project_id, id) on delete cascade
);

-- Which of the steps of a test case come from shared steps; null for none. `steps` has all of them, so that whatever reads
-- steps needs nothing else:
-- [{"shared_step_id", "title", "version", "follows", "first", "count"}]
alter table test_cases add column step_groups json;

-- The test cases that use a shared step, as their step_groups say. It is distributed with them.
create table shared_step_uses (
  project_id uuid not null,
  shared_step_id uuid not null,
  case_number integer not null,
  primary key (project_id, shared_step_id, case_number),
  foreign key (project_id, case_number) references test_cases (project_id, number) on delete cascade
);
create index on shared_step_uses (project_id, case_number);
