-- How test cases are written and shown, and what new ones of a project get.
create type test_case_template as enum ('steps', 'text');
alter table test_cases add column template test_case_template not null default 'steps';
alter table projects add column default_template test_case_template not null default 'steps';

-- Says which test cases have the same title, and which the same title and steps: see features/test-cases/content-digest.ts. Null
-- for those that were written before there was one, or by a server of an earlier version: a job fills it.
alter table test_cases add column content_digest uuid;
