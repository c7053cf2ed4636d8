-- Addresses at which anyone reads the report of a run or milestone. They stay on the coordinator, where their subjects are.

create table shares (
  id uuid primary key,
  project_id uuid not null references projects (id) on delete cascade,
  -- A report ends with what it is about.
  run_id uuid references runs (id) on delete cascade,
  milestone_id uuid,
  name text not null check (char_length(name) between 1 and 255),
  secret_digest bytea not null unique check (octet_length(secret_digest) = 32),
  include text[] not null check (include <@ array['notes', 'steps', 'people', 'files', 'links']),
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  view_count integer not null default 0,
  viewed_at timestamptz(3),
  foreign key (project_id, milestone_id) references milestones (project_id, id) on delete cascade,
  check ((run_id is null) <> (milestone_id is null))
);
create index on shares (project_id, id);
create index on shares (run_id) where run_id is not null;
create index on shares (project_id, milestone_id) where milestone_id is not null;
create index on shares (created_by) where created_by is not null;

-- Who may share reports.
alter table projects add column shares text not null default 'members' check (shares in ('members', 'admins', 'off'));
