-- no transaction
-- Finds the settled runs whose tests do not know of them. There are few.
create index concurrently if not exists runs_tests_unseen on runs (settled_at)
where settled_at is not null and tests_seen_at is null;
