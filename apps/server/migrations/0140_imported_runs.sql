-- Runs that came with an import: what happened elsewhere says nothing of how stable test cases are here.
alter table runs add column is_imported boolean not null default false;
