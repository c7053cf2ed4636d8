-- The first responses to requests with an Idempotency-Key, for 24 hours. Each row is written by the transaction of its
-- request, so that it exists if, and only if, what the request created exists.
create table idempotency_keys (
  -- A key belongs to a token, or to the user of a session.
  owner_id uuid not null generated always as (coalesce(token_id, user_id)) stored,
  token_id uuid references api_tokens (id) on delete cascade,
  user_id uuid references users (id) on delete cascade,
  -- SHA-256 of the key.
  key_digest bytea not null check (octet_length(key_digest) = 32),
  -- HMAC-SHA-256 of method, URL and body, with the key: without the key, the body cannot be guessed from it.
  request_digest bytea not null check (octet_length(request_digest) = 32),
  created_at timestamptz(3) not null default now(),
  status smallint not null default 200,
  content_type text,
  -- Null when the response is not kept: it contains a secret, or is too large.
  body text,
  primary key (owner_id, key_digest),
  check ((token_id is null) <> (user_id is null))
);
create index idempotency_keys_token on idempotency_keys (token_id) where token_id is not null;
create index idempotency_keys_user on idempotency_keys (user_id) where user_id is not null;
create index idempotency_keys_created_at on idempotency_keys (created_at);
