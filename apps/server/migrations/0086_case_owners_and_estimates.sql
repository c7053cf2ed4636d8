-- Who keeps a test case up to date, and how many seconds its test takes. There are no foreign keys for the same reason as for
-- tested_by.
alter table test_cases add column owner_id uuid;
alter table test_cases add column estimate integer;
-- Citus takes constraints of new columns only in statements of their own. Earlier rows have no estimate.
alter table test_cases add constraint test_cases_estimate check (estimate between 1 and 8640000) not valid;
