-- `expired` is stored only when a new invitation replaces an expired one. Until then, a pending invitation has expired
-- when `expires_at` has passed.
create type invitation_status as enum ('pending', 'accepted', 'revoked', 'expired');

create table invitations (
  id uuid primary key,
  project_id uuid not null references projects (id) on delete cascade,
  email text not null check (char_length(email) between 3 and 320),
  role member_role not null,
  status invitation_status not null default 'pending',
  invited_by uuid not null references users (id),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);
create index invitations_project on invitations (project_id, id);
create index invitations_inviter on invitations (invited_by);
create unique index invitations_pending on invitations (project_id, lower(email)) where status = 'pending';

-- The links of an invitation. The secret is created when the email is sent, so that neither the queue nor a table contains
-- it. An email that is sent again, because it may not have arrived, contains another link. Both links work.
create table invitation_links (
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  invitation_id uuid not null references invitations (id) on delete cascade,
  -- When a new link was requested, which replaces the earlier ones.
  replaced_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index invitation_links_invitation on invitation_links (invitation_id);
