-- Addresses at test cases and results: the defect that a result found, the requirement that a test case covers.

create type link_kind as enum ('defect', 'requirement', 'other');

create table links (
  project_id uuid not null,
  id uuid not null,
  -- Of a test case, or null.
  case_number integer,
  -- Of a result, or both null.
  run_id uuid,
  result_id uuid,
  kind link_kind not null,
  -- As it was sent.
  url text not null,
  -- 128 bits of SHA-256 of the normalized address: equal addresses are one link.
  url_digest uuid not null,
  label text not null,
  -- Null for automation.
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  foreign key (project_id, case_number) references test_cases (project_id, number) on delete cascade,
  check ((case_number is null) <> (run_id is null) and (run_id is null) = (result_id is null))
);
create unique index links_of_test_case on links (project_id, case_number, url_digest) where case_number is not null;
create unique index links_of_result on links (project_id, run_id, result_id, url_digest) where run_id is not null;
create index links_to_address on links (project_id, url_digest);

-- Null for none, which takes no space and asks for no link.
alter table test_results add column link_count smallint;
