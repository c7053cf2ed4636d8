alter table users
  add column is_instance_admin boolean not null default false,
  -- Since when the user cannot sign in; the user's sessions and personal tokens are refused, too.
  add column disabled_at timestamptz(3),
  add column last_sign_in_at timestamptz(3);

-- Until now, no user had rights over the whole instance. The earliest user is the one who set it up, with the setup link
-- or ADMIN_EMAIL: every later account was created by an invitation. The command `admin grant` on the server corrects
-- this where the person has left.
update users set is_instance_admin = true where id = (select id from users order by created_at, id limit 1);

-- Sign-ins whose session has ended are not known.
update users set last_sign_in_at = (select max(created_at) from sessions where user_id = users.id);

create index users_disabled on users (id) where disabled_at is not null;
create index users_instance_admins on users (id) where is_instance_admin;
-- Each word of the name and the email address are preceded by a space, which finds a text of one or two letters.
create index users_search on users using gin ((' ' || name || ' ' || email) gin_trgm_ops);

create type project_creation as enum ('everyone', 'instance_admins');

-- Settings that instance administrators change while the service runs. The table has exactly one row.
create table instance_settings (
  id boolean primary key default true check (id),
  project_creation project_creation not null default 'everyone'
);
insert into instance_settings default values;
