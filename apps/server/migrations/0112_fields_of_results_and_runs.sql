-- Custom fields of results and runs. Like those of test cases, values are stored under the numbers of their fields; null for none.
alter table custom_fields add column required_on result_status[];
alter table test_results add column fields jsonb;
alter table runs add column fields jsonb;
-- What a result had before.
alter table result_changes add column fields jsonb;
