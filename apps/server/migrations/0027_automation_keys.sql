-- A test case has up to 20 automation keys. Two keys are the same when they differ only in separators (see normalizeKey in
-- packages/matching), so that the key of one tool matches what another one writes. Look-ups and uniqueness use the digest
-- of the normalized key, which the server computes; the regular expression below is the same rule, for existing keys.
create table automation_keys (
  project_id uuid not null,
  key_digest uuid not null,
  case_number integer not null,
  primary key (project_id, key_digest),
  foreign key (project_id, case_number) references test_cases (project_id, number) on delete cascade
);
create index automation_keys_case on automation_keys (project_id, case_number);

alter table test_cases add column automation_keys text[] not null default '{}' check (cardinality(automation_keys) <= 20);

-- Where several keys become the same, the oldest test case keeps matching. The others keep the text, which matches nothing
-- until it is changed.
insert into automation_keys (project_id, key_digest, case_number)
select distinct on (project_id, key_digest) project_id, key_digest, number
from (
  select project_id, number, automation_key_digest(btrim(regexp_replace(
    normalize(automation_key, nfc),
    '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff.>\u203a\u00bb:/\\]+', ' ', 'g'
  ))) as key_digest
  from test_cases where automation_key is not null
) keys
order by project_id, key_digest, number;
update test_cases set automation_keys = array[automation_key] where automation_key is not null;

drop index test_cases_automation_key;
alter table test_cases drop column automation_key;
