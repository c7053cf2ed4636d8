-- Custom fields. A value is stored under the number of its field, that of a select as the number of its option: names live
-- here only, so that renaming changes no other row. Numbers are never given again, because what still has one may be older
-- than the field that would have it.
create type field_subject as enum ('case', 'result', 'run');
create type field_type as enum ('text', 'long_text', 'number', 'date', 'checkbox', 'select', 'multi_select', 'user', 'url');

create table custom_fields (
  id uuid primary key,
  -- Null is for fields of the whole instance, which do not exist yet.
  project_id uuid references projects (id) on delete cascade,
  subject field_subject not null,
  number smallint not null check (number > 0),
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,39}$'),
  name text not null,
  description text not null default '',
  type field_type not null,
  is_required boolean not null default false,
  -- As values are stored.
  default_value jsonb,
  -- [{"number", "key", "label", "is_retired"}] of selects, in their order.
  options json check ((options is not null) = (type in ('select', 'multi_select'))),
  min_value double precision,
  max_value double precision,
  decimals smallint check (decimals between 0 and 6),
  position integer not null,
  retired_at timestamptz(3),
  unique nulls not distinct (project_id, subject, number),
  unique nulls not distinct (project_id, subject, key)
);

-- Counts changes of the fields of a project: 0 says that it never had any.
alter table projects add column fields_version integer not null default 0;
alter table projects add column last_field_number smallint not null default 0;

-- {"<number of the field>": value}; null for none.
alter table test_cases add column fields jsonb;
alter table test_cases add constraint test_cases_fields check (jsonb_typeof(fields) = 'object') not valid;

-- Deleted fields whose values are still stored. Nobody sees them; a job removes them.
create table deleted_fields (
  project_id uuid not null references projects (id) on delete cascade,
  subject field_subject not null,
  number smallint not null,
  primary key (project_id, subject, number)
);

create function notify_fields_changed() returns trigger language plpgsql as $$
begin
  perform notify_change('fields', project_id, null, null) from changed where project_id is not null group by project_id;
  return null;
end $$;
create trigger custom_fields_notify_inserted after insert on custom_fields
  referencing new table as changed for each statement execute function notify_fields_changed();
create trigger custom_fields_notify_updated after update on custom_fields
  referencing new table as changed for each statement execute function notify_fields_changed();
create trigger custom_fields_notify_deleted after delete on custom_fields
  referencing old table as changed for each statement execute function notify_fields_changed();
