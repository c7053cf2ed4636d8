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
