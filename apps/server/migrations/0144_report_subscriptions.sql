-- Reports that a member gets by email. They stay on the coordinator.
create table report_subscriptions (
  project_id uuid not null,
  user_id uuid not null,
  every text not null check (every in ('week', 'day')),
  -- From 1, Monday, to 7; null for every day.
  weekday smallint check (weekday between 1 and 7),
  hour smallint not null check (hour between 0 and 23),
  time_zone text not null check (char_length(time_zone) between 1 and 64),
  -- The day, in the time zone, of the newest email, or of the subscription.
  last_sent_on date not null,
  -- Whether the newest email said that nothing ran: then the next one waits for a run.
  was_silent boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, user_id),
  foreign key (project_id, user_id) references memberships (project_id, user_id) on delete cascade,
  check ((every = 'week') = (weekday is not null))
);
create index report_subscriptions_user on report_subscriptions (user_id);
