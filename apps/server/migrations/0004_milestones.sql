create type milestone_status as enum ('active', 'completed', 'archived');
create type milestone_date_mode as enum ('auto', 'manual');

create table milestones (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  parent_id uuid,
  name text not null check (char_length(name) between 1 and 255),
  description text not null default '',
  start_date timestamptz(3),
  due_date timestamptz(3),
  status milestone_status not null default 'active',
  date_mode milestone_date_mode not null default 'auto',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  foreign key (project_id, parent_id) references milestones (project_id, id) on delete set null (parent_id),
  check (due_date >= start_date)
);
create index milestones_parent on milestones (project_id, parent_id);
