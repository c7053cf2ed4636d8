-- Values of custom fields by which test cases are sorted and found by ranges: numbers, dates as 20261121, and options of selects
-- by their numbers. Whatever changes `test_cases.fields` keeps these, too; there are no foreign keys, whose checks would cost
-- more than the rows.
create table case_field_values (
  project_id uuid not null,
  field smallint not null,
  value double precision not null,
  number integer not null,
  primary key (project_id, field, value, number)
);

-- Projects whose test cases had values before there was this table. A job adds them when no server of the earlier version
-- writes any more; until then, sorting and ranges read the test cases.
create table unfilled_case_field_values (
  project_id uuid primary key references projects (id) on delete cascade,
  since timestamptz(3) not null default now()
);
insert into unfilled_case_field_values (project_id) select id from projects where last_field_number > 0;
