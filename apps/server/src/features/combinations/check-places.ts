import type { BulkResultError } from '@caseward/contract/bulk-results'
import { type RawBuilder, sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { ResultChanges } from '../events/result-changes.ts'
import { newerResultError } from '../results/match-items.ts'
import type { ResultWrite } from '../results/result-write.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'

type PlacedWrite = Pick<ResultWrite, 'caseNumber' | 'place'>

interface StoredPlace {
  case_number: number
  place: number
  status: string
  note: string | null
  elapsed: number | null
  tested_by: string | null
  tested_at: Date | null
}

/**
 * Checks those of the writes that name a combination: it must not be newer than the caller knows. Whether it exists is known only
 * when it is written, except in a run without any, and of writes with steps, which are planned before.
 * @returns the writes that can be stored, and an error for each of the others
 */
export async function checkPlaces(
  tx: Database,
  run: RunRef,
  writes: readonly ResultWrite[],
  { testedBy, changes }: { testedBy: string; changes: ResultChanges },
): Promise<{ writes: ResultWrite[]; errors: BulkResultError[] }> {
  const placed = writes.filter(({ place }) => place !== undefined)
  if (placed.length === 0) return { writes: [], errors: [] }
  if (!changes.hasCombinations) return { writes: [], errors: placed.map((write) => noCombinationError(run, write)) }
  const based = placed.filter(({ base }) => base !== undefined)
  const stored = based.length > 0 ? await selectStored(tx, run, based) : new Map<string, StoredPlace>()
  const stepped = placed.filter(({ steps }) => steps !== undefined)
  const unknown = new Set(stepped.length > 0 ? await findUnknownPlaces(tx, run, stepped) : [])
  const errors: BulkResultError[] = []
  const valid = placed.filter((write) => {
    const { caseNumber, place, base } = write
    if (unknown.has(write)) {
      errors.push(noCombinationError(run, write))
      return false
    }
    const current = stored.get(`${caseNumber} ${place}`)
    if (base === undefined || current === undefined) return true
    const { tested_at: testedAt } = current
    const isNewer = testedAt !== null && (base === null || testedAt > base)
    if (!isNewer || isSame(current, write, testedBy)) return true
    errors.push(newerResultError(formatTestCaseId(run.project.prefix, caseNumber), testedAt))
    return false
  })
  return { writes: valid, errors }
}

export function noCombinationError({ project }: RunRef, { caseNumber, place }: PlacedWrite): BulkResultError {
  const id = formatTestCaseId(project.prefix, caseNumber)
  return {
    test_case_id: id,
    error: `${id} has no combination ${place} in this run.`,
    code: 'no_such_combination',
  }
}

/** Whether the same user has set the same values: the client may repeat a request whose response was lost. */
const isSame = (current: StoredPlace, { status, note, elapsed }: ResultWrite, testedBy: string): boolean =>
  current.tested_by === testedBy &&
  current.status === status &&
  (note === undefined || note === current.note) &&
  (elapsed === undefined || elapsed === current.elapsed)

/** Returns those of the writes whose combinations do not exist. */
export async function findUnknownPlaces<W extends PlacedWrite>(
  tx: Database,
  run: RunRef,
  writes: readonly W[],
): Promise<W[]> {
  const { rows } = await sql<{ places: string | null }>`
    select string_agg(r.case_number || ' ' || c.place, ',') as places ${fromCombinations(run, writes)}`.execute(tx)
  const known = new Set(rows[0]?.places?.split(','))
  return writes.filter(({ caseNumber, place }) => !known.has(`${caseNumber} ${place}`))
}

async function selectStored(
  tx: Database,
  run: RunRef,
  writes: readonly ResultWrite[],
): Promise<Map<string, StoredPlace>> {
  const { rows } = await sql<StoredPlace>`
    select r.case_number, c.place, c.status, c.note, c.elapsed, c.tested_by, c.tested_at
    ${fromCombinations(run, writes)}`.execute(tx)
  return new Map(rows.map((row) => [`${row.case_number} ${row.place}`, row]))
}

function fromCombinations({ id, group, project }: RunRef, writes: readonly PlacedWrite[]): RawBuilder<unknown> {
  const numbers = [...new Set(writes.map(({ caseNumber }) => caseNumber))]
  return sql`
    from test_results r join result_combinations c
      on c.project_id = ${project.id} and c.run_id = ${id} and c.result_id = r.id
    where r.project_id = ${project.id} and r.run_group = ${group} and r.run_id = ${id}
      and r.case_number = any(${`{${numbers.join(',')}}`}::int[])`
}
