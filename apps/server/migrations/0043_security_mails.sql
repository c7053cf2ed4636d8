-- Emails about events that matter for the security of an account. What happens within a few minutes after an email is
-- collected in the next one: a burst neither floods an inbox nor hides a notice. They are not counted in mail_limits.
create table security_mails (
  id uuid primary key,
  email text not null check (char_length(email) between 3 and 320),
  send_at timestamptz(3) not null,
  -- Whether further notices may join. The email is closed when it is first built, so that each attempt to send it is the same.
  is_open boolean not null default true
);
create unique index security_mails_open on security_mails (lower(email collate "C")) where is_open;
create index security_mails_email on security_mails (lower(email collate "C"), send_at);
create index security_mails_send_at on security_mails (send_at);

-- Names are copied, because the email may be sent after what they name is gone.
create table security_notices (
  mail_id uuid not null references security_mails (id) on delete cascade,
  kind text not null,
  -- The number of the notice among those of its kind, from 0. The last one that is stored counts what it stands for.
  place integer not null,
  repeat_count integer not null default 0,
  at timestamptz(3) not null,
  address text,
  user_agent text not null,
  detail json not null,
  primary key (mail_id, kind, place)
);
