-- Email addresses are compared without a difference between upper and lower case in ASCII, and only there. Until now they
-- were compared by lower() in the locale of the database, which converts more letters than the code does: an address with
-- U+0130 (İ) or U+212A (the Kelvin sign) found the account of the address with "i" or "k".

do $$
declare
  addresses text;
begin
  -- The new comparison distinguishes more addresses than the old one, so that both indexes can usually be created. The
  -- exception are databases with a Turkish, Azerbaijani or Lithuanian locale: lower() does not convert "I" to "i" there, so
  -- that ADMIN@… and admin@… may be two accounts. Only the operator can decide which one to keep.
  select string_agg(email, ', ' order by lower(email collate "C"), email) into addresses
  from (select email, count(*) over (partition by lower(email collate "C")) as accounts from users) as counted
  where accounts > 1;
  if addresses is not null then
    raise exception 'Several accounts have the same email address in upper and lower case: %. Change the email address of all but one of them in the table "users", then start again.', addresses;
  end if;

  select string_agg(email, ', ' order by lower(email collate "C"), email) into addresses
  from (
    select email, count(*) over (partition by project_id, lower(email collate "C")) as invitations
    from invitations where status = 'pending'
  ) as counted
  where invitations > 1;
  if addresses is not null then
    raise exception 'Several pending invitations to one project have the same email address in upper and lower case: %. Revoke all but one of them, then start again.', addresses;
  end if;

  -- These addresses were also found by other spellings, so that another person may have joined or signed in with them.
  select string_agg(email, ', ' order by email) into addresses
  from (
    select email from users union select email from invitations where status = 'pending'
  ) as stored
  where octet_length(email) > char_length(email) and lower(email) <> lower(email collate "C");
  if addresses is not null then
    raise warning 'Email addresses are now compared by ASCII case only. The addresses of these accounts and pending invitations were also found by other spellings, and are now found only by their own: %. Check that each belongs to the person it was meant for.', addresses;
  end if;
end $$;

drop index users_email_key;
create unique index users_email_key on users (lower(email collate "C"));

drop index invitations_pending;
create unique index invitations_pending on invitations (project_id, lower(email collate "C")) where status = 'pending';
