-- `expired` is written only when a new invitation takes the place of one that was let lapse: until then, what is
-- pending has expired when `expires_at` has gone by.
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

-- The links of an invitation. A mail gets its secret at the moment it is sent, so that none ever lies in the queue or
-- anywhere else; a mail that is sent again since nobody knows whether it arrived has another, and both open the door.
create table invitation_links (
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  invitation_id uuid not null references invitations (id) on delete cascade,
  -- When a new link was asked for, which ends the earlier ones.
  replaced_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index invitation_links_invitation on invitation_links (invitation_id);
