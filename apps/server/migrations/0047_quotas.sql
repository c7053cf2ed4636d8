-- Quotas that instance administrators can set. Null is no limit.
alter table instance_settings
  add column max_projects_per_user integer check (max_projects_per_user >= 1),
  add column max_members_per_project integer check (max_members_per_project >= 1),
  add column max_test_cases_per_project integer check (max_test_cases_per_project >= 1),
  add column max_runs_per_project integer check (max_runs_per_project >= 1);

-- The service turns this error into a problem with the name and the value of the quota.
create function raise_quota_reached(quota text, value integer) returns void language plpgsql as $$
begin
  raise exception 'quota reached: %', quota using errcode = 'CWQ01', detail = quota, hint = value::text;
end $$;

-- Whatever adds something to a project moves its counters, under the lock on its row: no way around this, and no race.
create function require_project_quotas() returns trigger language plpgsql as $$
declare
  quotas instance_settings;
begin
  select * into quotas from instance_settings;
  if new.test_case_count > old.test_case_count and new.test_case_count > quotas.max_test_cases_per_project then
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
create trigger projects_require_quotas after update of test_case_count, run_count, member_count on projects
  for each row when (
    new.test_case_count > old.test_case_count or new.run_count > old.run_count or new.member_count > old.member_count
  ) execute function require_project_quotas();

-- A project is created with its first admin, in one statement. The trigger that counts the projects of a user has locked the
-- user, so that two requests cannot both be the last that fits: PostgreSQL fires triggers in the order of their names.
create function require_user_quota() returns trigger language plpgsql as $$
declare
  quota integer := (select max_projects_per_user from instance_settings);
begin
  if quota is null or new.role <> 'admin' or not exists (
    -- The user who creates a project is its first member; everybody else is invited.
    select from projects p where p.id = new.project_id and p.member_count = 1
      and not exists (select from memberships m where m.project_id = p.id and m.user_id <> new.user_id)
  ) then
    return null;
  end if;
  perform from users where id = new.user_id for no key update;
  if (select count(*) from memberships m where m.user_id = new.user_id and m.role = 'admin') > quota then
    perform raise_quota_reached('max_projects_per_user', quota);
  end if;
  return null;
end $$;
create trigger memberships_require_user_quota after insert on memberships
  for each row execute function require_user_quota();
