-- no transaction
-- Lists the archived test cases of a project, without a look at the others.
create index concurrently if not exists test_cases_archived on test_cases (project_id, number) where archived_at is not null;
