import { type RawBuilder, sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { onCandidateConflict } from '../files/file-candidates.queries.ts'

/** An attachment that an upload declares. */
export interface Declaration {
  /** Null for a result without a test. */
  testId: string | null
  /** The first one that is in the run has the attachment. */
  caseNumbers: readonly number[]
  source: number
  attempt: number
  name: string
  /** In hexadecimal. */
  sha256: string
  byteCount: number
  isTrace: boolean
}

/** A declaration with what was found out about it. */
export interface NewDeclaration extends Declaration {
  id: string
  resultId: string | null
  /** The file of the project with its content; null if there is none. */
  fileId: string | null
}

/** Attempts whose attachments an upload replaces: at a test, or at a result without a test. */
interface ReplacedAttempts {
  testId: string | null
  resultId: string | null
  source: number
}

/** What the replaced attempts had. */
export interface Replaced {
  /** Declarations that equal an attachment that stays, and those of them whose content has not arrived. */
  keptIds: string[]
  keptWaitingIds: string[]
  deletedCount: number
  deletedWaitingCount: number
  /** Tests and results that have lost attachments. */
  testIds: string[]
  resultIds: string[]
}

/** Returns the ids of results by the numbers of their test cases. */
export async function selectResultIds(
  tx: Database,
  { id, group, project }: RunRef,
  caseNumbers: readonly number[],
): Promise<Map<number, string>> {
  if (caseNumbers.length === 0) return new Map()
  const { rows } = await sql<{ id: string; number: number }>`${plannedAnew}
    select r.id, r.case_number as number from test_results r
    where r.project_id = ${project.id} and r.run_group = ${group} and r.run_id = ${id}
      and r.case_number = any(${`{${caseNumbers.join(',')}}`}::int[])`.execute(tx)
  return new Map(rows.map((row) => [row.number, row.id]))
}

const texts = (values: readonly string[]) => sql`${toArrayLiteral(values)}::text[]`
const list = (values: readonly (string | number | boolean | null)[], type: string): RawBuilder<unknown> =>
  sql`${`{${values.map((value) => value ?? 'NULL').join(',')}}`}::${sql.raw(type)}[]`

/**
 * Deletes the attachments of attempts that are replaced, unless the upload declares an equal one, and lets a sweep look at
 * their files. Those whose content the project has got meanwhile are deleted, too: they are declared anew, and complete.
 */
export async function deleteReplaced(
  tx: Database,
  { id: runId, project }: RunRef,
  sent: readonly NewDeclaration[],
  replaced: readonly ReplacedAttempts[],
): Promise<Replaced> {
  const { rows } = await sql<Replaced>`${plannedAnew}
    with sent as materialized (
      select s.id, s.test_id, s.result_id, s.source, s.attempt, s.name, decode(s.sha256, 'hex') as digest, f.id as file_id
      from unnest(
        ${list(
          sent.map(({ id }) => id),
          'uuid',
        )}, ${list(
          sent.map(({ testId }) => testId),
          'uuid',
        )},
        ${list(
          sent.map(({ resultId }) => resultId),
          'uuid',
        )}, ${list(
          sent.map(({ source }) => source),
          'int',
        )},
        ${list(
          sent.map(({ attempt }) => attempt),
          'smallint',
        )}, ${texts(sent.map(({ name }) => name))},
        ${texts(sent.map(({ sha256 }) => sha256))}
      ) as s (id, test_id, result_id, source, attempt, name, sha256)
      left join files f on f.project_id = ${project.id} and f.digest = decode(s.sha256, 'hex')
    ), replaced as materialized (
      select * from unnest(
        ${list(
          replaced.map(({ testId }) => testId),
          'uuid',
        )}, ${list(
          replaced.map(({ resultId }) => resultId),
          'uuid',
        )},
        ${list(
          replaced.map(({ source }) => source),
          'int',
        )}
      ) as r (test_id, result_id, source)
    ), present as materialized (
      select a.id, a.test_id, a.result_id, a.source, a.attempt, a.name, a.file_id, a.digest, a.removed_at
      from replaced r join run_attachments a
        on a.project_id = ${project.id} and a.run_id = ${runId} and a.test_id = r.test_id and a.source = r.source
      union all
      select a.id, a.test_id, a.result_id, a.source, a.attempt, a.name, a.file_id, a.digest, a.removed_at
      from replaced r join run_attachments a
        on a.project_id = ${project.id} and a.run_id = ${runId} and a.result_id = r.result_id and a.source = r.source
      where a.test_id is null
    ), kept as materialized (
      select p.id, s.id as sent_id, p.file_id is null as is_waiting
      from present p join sent s on s.source = p.source and s.attempt = p.attempt and s.name = p.name
        and case when p.test_id is null then s.test_id is null and s.result_id = p.result_id else s.test_id = p.test_id end
        and case when p.file_id is null then s.file_id is null and p.digest = s.digest else p.file_id = s.file_id end
      where p.removed_at is null
    ), deleted as (
      delete from run_attachments a
      where a.project_id = ${project.id} and a.run_id = ${runId}
        and a.id in (select id from present except select id from kept)
      returning a.test_id, a.result_id, a.file_id, a.file_id is null and a.removed_at is null as is_waiting
    ), candidates as (
      insert into file_candidates (project_id, file_id)
      select distinct ${project.id}::uuid, file_id from deleted where file_id is not null
      order by file_id ${onCandidateConflict}
    )
    select
      array(select sent_id from kept) as "keptIds", array(select sent_id from kept where is_waiting) as "keptWaitingIds",
      (select count(*)::int from deleted) as "deletedCount",
      (select count(*)::int from deleted where is_waiting) as "deletedWaitingCount",
      array(select distinct test_id from deleted where test_id is not null) as "testIds",
      array(select distinct result_id from deleted where result_id is not null) as "resultIds"`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('A statement without conditions has returned no row')
  return row
}

/** Returns the files of a project by the digests of their contents. */
export async function selectFilesByDigest(
  db: Database,
  projectId: string,
  digests: readonly string[],
  { lock = false } = {},
): Promise<Map<string, string>> {
  if (digests.length === 0) return new Map()
  const { rows } = await sql<{ id: string; digest: Buffer }>`${plannedAnew}
    select f.id, f.digest from files f
    where f.project_id = ${projectId} and f.digest = any(array(
      select decode(sha256, 'hex') from unnest(${texts(digests)}) as sent (sha256)
    ))
    order by f.id ${lock ? sql`for key share` : sql``}`.execute(db)
  return new Map(rows.map(({ id, digest }) => [digest.toString('hex'), id]))
}

/** The same, and locks the files until the transaction ends: no sweep deletes them before they are attached. */
export const lockFilesByDigest = (
  tx: Database,
  projectId: string,
  digests: readonly string[],
): Promise<Map<string, string>> => selectFilesByDigest(tx, projectId, digests, { lock: true })

/** Sets the numbers of the run by what was added and deleted. */
const countInRun = (
  { id: runId, project }: RunRef,
  added: readonly NewDeclaration[],
  { deletedCount, deletedWaitingCount }: Replaced,
): RawBuilder<unknown> => {
  const waiting = added.filter(({ fileId }) => fileId === null).length
  return sql`
    update runs set
      attachment_count = nullif(coalesce(attachment_count, 0) + ${added.length - deletedCount}::int, 0),
      waiting_file_count = nullif(coalesce(waiting_file_count, 0) + ${waiting - deletedWaitingCount}::int, 0)
    where project_id = ${project.id} and id = ${runId}`
}

/** Adds to the attachments of tests or results of a run. The numbers are looked up in an object: no plan compares every row with every other. */
function addCounts(
  { id: runId, project }: RunRef,
  { table, column }: { table: 'test_outcomes' | 'test_results'; column: 'test_id' | 'id' },
  ids: readonly (string | null)[],
): RawBuilder<unknown> {
  const counts: Record<string, number> = {}
  for (const id of ids) if (id !== null) counts[id] = (counts[id] ?? 0) + 1
  const id = sql.ref(`t.${column}`)
  return sql`
    update ${sql.table(table)} t
    set attachment_count = coalesce(t.attachment_count, 0) + (${JSON.stringify(counts)}::jsonb ->> ${id}::text)::int
    where t.project_id = ${project.id} and t.run_id = ${runId} and ${id} = any(${list(Object.keys(counts), 'uuid')})`
}

/** Inserts declarations, and moves the numbers of the run, its tests and results by them, and those of the run by what they replace. */
export async function insertDeclared(
  tx: Database,
  run: RunRef,
  added: readonly NewDeclaration[],
  replaced: Replaced,
): Promise<void> {
  if (added.length === 0) {
    if (replaced.deletedCount > 0) await countInRun(run, added, replaced).execute(tx)
    return
  }
  const ofTests = { table: 'test_outcomes', column: 'test_id' } as const
  const ofResults = { table: 'test_results', column: 'id' } as const
  await sql`
    with inserted as (
      insert into run_attachments (
        project_id, run_id, id, test_id, result_id, source, attempt, name, file_id, digest, byte_count, is_trace
      )
      select ${run.project.id}, ${run.id}, id, test_id, result_id, source, attempt, name, file_id,
        case when file_id is null then decode(sha256, 'hex') end, case when file_id is null then byte_count end,
        case when file_id is null then is_trace end
      from unnest(
        ${list(
          added.map(({ id }) => id),
          'uuid',
        )}, ${list(
          added.map(({ testId }) => testId),
          'uuid',
        )},
        ${list(
          added.map(({ resultId }) => resultId),
          'uuid',
        )}, ${list(
          added.map(({ source }) => source),
          'int',
        )},
        ${list(
          added.map(({ attempt }) => attempt),
          'smallint',
        )}, ${texts(added.map(({ name }) => name))},
        ${list(
          added.map(({ fileId }) => fileId),
          'uuid',
        )}, ${texts(added.map(({ sha256 }) => sha256))},
        ${list(
          added.map(({ byteCount }) => byteCount),
          'bigint',
        )},
        ${list(
          added.map(({ isTrace }) => (isTrace ? true : null)),
          'boolean',
        )}
      ) as sent (id, test_id, result_id, source, attempt, name, file_id, sha256, byte_count, is_trace)
    ), outcomes as (
      ${addCounts(
        run,
        ofTests,
        added.map(({ testId }) => testId),
      )}
    ), results as (
      ${addCounts(
        run,
        ofResults,
        added.map(({ resultId }) => resultId),
      )}
    )
    ${countInRun(run, added, replaced)}`.execute(tx)
}

/** Counts the attachments of tests and results of a run anew that have lost some. */
export async function recountAttachments(
  tx: Database,
  { id: runId, project }: RunRef,
  { testIds, resultIds }: { testIds: readonly string[]; resultIds: readonly string[] },
): Promise<void> {
  const recount = (table: 'test_outcomes' | 'test_results', column: 'test_id' | 'id', ids: readonly string[]) => sql`
    update ${sql.table(table)} t set attachment_count = nullif((
      select count(*)::int from run_attachments a
      where a.project_id = ${project.id} and a.run_id = ${runId}
        and a.${sql.raw(table === 'test_outcomes' ? 'test_id' : 'result_id')} = t.${sql.raw(column)}
    ), 0)
    where t.project_id = ${project.id} and t.run_id = ${runId} and t.${sql.raw(column)} = any(${`{${ids.join(',')}}`}::uuid[])`
  if (resultIds.length > 0) await recount('test_results', 'id', resultIds).execute(tx)
  if (testIds.length > 0) await recount('test_outcomes', 'test_id', testIds).execute(tx)
}
