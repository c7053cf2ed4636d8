-- no transaction
-- Finds test cases by values of custom fields. A short list of pending entries keeps reads fast while many are written.
create index concurrently if not exists test_cases_fields_values on test_cases using gin (project_id, fields jsonb_path_ops)
  with (gin_pending_list_limit = 1024) where fields is not null;
