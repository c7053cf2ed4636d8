-- Fields of the whole instance, which projects switch on. Their rows in `custom_fields` have no project; their numbers begin
-- where those of projects end, so that values of both can stand side by side. Numbers are never given again.
create sequence instance_field_numbers as smallint minvalue 10000 start with 10000;

-- The fields of the instance that a project has, or had: one that is switched off is a retired one of the project.
create table project_instance_fields (
  project_id uuid not null references projects (id) on delete cascade,
  field_id uuid not null references custom_fields (id) on delete cascade,
  is_required boolean not null default false,
  required_on result_status[],
  position integer not null,
  switched_off_at timestamptz(3),
  primary key (project_id, field_id)
);
create index project_instance_fields_field on project_instance_fields (field_id);

create function notify_instance_fields_changed() returns trigger language plpgsql as $$
begin
  perform notify_change('fields', project_id, null, null) from changed group by project_id;
  return null;
end $$;
create trigger project_instance_fields_notify_inserted after insert on project_instance_fields
  referencing new table as changed for each statement execute function notify_instance_fields_changed();
create trigger project_instance_fields_notify_updated after update on project_instance_fields
  referencing new table as changed for each statement execute function notify_instance_fields_changed();
create trigger project_instance_fields_notify_deleted after delete on project_instance_fields
  referencing old table as changed for each statement execute function notify_instance_fields_changed();

-- A change of the definition is one in every project that has the field.
create or replace function notify_fields_changed() returns trigger language plpgsql as $$
begin
  perform notify_change('fields', project_id, null, null) from changed where project_id is not null group by project_id;
  perform notify_change('fields', used.project_id, null, null)
    from changed join project_instance_fields used on used.field_id = changed.id
    where changed.project_id is null group by used.project_id;
  return null;
end $$;
