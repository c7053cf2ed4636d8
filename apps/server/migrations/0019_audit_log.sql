create type audit_actor_kind as enum ('user', 'token', 'system');

-- One row for each change that matters for security, written in the transaction of the change. Names are copied and there
-- are no foreign keys, so that an entry outlives what it names. Ids are created in the order of time (UUIDv7), so that the
-- key is the order of the list, and a time is a range of ids.
create table audit_log (
  id uuid primary key,
  at timestamptz(3) not null,
  action text not null,
  actor_kind audit_actor_kind not null,
  -- The user or the CI token; null for the system.
  actor_id uuid,
  actor_name text not null,
  actor_email text,
  -- The personal token that the user sent; null for a session.
  token_id uuid,
  token_name text,
  subject_kind text not null,
  -- Text, because the id of a test case is not a UUID.
  subject_id text,
  subject_name text not null,
  subject_email text,
  project_id uuid,
  project_name text,
  -- The IP address of the client.
  address text,
  detail json not null default '{}'
);
create index audit_log_project on audit_log (project_id, id) where project_id is not null;
create index audit_log_actor on audit_log (actor_id, id) where actor_id is not null;
create index audit_log_action on audit_log (action, id);
