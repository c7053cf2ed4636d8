create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- SHA-256 of the secret in the cookie, which has 32 random bytes like a token.
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  user_agent text not null default '',
  created_at timestamptz(3) not null default now(),
  -- Updated at most once a minute. An unused session ends before it expires.
  last_seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index sessions_user on sessions (user_id, id);

-- At most one for each user: a new request replaces the earlier link. The secret is created when the email is sent, so
-- that the queue does not contain it.
create table password_resets (
  user_id uuid primary key references users (id) on delete cascade,
  secret_hash bytea unique check (octet_length(secret_hash) = 32),
  expires_at timestamptz(3) not null
);

-- One for each start of a server until the first account exists; then none.
create table setup_links (
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  created_at timestamptz(3) not null default now()
);
