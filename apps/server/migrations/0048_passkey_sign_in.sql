-- A session that began with a passkey alone.
alter type session_method add value 'passkey';

-- The challenges of sign-ins with a passkey alone have no user yet. The oldest end when there are too many.
create index passkey_challenges_without_user on passkey_challenges (expires_at) where user_id is null;
