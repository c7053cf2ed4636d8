-- no transaction
-- Finds the archived test cases of a project, and tells those that have none.
create index concurrently if not exists test_cases_archived on test_cases (project_id, number) where archived_at is not null;
