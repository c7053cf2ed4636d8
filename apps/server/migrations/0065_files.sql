-- Files, and where they are attached. The content of a file is in the file store, under a name that ends with its id; each
-- project has a content once, however often it is attached. `location` says in which store: 0 for a directory, 1 for S3.
create table files (
  project_id uuid not null,
  id uuid not null,
  -- SHA-256 of the content.
  digest bytea not null check (octet_length(digest) = 32),
  byte_count bigint not null check (byte_count >= 0),
  media_type text not null,
  -- 0 other, 1 image, 2 video, 3 audio, 4 text, 5 trace.
  kind smallint not null,
  location smallint not null default 0,
  -- Of an image.
  width integer,
  height integer,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  unique (project_id, digest)
);

-- What is attached to runs, their results and steps of those. There are no foreign keys to runs and results, as in
-- test_results: whatever deletes them deletes these.
create table run_attachments (
  project_id uuid not null,
  run_id uuid not null,
  id uuid not null,
  -- Null for the run itself.
  result_id uuid,
  -- Position of a step, from 1; null for the whole.
  step smallint,
  name text not null check (char_length(name) between 1 and 255),
  file_id uuid not null,
  -- Null for a CI token.
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  foreign key (project_id, file_id) references files (project_id, id)
);
create index run_attachments_place on run_attachments (project_id, run_id, result_id, id);
create index run_attachments_file on run_attachments (project_id, file_id);

-- What is attached to test cases and their steps.
create table case_attachments (
  project_id uuid not null,
  case_number integer not null,
  id uuid not null,
  step smallint,
  name text not null check (char_length(name) between 1 and 255),
  file_id uuid not null,
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  foreign key (project_id, file_id) references files (project_id, id)
);
create index case_attachments_place on case_attachments (project_id, case_number, id);
create index case_attachments_file on case_attachments (project_id, file_id);

-- Names of contents that are being written, or whose file was never stored: a job removes what is left of them.
create table file_writes (
  name text primary key,
  location smallint not null,
  started_at timestamptz(3) not null default now()
);

-- Files that lost an attachment. A job deletes those that have no other one.
create table file_candidates (
  project_id uuid not null,
  file_id uuid not null,
  primary key (project_id, file_id)
);

-- Names of contents that are removed FILE_DELETE_DAYS later; `<project id>/` is all of a project.
create table file_deletions (
  name text not null,
  location smallint not null,
  deleted_at timestamptz(3) not null default now(),
  primary key (name, location)
);
create index file_deletions_deleted_at on file_deletions (deleted_at);

-- What the files of a project take. Each change moves one of 16 rows, so that parallel requests do not wait for each other.
create table file_usage (
  project_id uuid not null,
  slot smallint not null,
  byte_count bigint not null,
  file_count bigint not null,
  primary key (project_id, slot)
);

-- Numbers of attachments, null for none: a row without any takes no space for them, and is known to have none.
alter table test_results add column attachment_count integer;
alter table test_cases add column attachment_count integer;
alter table runs add column attachment_count integer;
