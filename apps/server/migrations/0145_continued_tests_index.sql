-- no transaction
-- Finds the test that continues another one. There are few.
create index concurrently if not exists tests_continues on tests (project_id, continues_id) where continues_id is not null;
