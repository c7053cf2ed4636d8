-- What a CI token may do besides what its access allows.
alter table api_tokens
  add column grants text[] not null default '{}' check (grants <@ array['cases:create']),
  add constraint api_tokens_grants_need_write_access check (cardinality(grants) = 0 or (kind = 'ci' and access = 'write'));
