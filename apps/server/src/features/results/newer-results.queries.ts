import { MAX_ERROR_NOTE_LENGTH } from '@caseward/contract/bulk-results'
import type { TestResult } from '@caseward/contract/results'
import { type RawBuilder, sql } from 'kysely'

import type { ProjectRef, RunRef } from '../../access/project-cache.ts'
import { defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TextRow } from '../../platform/database/fast-reads/text-rows.ts'
import { encodeResultWrites } from './encode-result-writes.ts'
import { resultFields } from './result-columns.ts'
import type { PartialResult, ResultWrite } from './result-write.ts'

/** Of ten thousand notes, each of 65,536 characters, only the start is returned. */
const columns = defineColumns<Omit<TestResult, 'fields'>, ProjectRef>({
  ...resultFields,
  note: { ...resultFields.note, sql: `left(r.note, ${MAX_ERROR_NOTE_LENGTH})` },
})

/**
 * Returns the results of a run that are newer than the writes are based on, by case number, with the start of their notes.
 * A result that the same user has set to the same values does not count: the client may repeat a request whose response
 * was lost. The caller holds the lock on the run.
 */
export async function selectNewerResults(
  tx: Database,
  run: RunRef,
  writes: readonly ResultWrite[],
  testedBy: string,
): Promise<Map<number, TestResult>> {
  const based = writes.filter(({ base }) => base !== undefined)
  if (based.length === 0) return new Map()
  const keys = sql`${based.map(({ caseNumber }) => caseNumber)}::int[]`
  const match = sql`r.run_group = ${run.group} and r.case_number = input.key`
  const { rows } = await sql<{ number: number; item: TextRow }>`
    select r.case_number as number, ${sql.raw(columns.textArray)} as item
    ${await buildNewer(run, { keys, match }, based, testedBy)}`.execute(tx)
  return new Map(rows.map(({ number, item }) => [number, JSON.parse(columns.toJson(item, run.project)) as TestResult]))
}

/** Whether a result, given its own id, is newer in the sense of {@link selectNewerResults}. */
export async function isNewerResult(
  tx: Database,
  run: RunRef,
  id: string,
  write: PartialResult & Pick<ResultWrite, 'base'>,
  testedBy: string,
): Promise<boolean> {
  const keys = sql`${[id]}::uuid[]`
  const match = sql`r.id = input.key`
  const { rows } = await sql`
    select r.id ${await buildNewer(run, { keys, match }, [{ ...write, caseNumber: 0 }], testedBy)}`.execute(tx)
  return rows.length > 0
}

/** In milliseconds, as responses contain it. */
const TESTED_AT = sql.raw(`date_trunc('milliseconds', r.tested_at)`)

async function buildNewer(
  { id, project }: RunRef,
  { keys, match }: { keys: RawBuilder<unknown>; match: RawBuilder<unknown> },
  writes: readonly (PartialResult & Pick<ResultWrite, 'base' | 'caseNumber'>)[],
  testedBy: string,
): Promise<RawBuilder<unknown>> {
  const { statuses, notes, elapsed } = await encodeResultWrites(writes)
  const bases = writes.map(({ base }) => base?.toISOString() ?? null)
  const keepsNote = writes.map((write) => write.note === undefined)
  const keepsElapsed = writes.map((write) => write.elapsed === undefined)
  return sql`
    from unnest(
      ${keys}, ${bases}::timestamptz[], ${statuses}::result_status[], ${notes}::text[], ${elapsed}::int[],
      ${keepsNote}::boolean[], ${keepsElapsed}::boolean[]
    ) as input (key, base, status, note, elapsed, keeps_note, keeps_elapsed)
    join test_results r on r.project_id = ${project.id} and r.run_id = ${id} and ${match}
    where r.tested_at is not null and (input.base is null or ${TESTED_AT} > input.base)
      and not (
        r.tested_by is not distinct from ${testedBy}::uuid and (input.status is null or r.status = input.status)
        and (input.keeps_note or r.note is not distinct from input.note)
        and (input.keeps_elapsed or r.elapsed is not distinct from input.elapsed)
      )`
}
