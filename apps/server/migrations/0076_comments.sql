-- What people say under test cases, runs and results, and who is mentioned there.

create table comments (
  project_id uuid not null,
  id uuid not null,
  -- Of a test case, or null.
  case_number integer,
  -- Of a run, or of a result of it.
  run_id uuid,
  result_id uuid,
  -- Null after it was deleted.
  body text,
  created_by uuid not null,
  -- The time of the id.
  created_at timestamptz(3) not null,
  edited_at timestamptz(3),
  deleted_at timestamptz(3),
  deleted_by uuid,
  primary key (project_id, id),
  foreign key (project_id, case_number) references test_cases (project_id, number) on delete cascade,
  check ((case_number is null) <> (run_id is null) and (result_id is null or run_id is not null)),
  check ((body is null) = (deleted_at is not null))
);
create index comments_of_test_case on comments (project_id, case_number, id) where case_number is not null;
create index comments_of_run on comments (project_id, run_id, result_id, id) where run_id is not null;

-- Earlier texts. `place` counts from 0.
create table comment_versions (
  project_id uuid not null,
  comment_id uuid not null,
  place integer not null,
  body text not null,
  replaced_at timestamptz(3) not null default now(),
  primary key (project_id, comment_id, place),
  foreign key (project_id, comment_id) references comments (project_id, id) on delete cascade
);

-- Members only: what mentions a removed member ends with the membership. `run_id`, `result_id` and `case_number` are those of
-- the comment, by which whatever deletes comments finds these rows.
create table mentions (
  user_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  comment_id uuid not null,
  case_number integer,
  run_id uuid,
  created_at timestamptz(3) not null default now(),
  read_at timestamptz(3),
  -- The email that tells of it; null for none.
  mail_at timestamptz(3),
  primary key (user_id, id),
  unique (user_id, project_id, comment_id),
  foreign key (project_id, user_id) references memberships (project_id, user_id) on delete cascade
);
create index mentions_of_comments on mentions (project_id, run_id, case_number, comment_id);
create index mentions_unread on mentions (user_id) where read_at is null;

-- Null for no comment; 0 if all of them are deleted. Nothing else looks for comments.
alter table test_results add column comment_count integer;
alter table test_cases add column comment_count integer;
-- Of the run itself, without those of its results.
alter table runs add column comment_count integer;

-- Whether an email says who mentions the user, and when the next one is sent, or the last one was.
alter table users add column mention_emails boolean not null default true, add column mention_mail_at timestamptz(3);

-- What was uploaded for a comment, and is deleted with it.
alter table run_attachments add column comment_id uuid;
alter table case_attachments add column comment_id uuid;
