-- How many emails were queued, by address and purpose and by sender. The count starts again at `resets_at`, and the rows are
-- deleted after that. They are in the database so that they count over all servers and restarts, and only what is committed.
create table mail_limits (
  bucket text primary key,
  mail_count integer not null check (mail_count >= 1),
  resets_at timestamptz(3) not null
);
create index mail_limits_resets_at on mail_limits (resets_at);

-- The admin who last sent a new link, if not the inviter. Without a mail server, the response contains the link, so that
-- removing this admin revokes the invitation too.
alter table invitations add column resent_by uuid references users (id) on delete set null;
create index invitations_resent_by on invitations (resent_by) where resent_by is not null;
