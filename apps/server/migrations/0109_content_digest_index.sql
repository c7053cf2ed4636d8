-- no transaction
-- Finds test cases with the same title, which have the first half of the digest in common.
create index concurrently if not exists test_cases_content_digest on test_cases (project_id, content_digest)
where content_digest is not null;
-- Finds what the job has to fill. It is empty afterwards.
create index concurrently if not exists test_cases_without_digest on test_cases (project_id, number)
where content_digest is null;
