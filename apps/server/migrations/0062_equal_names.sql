-- What elements of the same names in one suite of a JUnit report are, unless an upload says so.
alter table projects
  add column equal_names text not null default 'tests' check (equal_names in ('tests', 'attempts'));
