-- When a link from an email to the address was used, or when the sign-in provider had verified the address. If null, the
-- account may belong to another person: an admin who was shown an invitation link may have used it.
alter table users add column email_confirmed_at timestamptz(3);

-- The sign-in provider or the operator (ADMIN_EMAIL) created the accounts without a password, and the operator the first one.
-- All others joined with a link. Whether it was sent or shown was not stored, so they count as not confirmed. The cost is
-- small: their first single sign-on or password reset ends their sessions and personal tokens, once.
update users set email_confirmed_at = created_at
where password_hash is null or id = (select id from users order by created_at, id limit 1);

-- False for a link that the response to the invitation contains, because no mail server is configured.
alter table invitation_links add column is_mailed boolean not null default false;

-- The accounts at the sign-in provider. An account is found by issuer and subject, which never change and are never
-- assigned again, unlike its email address.
create table sign_in_identities (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  issuer text not null check (char_length(issuer) between 1 and 1000),
  subject text not null check (char_length(subject) between 1 and 255),
  created_at timestamptz(3) not null default now(),
  unique (issuer, subject),
  unique (user_id, issuer)
);

-- A first single sign-on for the address of an account with a password, until that password is given.
create table pending_identities (
  -- SHA-256 of the secret in the cookie of the browser.
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  user_id uuid not null references users (id) on delete cascade,
  issuer text not null check (char_length(issuer) between 1 and 1000),
  subject text not null check (char_length(subject) between 1 and 255),
  expires_at timestamptz(3) not null
);
create index pending_identities_user on pending_identities (user_id);

-- Browsers in which a user has signed in. Failed sign-ins elsewhere do not lock them out.
create table known_browsers (
  user_id uuid not null references users (id) on delete cascade,
  -- SHA-256 of the secret in the cookie of the browser, which is the same for all accounts that are used in it.
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  last_used_at timestamptz(3) not null default now(),
  primary key (user_id, secret_hash)
);
create index known_browsers_secret on known_browsers (secret_hash);
