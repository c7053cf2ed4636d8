-- When a second factor becomes required, the event streams of sessions without one end, as those of ended sessions do.
create function notify_second_factor_required() returns trigger language plpgsql as $$
begin
  -- Without ids, all streams are checked.
  perform notify_change('access', null, null, null);
  return null;
end $$;
create trigger instance_settings_notify_second_factor_required
  after update of require_second_factor on instance_settings
  for each row when (new.require_second_factor and not old.require_second_factor)
  execute function notify_second_factor_required();

-- So do those of a user who loses the second factor that is required.
create function notify_second_factor_lost() returns trigger language plpgsql as $$
begin
  if (select require_second_factor from instance_settings) then
    perform notify_change('access', null, case when count(*) <= 200 then string_agg(id::text, ',') end, null)
    from sessions where user_id = new.id having count(*) > 0;
  end if;
  return null;
end $$;
create trigger users_notify_second_factor_lost
  after update of has_second_factor on users
  for each row when (old.has_second_factor and not new.has_second_factor)
  execute function notify_second_factor_lost();
