-- Whether sign-in asked for no second factor before this one was added. Then, an email may remove it again for a day.
alter table second_factors add column is_first boolean not null default false;

-- The links in emails about new second factors, which remove the factor. The secret is created when the email is sent.
create table second_factor_links (
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  factor_id uuid not null references second_factors (id) on delete cascade
);
create index second_factor_links_factor on second_factor_links (factor_id);
