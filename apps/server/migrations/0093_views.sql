-- Filters, order and columns of a list, kept under a name. They stay on the coordinator.

create table views (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  page text not null check (page in ('cases', 'runs', 'run', 'tests')),
  name text not null check (char_length(name) between 1 and 255),
  -- The query of the page's address, in one form.
  query text not null check (char_length(query) <= 4096),
  -- Null for the columns of the reader.
  columns json,
  -- Whoever created it; a shared view stays when they leave.
  owner_id uuid not null,
  -- The owner of a private view, which ends with the account; null for a shared one.
  private_to uuid references users (id) on delete cascade,
  updated_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  check (private_to is null or private_to = owner_id)
);
create index on views (private_to) where private_to is not null;

-- With which view a page opens for a user.
create table default_views (
  user_id uuid not null references users (id) on delete cascade,
  project_id uuid not null,
  page text not null,
  view_id uuid not null,
  primary key (user_id, project_id, page),
  foreign key (project_id, view_id) references views (project_id, id) on delete cascade
);
create index on default_views (project_id, view_id);
