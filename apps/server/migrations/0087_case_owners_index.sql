-- no transaction
-- Finds the test cases of an owner.
create index concurrently if not exists test_cases_owner on test_cases (project_id, owner_id, number) where owner_id is not null;
