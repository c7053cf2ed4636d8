/*
 * What Citus distributes: the rows of a project in these tables are together on one node. All other tables stay on the
 * coordinator: they are small, or every write locks one of their rows, and events are sent by their triggers.
 */

/** The distributed tables, in the order in which they are distributed. All have the column `project_id`. */
export const DISTRIBUTED_TABLES = [
  'folders',
  'test_cases',
  'case_versions',
  'shared_step_uses',
  'case_field_values',
  'automation_keys',
  'case_aliases',
  'tests',
  'test_links',
  'test_results',
  'test_outcomes',
  'outcome_parts',
  'result_changes',
  'step_results',
  'result_combinations',
  'suite_errors',
  'failure_signatures',
  'test_failures',
  'test_verdicts',
  'flake_events',
  'unstable_tests',
  'links',
  'comments',
  'comment_versions',
  'files',
  'run_attachments',
  'case_attachments',
  'file_candidates',
  'file_usage',
  'file_uploads',
  'import_files',
  'import_records',
  'source_links',
] as const

/** Functions in statements that run on the nodes. */
export const DISTRIBUTED_FUNCTIONS = ['uuid_v7_in_batch(timestamptz, bigint)'] as const

/**
 * Foreign keys from a distributed table to one that stays on the coordinator, which Citus does not allow. Those that delete or
 * change rows are replaced by {@link COORDINATOR_TRIGGERS}. That the row exists is guaranteed by locks: of the project, while
 * test cases, folders or tests are added, and of the run, while errors of suites are.
 */
export const REPLACED_FOREIGN_KEYS: readonly string[] = [
  'folders_project_id_fkey',
  'test_cases_project_id_fkey',
  'test_cases_created_by_fkey',
  'test_cases_updated_by_fkey',
  'tests_project_id_fkey',
  'suite_errors_run_id_fkey',
]

/**
 * Triggers that Citus would not run: the server replaces those of migration 0025 by `notify_distributed_change`, and compares tests
 * where those of 0161 do not count their changes.
 */
export const REPLACED_TRIGGERS: readonly string[] = [
  'folders_notify_inserted',
  'folders_notify_updated',
  'folders_notify_deleted',
  'test_cases_notify_inserted',
  'test_cases_notify_updated',
  'test_cases_notify_deleted',
  'tests_move_version_inserted',
  'tests_move_version_updated',
  'tests_move_version_deleted',
  'test_links_move_version_inserted',
  'test_links_move_version_updated',
  'test_links_move_version_deleted',
]

/** What the foreign keys did, the notifications, and the end of what the triggers counted. Run again, they replace themselves. */
export const COORDINATOR_TRIGGERS = `
  alter table projects alter column tests_version drop default;
  update projects set tests_version = null where tests_version is not null;

  create or replace function delete_distributed_rows_of_project() returns trigger language plpgsql as $$
  begin
    delete from suite_errors where project_id = old.id;
    delete from test_links where project_id = old.id;
    delete from tests where project_id = old.id;
    delete from automation_keys where project_id = old.id;
    delete from test_cases where project_id = old.id;
    delete from folders where project_id = old.id;
    return null;
  end $$;
  create or replace trigger projects_delete_distributed_rows after delete on projects
    for each row execute function delete_distributed_rows_of_project();

  create or replace function delete_distributed_rows_of_run() returns trigger language plpgsql as $$
  begin
    -- The rows of a deleted project are deleted together.
    if exists (select from projects where id = old.project_id) then
      delete from suite_errors where project_id = old.project_id and run_id = old.id;
    end if;
    return null;
  end $$;
  create or replace trigger runs_delete_distributed_rows after delete on runs
    for each row execute function delete_distributed_rows_of_run();

  create or replace function clear_distributed_columns_of_user() returns trigger language plpgsql as $$
  begin
    update test_cases set created_by = null where created_by = old.id;
    update test_cases set updated_by = null where updated_by = old.id;
    return null;
  end $$;
  create or replace trigger users_clear_distributed_columns after delete on users
    for each row execute function clear_distributed_columns_of_user();

  create or replace function notify_distributed_change(kind text, project_id uuid, numbers integer[], is_deleted boolean)
    returns void language plpgsql as $$
  begin
    if kind = 'folders' then
      perform notify_change(kind, project_id, null, null);
    else
      perform notify_change(kind, project_id, case when cardinality(numbers) <= 500 then array_to_string(numbers, ',') end,
        json_build_object('is_deleted', is_deleted));
    end if;
  end $$;`
