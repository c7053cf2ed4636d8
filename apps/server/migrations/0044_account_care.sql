-- A deleted account keeps its row without personal data, so that results, runs and changes keep an author. `disabled_at` is
-- set too: it refuses every sign-in, also by servers that do not know this column.
alter table users add column deleted_at timestamptz(3);
create index users_deleted on users (id) where deleted_at is not null;

-- A deletion ends the memberships that it sees. A project that is created or joined in the same moment would keep the deleted
-- user, so it waits for the lock on the user, as `count_user_projects` does, and looks again.
create function require_accounts_of_members() returns trigger language plpgsql as $$
begin
  perform from users where id in (select user_id from changed) order by id for no key update;
  if exists (select from users where id in (select user_id from changed) and deleted_at is not null) then
    raise exception 'the account was deleted' using errcode = 'CWD01';
  end if;
  return null;
end $$;
create trigger memberships_require_accounts after insert on memberships
  referencing new table as changed for each statement execute function require_accounts_of_members();

-- Changes of email addresses that wait for a confirmation: at most one for each user. A new request replaces the former one.
create table email_changes (
  user_id uuid primary key references users (id) on delete cascade,
  email text not null check (char_length(email) between 3 and 320),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);

-- The links of a change. The secret is created when the email is sent, so that neither the queue nor a table contains it. An
-- email that is sent again, because it may not have arrived, contains another link. Both work, and only once together.
create table email_change_links (
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  user_id uuid not null references email_changes (user_id) on delete cascade
);
create index email_change_links_user on email_change_links (user_id);
