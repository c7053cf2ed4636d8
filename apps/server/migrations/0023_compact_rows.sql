-- Clients that keep a list ask for the rows that changed since a time.
--
-- Test cases: an index, because clients ask far more often than test cases change, and a project can have 100,000. Measured
-- there: 6 ms to find that nothing changed, instead of 65 ms. Changing one test case takes as long as before, changing
-- 10,000 at once a quarter longer.
create index test_cases_changed on test_cases (project_id, updated_at);

-- Results: no index. It would contain a column that every update changes, so that no update could be heap-only (HOT; see
-- 0005). The results of one run are read instead, 10,000 in about 10 ms. `tested_at` is not the time of the change: it can be the `finished_at` of
-- an upload, and does not change when a result is added or loses its test case. The time is that of the statement, because
-- a transaction may have waited for the lock on the run. Results that exist have changed now: the table is not rewritten.
alter table test_results add column changed_at timestamptz(3) not null default statement_timestamp();
