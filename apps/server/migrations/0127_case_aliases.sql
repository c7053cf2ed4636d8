-- Ids of other tools by which results find test cases. `lookup` is the form in which they are compared.
create table case_aliases (
  project_id uuid not null,
  case_number integer not null,
  system text not null,
  source text not null check (char_length(source) between 1 and 255),
  key text not null check (char_length(key) between 1 and 255),
  lookup text not null,
  primary key (project_id, lookup, system, source),
  foreign key (project_id, case_number) references test_cases (project_id, number) on delete cascade
);
create index case_aliases_case on case_aliases (project_id, case_number);

-- The tools and their projects of which there are ids, as [{"system", "source"}]; null for none. Uploads read it with the run, so that
-- projects without any look for none.
alter table projects add column alias_sources json;
-- Which of two test cases a test belongs to that names an id of this project and one of another tool in one place.
alter table projects add column aliases_first boolean not null default false;
