-- An automation key has up to 2,000 characters, which is more than an index entry can hold (about 2,700 bytes). Uniqueness
-- and look-ups therefore use a digest: the first 128 bits of SHA-256, as a uuid, which is short and fast to compare. The
-- text is converted to bytes with decode(), because convert_to() is not immutable; `escape` keeps everything but `\`.
create function automation_key_digest(key text) returns uuid
  language sql immutable parallel safe
  return encode(substr(sha256(decode(replace(key, '\', '\\'), 'escape')), 1, 16), 'hex')::uuid;

drop index test_cases_automation_key;
create unique index test_cases_automation_key on test_cases (project_id, automation_key_digest(automation_key))
  where automation_key is not null;
alter table test_cases
  add constraint test_cases_automation_key_check check (char_length(automation_key) between 1 and 2000);
