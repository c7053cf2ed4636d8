create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- SHA-256 of the secret in the cookie: 32 random bytes, as with tokens.
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  user_agent text not null default '',
  created_at timestamptz(3) not null default now(),
  -- Written at most once a minute. A session that is not used ends before it expires.
  last_seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index sessions_user on sessions (user_id, id);

-- One for each user at most: whoever asks again ends the link before. The mail gets its secret at the moment it is
-- sent, so that none ever lies in the queue.
create table password_resets (
  user_id uuid primary key references users (id) on delete cascade,
  secret_hash bytea unique check (octet_length(secret_hash) = 32),
  expires_at timestamptz(3) not null
);

-- One for each start of a server, until somebody has set up: then none.
create table setup_links (
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  created_at timestamptz(3) not null default now()
);
