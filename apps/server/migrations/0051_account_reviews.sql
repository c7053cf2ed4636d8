-- Since when the owner of an account should check what somebody else may have left behind; null when there is nothing to do.
alter table users add column review_since timestamptz(3);

-- Since when a CI token should be replaced, because somebody else may have created it with the account of its creator.
alter table api_tokens add column review_since timestamptz(3);
create index api_tokens_created_by on api_tokens (created_by) where kind = 'ci';
