-- no transaction
-- The provider ends its sessions by these.
create index concurrently if not exists sessions_subject on sessions (subject) where subject is not null;
create index concurrently if not exists sessions_provider_session on sessions (provider_session) where provider_session is not null;
