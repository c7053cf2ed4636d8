-- no transaction
-- Finds the combinations that are assigned to a user, as test_results_assigned finds results.
create index concurrently if not exists result_combinations_assigned on result_combinations (project_id, assigned_to, run_id)
  where assigned_to is not null;
