-- A change of the email address ends with the session that requested it. Those that servers of the previous version store
-- have none, and end as before.
alter table email_changes add column session_id uuid references sessions (id) on delete cascade;
create index email_changes_session on email_changes (session_id) where session_id is not null;

-- Where a sign-in came from that waits for a second factor: the owner of the account is told when it is not completed.
alter table pending_sign_ins
  add column address text,
  add column user_agent text not null default '';
create index pending_sign_ins_expiry on pending_sign_ins (expires_at);
