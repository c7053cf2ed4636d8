create type token_kind as enum ('personal', 'ci');
create type token_access as enum ('read', 'write');

create table api_tokens (
  id uuid primary key,
  kind token_kind not null,
  user_id uuid references users (id) on delete cascade,
  project_id uuid references projects (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 255),
  access token_access not null,
  -- SHA-256 of the secret. 32 random bytes cannot be guessed, so they need no slow hash.
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  created_by uuid references users (id) on delete set null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  -- A personal token acts as its user in all projects, a CI token as itself in one project.
  check ((kind = 'personal') = (user_id is not null)),
  check ((kind = 'ci') = (project_id is not null))
);
create index api_tokens_user on api_tokens (user_id, id);
create index api_tokens_project on api_tokens (project_id, id);
