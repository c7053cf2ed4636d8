import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { type Trace, traces, WAYS } from './traces.ts'

const server = useTestServer()

const AUTHOR = 'It says who did something. It gives no access.'
const OF_NAMES = 'It is a digest of names, to find them again.'
const OF_OPERATOR = 'The operator of the server creates it, and no user can.'

/** The columns outside of the tables of `traces.ts` that name a user or may contain a secret, and why they are no trace. */
const otherColumns: Readonly<Record<string, string>> = {
  'admin_tokens.secret_hash': OF_OPERATOR,
  'admin_tokens.token_id': OF_OPERATOR,
  'automation_keys.key_digest': OF_NAMES,
  'case_attachments.created_by': AUTHOR,
  'case_versions.changed_by': AUTHOR,
  'shared_step_versions.changed_by': AUTHOR,
  'shared_steps.created_by': AUTHOR,
  'shared_steps.updated_by': AUTHOR,
  'comments.created_by': AUTHOR,
  'comments.deleted_by': AUTHOR,
  'default_views.project_id': 'As the user of a default view.',
  'default_views.user_id': 'It says how a list opens. It gives no access.',
  'file_uploads.created_by': AUTHOR,
  'file_uploads.hash_state': 'It is the state of a digest of a content that members of the project can read.',
  'files.digest': 'It is the digest of a content that members of the project can read.',
  'idempotency_keys.key_digest': 'A kept response is returned only to the session or token that may send the request.',
  'idempotency_keys.request_digest': 'As the digest of the key.',
  'idempotency_keys.token_id': 'As the digest of the key.',
  'idempotency_keys.user_id': 'As the digest of the key.',
  'imported_people.key_digest': OF_NAMES,
  'imported_people.user_id': 'It says whose results those of an imported person become. It gives no access.',
  'imports.applied_by': AUTHOR,
  'imports.created_by': AUTHOR,
  'left_out.left_out_by': AUTHOR,
  'projects.auto_quarantine_owner_id': 'It says who receives emails. It gives no access.',
  'quarantines.created_by': AUTHOR,
  'quarantines.ended_by': AUTHOR,
  'quarantines.owner_id': 'It says who looks after a test. It gives no access.',
  'links.created_by': AUTHOR,
  'links.url_digest': OF_NAMES,
  'mentions.project_id': 'It is that of the membership with which the mention ends.',
  'mentions.user_id': 'It says whom a comment mentions. It gives no access.',
  'project_people.user_id': 'The names of those who work in a project. It gives no access.',
  'result_changes.tested_by': AUTHOR,
  'report_subscriptions.project_id': 'It is that of the membership with which the subscription ends.',
  'report_subscriptions.user_id': 'It says who receives emails about a project of theirs. It gives no access.',
  'run_attachments.created_by': AUTHOR,
  'run_attachments.digest': 'As the digest of a file.',
  'test_cases.content_digest': 'It is the digest of a title and steps that members of the project can read.',
  'run_uploads.source_digest': OF_NAMES,
  'runs.completed_by': AUTHOR,
  'runs.created_by': AUTHOR,
  'setup_links.secret_hash': OF_OPERATOR,
  'test_cases.created_by': AUTHOR,
  'test_cases.updated_by': AUTHOR,
  'result_combinations.tested_by': AUTHOR,
  'test_results.tested_by': AUTHOR,
  'tests.place_digest': OF_NAMES,
  'tests.title_digest': OF_NAMES,
  'source_links.field_digests': 'They are digests of values that members of the project can read.',
  'source_links.key_digest': OF_NAMES,
  'source_links.raw_digest': 'As the digests of the values.',
  'used_logout_tokens.digest': 'It keeps a token of the provider from being used twice.',
  'views.private_to': 'A view is a filter of a list. It gives no access.',
  'users.password_hash': 'Every way that is about the password replaces or removes it.',
}

/** Every column that references a user or what belongs to one, or whose name or type says that it may be a secret. */
async function selectSuspects(): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    with recursive owned as (
      select 'users'::regclass::oid as id
      union
      -- What ends with a row that belongs to a user.
      select k.conrelid from pg_constraint k join owned on owned.id = k.confrelid
      where k.contype = 'f' and k.confdeltype = 'c'
    )
    select c.relname as table, a.attname as column
    from pg_class c
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and (
      a.attname ~ '(secret|hash|digest|password|credential|challenge|private|public_key)'
      or a.attname ~ '(^user_id|_by|_user_id|_token)$'
      or a.atttypid = 'bytea'::regtype
      or exists (
        select from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'f' and k.conkey[1] = a.attnum and k.confrelid in (select id from owned)
      )
    )
    order by 1, 2`.execute(server.db)
  return rows
}

const knownTables = new Set((Object.values(traces) as Trace[]).flatMap(({ tables }) => tables))

describe('the traces that an intruder may leave', () => {
  it('include every table with a user, a secret or a grant, unless a reason says why it is none', async () => {
    const suspects = await selectSuspects()
    const unknown = suspects.filter(
      ({ table, column }) => !knownTables.has(table) && !Object.hasOwn(otherColumns, `${table}.${column}`),
    )
    // Add the table to traces.ts with what each way to take an account back does with it, or the column to the list above.
    expect(unknown).toEqual([])
  })

  it('are found: a new table with a secret or a user is reported', async () => {
    await sql`create table share_links (secret_hash bytea, made_by uuid references users (id))`.execute(server.db)
    const found = (await selectSuspects()).filter(({ table }) => table === 'share_links')
    await sql`drop table share_links`.execute(server.db)
    expect(found.map(({ column }) => column)).toEqual(['made_by', 'secret_hash'])
  })

  it('and the list of other columns name only what exists', async () => {
    const suspects = await selectSuspects()
    const columns = new Set(suspects.map(({ table, column }) => `${table}.${column}`))
    expect(Object.keys(otherColumns).filter((name) => !columns.has(name))).toEqual([])
    const tables = new Set(suspects.map(({ table }) => table))
    expect([...knownTables].filter((table) => !tables.has(table))).toEqual([])
  })

  it('each have a treatment for every way, and a way to end what ends', () => {
    const wrong = Object.entries(traces as Record<string, Trace>).filter(
      ([, { ways, end }]) =>
        WAYS.some((way) => ways[way] === undefined) || (end !== undefined) !== Object.values(ways).includes('ends'),
    )
    expect(wrong.map(([name]) => name)).toEqual([])
  })
})
