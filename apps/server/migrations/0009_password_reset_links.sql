-- The links of a reset, as many as mails were sent. One that is sent again, since nobody knows whether the first arrived,
-- brings another, and so does one that is asked for again, maybe by somebody else: none of them ends those before. Each
-- works for its hour, until one of them is used.
create table password_reset_links (
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz(3) not null
);
create index password_reset_links_user on password_reset_links (user_id);

insert into password_reset_links (secret_hash, user_id, expires_at)
select secret_hash, user_id, expires_at from password_resets where secret_hash is not null;

-- What is left says who has asked, and until when a mail may still be sent.
alter table password_resets drop column secret_hash;
