-- The links of a password reset, one for each email. An email that is sent again, because it may not have arrived, contains
-- another link, and so does another request, possibly by another person. No link replaces another. Each is valid for its
-- hour, until one of them is used.
create table password_reset_links (
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz(3) not null
);
create index password_reset_links_user on password_reset_links (user_id);

insert into password_reset_links (secret_hash, user_id, expires_at)
select secret_hash, user_id, expires_at from password_resets where secret_hash is not null;

-- The remaining columns: the user of the request, and until when its email may be sent.
alter table password_resets drop column secret_hash;
