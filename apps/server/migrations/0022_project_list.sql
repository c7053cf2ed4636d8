-- The list of a user's projects, last updated first, used to count and sort all of them for each page. A counter and a
-- copy of projects.updated_at make a page cost the same however many projects the user has. Triggers keep both, because
-- memberships are also deleted by cascades.
alter table users add column project_count integer not null default 0 check (project_count >= 0);
update users set project_count = (select count(*) from memberships where user_id = users.id);

-- Inserts omit it: the trigger below sets it.
alter table memberships add column project_updated_at timestamptz(3) not null default now();
update memberships m set project_updated_at = p.updated_at from projects p where p.id = m.project_id;
drop index memberships_user;
create index memberships_user on memberships (user_id, project_updated_at, project_id);

-- Who adds a member holds the lock on the project, so that its updated_at does not change meanwhile.
create function copy_project_updated_at() returns trigger language plpgsql as $$
begin
  new.project_updated_at := (select updated_at from projects where id = new.project_id);
  return new;
end $$;
create trigger memberships_copy_project_updated_at before insert on memberships
  for each row execute function copy_project_updated_at();

create function update_project_updated_at_copies() returns trigger language plpgsql as $$
begin
  update memberships set project_updated_at = new.updated_at where project_id = new.id;
  return null;
end $$;
create trigger projects_update_project_updated_at_copies after update of updated_at on projects
  for each row when (old.updated_at <> new.updated_at) execute function update_project_updated_at_copies();

-- Locks the users in the order of their ids, so that deleting two projects with the same members does not deadlock.
create function count_user_projects() returns trigger language plpgsql as $$
begin
  perform from users where id in (select user_id from changed) order by id for no key update;
  update users set project_count = project_count + case tg_op when 'INSERT' then c.count else -c.count end
  from (select user_id, count(*)::int from changed group by user_id) c where users.id = c.user_id;
  return null;
end $$;
create trigger memberships_count_inserted after insert on memberships
  referencing new table as changed for each statement execute function count_user_projects();
create trigger memberships_count_deleted after delete on memberships
  referencing old table as changed for each statement execute function count_user_projects();
