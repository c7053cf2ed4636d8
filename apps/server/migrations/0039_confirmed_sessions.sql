alter table sessions
  -- When the user of the session last proved who they are: by signing in, or by confirming it later. Null for sessions of
  -- before: it is not known how long ago their user signed in.
  add column confirmed_at timestamptz(3),
  -- Whether the user has proved it with a second factor, too.
  add column has_second_factor boolean not null default false;
alter table sessions alter column confirmed_at set default now();

-- Whether sign-in asks for a second factor. It is a copy of what second_factors contains, so that the sign-in of other users
-- needs no further query.
alter table users add column has_second_factor boolean not null default false;
