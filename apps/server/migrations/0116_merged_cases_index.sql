-- no transaction
-- Finds the test cases that were merged into another one. There are few.
create index concurrently if not exists test_cases_merged_into on test_cases (project_id, merged_into)
where merged_into is not null;
