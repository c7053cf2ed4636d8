-- How a session began. That of earlier sessions was not stored: they count as begun with a password, and end once where
-- single sign-on is required. `link` is a link that the operator of the server created.
create type session_method as enum ('password', 'single_sign_on', 'link');
alter table sessions
  add column method session_method not null default 'password',
  -- The user and the session of the provider (the claims `iss`, `sub` and `sid`), which can end this session. Of the session,
  -- the SHA-256 of issuer and `sid` is stored: a `sid` has any length.
  add column issuer text,
  add column subject text,
  add column provider_session bytea;

alter table pending_identities add column provider_session bytea;

-- Links to sign in without a password, which the operator of the server creates.
create table sign_in_links (
  -- SHA-256 of the secret in the link.
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz(3) not null
);
create index sign_in_links_user on sign_in_links (user_id);

-- The logout tokens of the provider that were used. Each counts once, as long as it is young enough to be accepted.
create table used_logout_tokens (
  -- SHA-256 of issuer and `jti`.
  digest bytea primary key check (octet_length(digest) = 32),
  expires_at timestamptz(3) not null
);
create index used_logout_tokens_expiry on used_logout_tokens (expires_at);
