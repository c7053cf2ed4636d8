-- no transaction
-- Finds the records of a kind. Most imports have few of most kinds and none of the others, but up to two million results, which no statement
-- for another kind should read. Results and outcomes are read in their order, all of them.
create index concurrently if not exists import_records_kind on import_records (project_id, import_id, kind, seq)
  where kind not in ('result', 'test_outcome');
