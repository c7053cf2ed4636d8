-- Who keeps a test case up to date, and how many seconds its test takes.
alter table test_cases add column owner_id uuid;
alter table test_cases add column estimate integer;
-- Citus takes constraints of new columns only in statements of their own.
alter table test_cases add constraint test_cases_estimate check (estimate between 1 and 8640000);
create index test_cases_owner on test_cases (project_id, owner_id, number) where owner_id is not null;
