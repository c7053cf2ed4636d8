-- Who is to test a test case in a run. There are no foreign keys for the same reason as for tested_by.
alter table test_results add column assigned_to uuid;

-- The results of one person, for their work in all runs. Setting results changes none of these columns, so that those
-- updates stay heap-only (HOT; see 0021).
create index test_results_assigned on test_results (project_id, assigned_to, run_id) where assigned_to is not null;

-- When the next email about new assignments is sent, or the last one was.
alter table users add column assignment_mail_at timestamptz(3);
