-- People of imported history who have no account here: results and runs name them by their id. They stay on the coordinator.
create table imported_people (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  system text not null,
  source text not null,
  key_digest text not null,
  name text not null check (char_length(name) between 1 and 255),
  -- What stands behind the name: where it comes from.
  label text not null,
  email text,
  -- The account that all they did becomes, and when that was done.
  user_id uuid references users (id) on delete set null,
  joined_at timestamptz(3),
  forgotten_at timestamptz(3),
  import_id uuid not null,
  primary key (project_id, id)
);
create unique index imported_people_key on imported_people (project_id, system, source, key_digest);
create index imported_people_id on imported_people (id);
create index imported_people_user on imported_people (user_id) where user_id is not null;

-- As created_by and completed_by, which are accounts.
alter table runs
  add column created_by_person uuid,
  add column completed_by_person uuid;
