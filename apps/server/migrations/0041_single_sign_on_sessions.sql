-- How a session began. That of earlier sessions was not stored: they count as begun with a password, and end once where
-- single sign-on is required. `link` is a link that the operator of the server created.
create type session_method as enum ('password', 'single_sign_on', 'link');
alter table sessions
  add column method session_method not null default 'password',
  -- The user and the session of the provider (the claims `iss`, `sub` and `sid`), which can end this session. Of the session,
  -- the SHA-256 of issuer and `sid` is stored: a `sid` has any length.
  add column issuer text,
  add column subject text,
  add column provider_session bytea;

alter table pending_identities add column provider_session bytea;

-- Links to sign in without a password, which the operator of the server creates.
create table sign_in_links (
  -- SHA-256 of the secret in the link.
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz(3) not null
);
create index sign_in_links_user on sign_in_links (user_id);

-- The logout tokens of the provider that were used. Each counts once, as long as it is young enough to be accepted.
create table used_logout_tokens (
  -- SHA-256 of issuer and `jti`.
  digest bytea primary key check (octet_length(digest) = 32),
  expires_at timestamptz(3) not null
);
create index used_logout_tokens_expiry on used_logout_tokens (expires_at);

-- Which role a group of the sign-in provider gives in a project.
create table group_roles (
  project_id uuid not null references projects (id) on delete cascade,
  group_name text not null check (char_length(group_name) between 1 and 255),
  role member_role not null,
  primary key (project_id, group_name)
);
create index group_roles_group on group_roles (group_name);

-- `role` stays what counts: the stronger of the two. `group_role` is null for a membership without groups, and `given_role` is
-- what a person gave to a member with groups; null if only groups made the user a member.
alter table memberships add column group_role member_role, add column given_role member_role;

-- The groups with a role that a member had at the last sign-on. Checked at the end of a transaction, because the membership is
-- created from them.
create table membership_groups (
  project_id uuid not null,
  user_id uuid not null,
  group_name text not null,
  primary key (user_id, project_id, group_name),
  foreign key (project_id, user_id) references memberships (project_id, user_id)
    on delete cascade deferrable initially deferred,
  foreign key (project_id, group_name) references group_roles (project_id, group_name) on delete cascade
);
create index membership_groups_group on membership_groups (project_id, group_name);

-- Whether a group of the provider made the user an instance administrator.
alter table users add column is_admin_by_group boolean not null default false;

-- The groups of a single sign-on that waits for a password; null when they are not known.
alter table pending_identities add column groups text[];
