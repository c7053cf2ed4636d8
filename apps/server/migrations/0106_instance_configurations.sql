-- Configurations of the whole instance, which every project can use, have no project. Keys of their groups begin with `org_`.
alter table configurations alter column project_id drop not null;
create unique index configurations_of_instance on configurations (group_key, key) where project_id is null;

-- A change of one of the instance is one in every project.
create or replace function notify_configurations_changed() returns trigger language plpgsql as $$
begin
  perform notify_change('configurations', project_id, null, null) from changed where project_id is not null group by project_id;
  perform notify_change('configurations', id, null, null) from projects
    where exists (select from changed where project_id is null);
  return null;
end $$;
