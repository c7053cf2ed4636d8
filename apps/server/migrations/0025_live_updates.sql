-- Live updates: every change that event streams report is sent with NOTIFY to all servers. A notification contains only
-- ids, because it is limited to 8,000 bytes; a change of more rows has no ids. Triggers notify in the transaction of the
-- change, and cover every statement, cascades too. PostgreSQL lets transactions that notify commit only one after another,
-- which frequent writers would wait for: results, and the counters of runs that change with them, are announced by the
-- server that wrote them, after the commit.

-- Times are sent as text that JavaScript can parse. `now()` is the time that the transaction writes into `updated_at`.
create function notify_change(kind text, project_id uuid, ids text, detail json) returns void
  language sql volatile
  begin atomic
    select pg_notify('caseward_changes', json_build_object(
      'kind', kind, 'at', to_char(now()::timestamptz(3) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'project_id', project_id, 'ids', ids, 'detail', detail
    )::text);
  end;

-- What a server announces: several notifications, in a transaction of its own. Losing them in a crash does no harm, because
-- all connections that could receive them are lost too: nobody waits until they are on disk.
create function announce_changes(payloads text[]) returns void
  language sql volatile
  begin atomic
    select set_config('synchronous_commit', 'off', true);
    select pg_notify('caseward_changes', payload) from unnest(payloads) payload;
  end;

create function notify_runs_changed() returns trigger language plpgsql as $$
begin
  perform notify_change('runs', project_id, case when count(*) <= 200 then string_agg(id::text, ',') end,
    json_build_object('is_listed', true, 'is_deleted', tg_op = 'DELETE'))
  from changed group by project_id;
  return null;
end $$;
create trigger runs_notify_inserted after insert on runs
  referencing new table as changed for each statement execute function notify_runs_changed();
create trigger runs_notify_deleted after delete on runs
  referencing old table as changed for each statement execute function notify_runs_changed();

-- `is_listed`: something changed besides the counters; `is_resized`: results were added or removed. The conditions of
-- triggers for each row are evaluated without calling the function, and those with columns only when these are set.
create function notify_run_updated() returns trigger language plpgsql as $$
begin
  perform notify_change('runs', new.project_id, new.id::text, json_build_object(tg_argv[0], true));
  return null;
end $$;
create trigger runs_notify_updated
  after update of name, description, status, milestone_id, metadata, shards_done, expected_shards on runs
  for each row when (
    (old.name, old.description, old.status, old.milestone_id, old.metadata::text, old.shards_done, old.expected_shards)
      is distinct from
    (new.name, new.description, new.status, new.milestone_id, new.metadata::text, new.shards_done, new.expected_shards)
  ) execute function notify_run_updated('is_listed');
create trigger runs_notify_resized
  after update of passed_count, failed_count, blocked_count, retest_count, not_tested_count on runs
  for each row when (
    old.passed_count + old.failed_count + old.blocked_count + old.retest_count + old.not_tested_count
      <> new.passed_count + new.failed_count + new.blocked_count + new.retest_count + new.not_tested_count
  ) execute function notify_run_updated('is_resized');

create function notify_test_cases_changed() returns trigger language plpgsql as $$
begin
  perform notify_change('test_cases', project_id, case when count(*) <= 500 then string_agg(number::text, ',') end,
    json_build_object('is_deleted', tg_op = 'DELETE'))
  from changed group by project_id;
  return null;
end $$;
create trigger test_cases_notify_inserted after insert on test_cases
  referencing new table as changed for each statement execute function notify_test_cases_changed();
create trigger test_cases_notify_updated after update on test_cases
  referencing new table as changed for each statement execute function notify_test_cases_changed();
create trigger test_cases_notify_deleted after delete on test_cases
  referencing old table as changed for each statement execute function notify_test_cases_changed();

create function notify_folders_changed() returns trigger language plpgsql as $$
begin
  perform notify_change('folders', project_id, null, null) from changed group by project_id;
  return null;
end $$;
create trigger folders_notify_inserted after insert on folders
  referencing new table as changed for each statement execute function notify_folders_changed();
create trigger folders_notify_updated after update on folders
  referencing new table as changed for each statement execute function notify_folders_changed();
create trigger folders_notify_deleted after delete on folders
  referencing old table as changed for each statement execute function notify_folders_changed();

create function notify_milestones_changed() returns trigger language plpgsql as $$
begin
  perform notify_change('milestones', project_id, case when count(*) <= 200 then string_agg(id::text, ',') end, null)
  from changed group by project_id;
  return null;
end $$;
create trigger milestones_notify_inserted after insert on milestones
  referencing new table as changed for each statement execute function notify_milestones_changed();
create trigger milestones_notify_updated after update on milestones
  referencing new table as changed for each statement execute function notify_milestones_changed();
create trigger milestones_notify_deleted after delete on milestones
  referencing old table as changed for each statement execute function notify_milestones_changed();

-- Most updates of a membership only copy the project's `updated_at`.
create function notify_members_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform notify_change('members', c.project_id, null, null)
    from changed c join before b on b.project_id = c.project_id and b.user_id = c.user_id
    where c.role <> b.role group by c.project_id;
  else
    perform notify_change('members', project_id, null, null) from changed group by project_id;
  end if;
  return null;
end $$;
create trigger memberships_notify_inserted after insert on memberships
  referencing new table as changed for each statement execute function notify_members_changed();
create trigger memberships_notify_updated after update on memberships
  referencing old table as before new table as changed for each statement execute function notify_members_changed();
create trigger memberships_notify_deleted after delete on memberships
  referencing old table as changed for each statement execute function notify_members_changed();

-- The streams of ended sessions and revoked tokens end. Disabling a user deletes both.
create function notify_access_ended() returns trigger language plpgsql as $$
begin
  perform notify_change('access', null, case when count(*) <= 200 then string_agg(id::text, ',') end, null)
  from changed having count(*) > 0;
  return null;
end $$;
create trigger sessions_notify_deleted after delete on sessions
  referencing old table as changed for each statement execute function notify_access_ended();
create trigger api_tokens_notify_deleted after delete on api_tokens
  referencing old table as changed for each statement execute function notify_access_ended();

-- Everybody who is or was a member of a project: what they did there still shows their names.
create table project_people (
  project_id uuid not null references projects (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (project_id, user_id)
);
create index project_people_user on project_people (user_id);

-- Until now, removed members were not stored: they are found by what they did.
insert into project_people (project_id, user_id)
select project_id, user_id from (
  select project_id, user_id from memberships
  union
  select project_id, created_by from runs
  union
  select project_id, created_by from test_cases
  union
  select project_id, tested_by from (select distinct project_id, tested_by from test_results) as tested
  union
  select project_id, subject_id::uuid from audit_log where action = 'member.remove'
) as person
where exists (select from users where id = user_id) and exists (select from projects where id = project_id);

create function add_project_people() returns trigger language plpgsql as $$
begin
  insert into project_people (project_id, user_id) select project_id, user_id from changed on conflict do nothing;
  return null;
end $$;
create trigger memberships_add_project_people after insert on memberships
  referencing new table as changed for each statement execute function add_project_people();
