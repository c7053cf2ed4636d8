-- What a user proves a sign-in with besides the password.
create table second_factors (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('totp', 'passkey')),
  name text not null check (char_length(name) between 1 and 255),
  created_at timestamptz(3) not null default now(),
  -- Null for an authenticator app that has not given a right code yet: sign-in does not ask for it.
  activated_at timestamptz(3),
  last_used_at timestamptz(3),
  -- Of an authenticator app: its secret, encrypted with the key of the server, and the time step of the last code. A code
  -- counts once.
  totp_secret bytea,
  totp_last_step integer,
  -- Of a passkey.
  credential_id bytea unique check (octet_length(credential_id) between 1 and 1023),
  public_key bytea check (octet_length(public_key) <= 4096),
  sign_count bigint not null default 0,
  transports text[] not null default '{}',
  check ((kind = 'totp') = (totp_secret is not null)),
  check ((kind = 'passkey') = (credential_id is not null and public_key is not null)),
  check (kind = 'totp' or activated_at is not null)
);
create index second_factors_user on second_factors (user_id, id);

-- The recovery codes that were not used yet.
create table recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  -- SHA-256. A code has 80 random bits, so that it cannot be found by trying.
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (user_id, code_hash)
);

-- Sign-ins that wait for the second factor.
create table pending_sign_ins (
  -- SHA-256 of the secret in the cookie of the browser.
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  user_id uuid not null references users (id) on delete cascade,
  attempt_count integer not null default 0,
  -- How the session will begin.
  session_start jsonb not null default '{}',
  expires_at timestamptz(3) not null
);
create index pending_sign_ins_user on pending_sign_ins (user_id);

-- What an authenticator has to sign to register a passkey or to prove one, once.
create table passkey_challenges (
  -- SHA-256 of the challenge.
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  purpose text not null check (purpose in ('registration', 'sign_in', 'second_factor', 'confirmation')),
  -- The user that it was made for; null for a sign-in with a passkey alone.
  user_id uuid references users (id) on delete cascade,
  expires_at timestamptz(3) not null
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);
create index passkey_challenges_user on passkey_challenges (user_id);

-- Whether users without a second factor may do nothing until they set one up.
alter table instance_settings add column require_second_factor boolean not null default false;
