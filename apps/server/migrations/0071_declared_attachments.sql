-- Attachments that an upload declares before their contents are there, at attempts of tests and at results.

alter table run_attachments
  -- The test at whose attempt it is; null for a result, its steps, or the run itself.
  add column test_id uuid,
  -- What declared it: the number of the source in the run, and of the attempt within it, from 1. Null if it was attached.
  add column source integer,
  add column attempt smallint,
  -- Of the content, as long as there is none.
  add column digest bytea,
  add column byte_count bigint,
  -- Whether the client takes a ZIP file for a trace; null for no.
  add column is_trace boolean,
  -- When its content was given up, which has a digest, or removed.
  add column removed_at timestamptz(3);
alter table run_attachments alter column file_id drop not null;
-- Citus takes constraints of new columns only in statements of their own.
alter table run_attachments add constraint run_attachments_digest check (octet_length(digest) = 32);
alter table run_attachments add constraint run_attachments_byte_count check (byte_count >= 0);

-- Set when the store no longer has the content.
alter table files add column is_lost boolean not null default false;

-- Contents that are received in parts.
create table file_uploads (
  project_id uuid not null,
  -- A random id, or `<run id>/<SHA-256>` of a declared content.
  key text not null,
  -- Of the file; null if it is unknown. Its ending tells a trace from other ZIP files.
  name text,
  -- Of the name of the content in the store.
  content_id uuid not null,
  location smallint not null,
  byte_count bigint not null check (byte_count > 0),
  received bigint not null default 0,
  -- State of SHA-256 after the bytes that were received; null for none.
  hash_state bytea,
  -- What the store needs to go on.
  store_state json not null,
  -- The file that the upload has become.
  file_id uuid,
  -- Null for a CI token.
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, key)
);
create index file_uploads_created_at on file_uploads (created_at);

-- Null for none, which takes no space.
alter table test_outcomes add column attachment_count integer;
-- Attachments whose content has not arrived.
alter table runs add column waiting_file_count integer;

alter table instance_settings add column max_file_bytes_per_project bigint check (max_file_bytes_per_project > 0);
