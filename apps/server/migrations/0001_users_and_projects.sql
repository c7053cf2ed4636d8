create extension if not exists pg_trgm;

create type member_role as enum ('admin', 'member', 'viewer');

create table users (
  id uuid primary key,
  email text not null check (char_length(email) between 3 and 320),
  name text not null check (char_length(name) between 1 and 255),
  avatar_url text,
  password_hash text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
-- Email addresses are compared case-insensitively.
create unique index users_email_key on users (lower(email));

create table projects (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 255),
  prefix text not null check (prefix ~ '^[A-Z]{2,5}$'),
  description text not null default '',
  -- Counters are updated in the transaction that changes the counted rows, so that lists never count.
  test_case_count integer not null default 0 check (test_case_count >= 0),
  run_count integer not null default 0 check (run_count >= 0),
  member_count integer not null default 0 check (member_count >= 0),
  -- The last number that was assigned. Numbers are never reused, even after a deletion.
  last_test_case_number integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
) with (fillfactor = 70);

create table memberships (
  project_id uuid not null references projects (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  role member_role not null,
  joined_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (project_id, user_id)
);
create index memberships_user on memberships (user_id, project_id);
