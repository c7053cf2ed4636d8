-- Imports of files from other tools. They stay on the coordinator; their files, records and links are distributed.
create table imports (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 255),
  state text not null check (state in (
    'reading', 'planning', 'planned', 'applying', 'done', 'differs', 'cancelled', 'failed', 'undoing', 'undone'
  )),
  -- Which stage goes on after a failure.
  failed_state text,
  system text,
  source text,
  format text,
  -- What the user has chosen instead of what was suggested.
  settings json not null default '{}',
  -- The digest of the plan, which whoever applies it names.
  plan text,
  -- What reading found, what the plan does, and what was counted afterwards.
  reading json,
  planning json,
  proof json,
  progress json,
  error json,
  is_cancelled boolean not null default false,
  created_by uuid,
  applied_by uuid,
  created_at timestamptz(3) not null default now(),
  planned_at timestamptz(3),
  applied_at timestamptz(3),
  undone_at timestamptz(3),
  -- The server that works on it, and until when nobody else does.
  worker uuid,
  working_until timestamptz(3),
  primary key (project_id, id)
);
create index imports_working on imports (working_until)
  where state in ('reading', 'planning', 'applying', 'undoing');

create table import_files (
  project_id uuid not null,
  import_id uuid not null,
  position smallint not null,
  name text not null check (char_length(name) between 1 and 255),
  byte_count bigint not null,
  file_id uuid not null,
  primary key (project_id, import_id, position),
  foreign key (project_id, file_id) references files (project_id, id)
);
create index import_files_file on import_files (project_id, file_id);

-- What the files contain, one object a row, and what the plan does with it.
create table import_records (
  project_id uuid not null,
  import_id uuid not null,
  seq integer not null,
  kind text not null,
  -- What the source calls it; null without a key.
  key text,
  title text not null,
  -- As it was read, and a test case also as it can be stored.
  record json not null,
  prepared json,
  -- What got lost while it was converted.
  read_losses text[] not null default '{}',
  -- What the plan says.
  action text,
  losses text[] not null default '{}',
  changed text[] not null default '{}',
  planned json,
  -- Order in which test cases are created.
  place integer not null default 0,
  -- A folder's id, or the number of a test case.
  target text,
  is_done boolean not null default false,
  primary key (project_id, import_id, seq)
);
create index import_records_waiting on import_records (project_id, import_id, kind, place, seq) where not is_done;

-- What objects of a source have become here, with digests of what was written.
create table source_links (
  project_id uuid not null,
  system text not null,
  source text not null,
  kind text not null,
  key_digest text not null,
  key text not null,
  target text not null,
  format text not null,
  raw_digest text not null,
  field_digests json not null,
  -- Values without a place here.
  details json,
  import_id uuid not null,
  imported_at timestamptz(3) not null default now(),
  primary key (project_id, system, source, kind, key_digest)
);
create index source_links_target on source_links (project_id, kind, target);
