-- Moves whenever a test of the project or a link of one changes so that uploads may find others: while it has not moved, a suite
-- that was uploaded before has the same tests (features/uploads/known-suites.ts). Triggers move it, for servers of earlier
-- versions, too. Null where Citus distributes the tables, which then have no triggers.
alter table projects add column tests_version bigint default 0;

-- Once per transaction and project: when 10,000 test cases are deleted, the links of each are deleted by a statement of its own. A
-- savepoint that is rolled back takes the setting back together with the version.
create function move_tests_version(changed_project_id uuid) returns void language plpgsql as $$
begin
  if current_setting('caseward.moved_tests_version', true) is distinct from changed_project_id::text then
    update projects set tests_version = tests_version + 1 where id = changed_project_id;
    perform set_config('caseward.moved_tests_version', changed_project_id::text, true);
  end if;
end $$;

create function move_tests_version_of_rows() returns trigger language plpgsql as $$
begin
  perform move_tests_version(project_id) from (select distinct project_id from changed) projects;
  return null;
end $$;

create function move_tests_version_of_row() returns trigger language plpgsql as $$
begin
  perform move_tests_version(new.project_id);
  return null;
end $$;

do $$
declare
  is_distributed boolean := false;
begin
  if exists (select from pg_extension where extname = 'citus') then
    execute $sql$ select exists (select from pg_dist_partition where logicalrelid = 'tests'::regclass) $sql$ into is_distributed;
  end if;
  if is_distributed then
    alter table projects alter column tests_version drop default;
    update projects set tests_version = null;
    return;
  end if;
  create trigger tests_move_version_inserted after insert on tests
    referencing new table as changed for each statement execute function move_tests_version_of_rows();
  create trigger tests_move_version_deleted after delete on tests
    referencing old table as changed for each statement execute function move_tests_version_of_rows();
  -- Not when they were seen last, which changes every day.
  create trigger tests_move_version_updated
    after update of title_digest, suite, name, variant, file, module, report_suite, foreign_ids on tests for each row
    when ((old.title_digest, old.suite, old.name, old.variant, old.file, old.module, old.report_suite, old.foreign_ids)
      is distinct from
      (new.title_digest, new.suite, new.name, new.variant, new.file, new.module, new.report_suite, new.foreign_ids))
    execute function move_tests_version_of_row();
  create trigger test_links_move_version_inserted after insert on test_links
    referencing new table as changed for each statement execute function move_tests_version_of_rows();
  create trigger test_links_move_version_updated after update on test_links
    referencing new table as changed for each statement execute function move_tests_version_of_rows();
  create trigger test_links_move_version_deleted after delete on test_links
    referencing old table as changed for each statement execute function move_tests_version_of_rows();
end $$;
