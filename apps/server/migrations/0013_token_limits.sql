-- The token with which a token was created. A token never outlives it: deleting a token also deletes the tokens that were
-- created with it, at any depth. Null for a token that was created in a browser.
alter table api_tokens add column created_with uuid references api_tokens (id) on delete cascade;
create index api_tokens_created_with on api_tokens (created_with) where created_with is not null;

-- Every value that ADMIN_TOKEN has had. When its token is revoked or replaced, the row remains without a token, so that a
-- server that starts with the same value later does not create the token again.
create table admin_tokens (
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  token_id uuid unique references api_tokens (id) on delete set null,
  created_at timestamptz(3) not null default now()
);
-- Earlier versions marked the token only by this name.
insert into admin_tokens (secret_hash, token_id)
select secret_hash, id from api_tokens
where kind = 'personal' and name = 'ADMIN_TOKEN' and access = 'write' and expires_at is null;
