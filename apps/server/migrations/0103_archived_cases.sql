-- When a test case was archived; null for the others. The counters of projects and folders leave archived ones out, and each
-- project counts them beside.
alter table test_cases add column archived_at timestamptz(3);
alter table projects add column archived_test_case_count integer not null default 0;

-- Archived test cases count for the quota, or archiving would be a way around it. Restoring them adds none.
create or replace function require_project_quotas() returns trigger language plpgsql as $$
declare
  quotas instance_settings;
  test_cases integer := new.test_case_count + new.archived_test_case_count;
begin
  select * into quotas from instance_settings;
  if test_cases > old.test_case_count + old.archived_test_case_count and test_cases > quotas.max_test_cases_per_project then
    perform raise_quota_reached('max_test_cases_per_project', quotas.max_test_cases_per_project);
  end if;
  if new.run_count > old.run_count and new.run_count > quotas.max_runs_per_project then
    perform raise_quota_reached('max_runs_per_project', quotas.max_runs_per_project);
  end if;
  if new.member_count > old.member_count and new.member_count > quotas.max_members_per_project then
    perform raise_quota_reached('max_members_per_project', quotas.max_members_per_project);
  end if;
  return null;
end $$;
