-- What a result was before it was overwritten, so that no note is lost. Up to 50 for each result, so that uploads that
-- repeat for ever do not fill the disk. There are no foreign keys for the same reason as in
-- test_results; whatever deletes results deletes these.
create table result_changes (
  project_id uuid not null,
  run_id uuid not null,
  result_id uuid not null,
  -- The number of the change, from 0.
  place integer not null,
  status result_status not null,
  note text,
  elapsed integer,
  tested_by uuid,
  tested_at timestamptz(3) not null,
  replaced_at timestamptz(3) not null,
  primary key (project_id, run_id, result_id, place)
);

alter table test_results add column change_count integer not null default 0;
