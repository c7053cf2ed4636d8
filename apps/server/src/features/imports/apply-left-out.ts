import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { lockRuns } from './apply-results.queries.ts'
import { selectSourceNumbers } from './apply-run-uploads.queries.ts'
import { selectTestIds } from './apply-tests.ts'
import { type DoneRecord, markDone, selectWaiting, type WaitingRecord } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { PlannedLeftOut } from './plan-left-out.ts'

const BATCH = 500

/**
 * Stores what was left out of runs, as the rows that put it back. Files of a left-out test are there already: it counts them. The caller
 * holds the lock on the project.
 * @returns how many were done; 0 at the end
 */
export async function applyLeftOut(tx: Database, claim: ClaimedImport): Promise<number> {
  const { projectId } = claim
  const waiting = await selectWaiting<PlannedLeftOut>(tx, claim, 'left_out', BATCH)
  if (waiting.length === 0) return 0
  const runIds = [...new Set(waiting.map(({ planned }) => planned.run_id))]
  const runs = new Set((await lockRuns(tx, projectId, runIds)).map(({ id }) => id))
  const tests = await selectTestIds(
    tx,
    claim,
    waiting.flatMap(({ planned }) => planned.outcome?.test ?? []),
  )
  const hasSource = await selectSourceNumbers(tx, projectId, [...runs])
  const countFiles = await selectFileCounts(tx, projectId, [...runs], [...tests.values()])
  const rows = waiting.flatMap((record) => {
    const testId = tests.get(record.planned.outcome?.test ?? '') ?? null
    const row = runs.has(record.planned.run_id) ? toRow(projectId, record, { testId, hasSource, countFiles }) : null
    return row === null ? [] : [row]
  })
  // The columns of the tables decide how rows are written.
  await sql`
    insert into left_out (project_id, run_id, id, kind, name, content, parts, left_out_at, left_out_by)
    select ${projectId}::uuid, item.run_id, item.id, item.kind, item.name,
      case when item.kind = 'test' then to_json(json_populate_record(null::test_outcomes, item.content))
        else to_json(json_populate_record(null::suite_errors, item.content)) end,
      case when json_typeof(item.parts) = 'array' then (
        select json_agg(part) from json_populate_recordset(null::outcome_parts, item.parts) part
      ) end, item.left_out_at, item.left_out_by
    from json_to_recordset(${toStoredJson(rows)}) as item (
      run_id uuid, id uuid, kind text, name text, content json, parts json, left_out_at timestamptz, left_out_by uuid
    )
    on conflict do nothing`.execute(tx)
  const stored = new Map(rows.map((row) => [row.seq, row]))
  await markDone(
    tx,
    claim,
    waiting.map(({ seq, planned, losses }): DoneRecord => {
      if (!runs.has(planned.run_id)) return { seq, action: 'deleted_here', target: null, losses: [] }
      const row = stored.get(seq)
      return row === undefined
        ? { seq, action: 'not_imported', target: null, losses: ['not_imported:left_out'] }
        : { seq, action: 'create', target: row.id, losses: [...losses, ...row.lost] }
    }),
  )
  return waiting.length
}

interface LeftOutRow extends Pick<PlannedLeftOut, 'run_id' | 'name' | 'left_out_at' | 'left_out_by'> {
  seq: number
  id: string
  kind: 'test' | 'suite_error'
  /** The row of a table, and those of the parts of a test. */
  content: object
  parts: object[] | null
  /** Codes of what the run has no source for. */
  lost: string[]
}

/** Null for a test that is gone. A source that the run does not have here is left out, and counted. */
function toRow(
  projectId: string,
  { seq, planned: { outcome, error, ...values } }: WaitingRecord<PlannedLeftOut>,
  {
    testId,
    hasSource,
    countFiles,
  }: {
    testId: string | null
    hasSource: (runId: string, source: number) => boolean
    countFiles: (runId: string, testId: string) => number | null
  },
): LeftOutRow | null {
  const { run_id: runId } = values
  const has = (source: number) => hasSource(runId, source)
  if (error !== null) {
    const isLost = error.source !== null && !has(error.source)
    const content = { ...error, project_id: projectId, run_id: runId, source: isLost ? null : error.source }
    const lost = isLost ? ['not_imported:sources'] : []
    return { ...values, seq, id: error.id, kind: 'suite_error', content, parts: null, lost }
  }
  if (outcome === null || testId === null) return null
  const { parts = [], source = null, ...rest } = outcome
  const ofTest = { project_id: projectId, run_id: runId, test_id: testId }
  const isWhole = parts.every((part) => has(part.source)) && (source === null || has(source))
  const attachmentCount = countFiles(runId, testId)
  return {
    ...values,
    seq,
    id: testId,
    kind: 'test',
    content: { ...rest, ...ofTest, source: isWhole ? source : null, attachment_count: attachmentCount },
    parts: isWhole && parts.length > 0 ? parts.map((part) => ({ ...part, ...ofTest })) : null,
    lost: isWhole ? [] : ['not_imported:parts_of_tests'],
  }
}

async function selectFileCounts(
  tx: Database,
  projectId: string,
  runIds: readonly string[],
  testIds: readonly string[],
): Promise<(runId: string, testId: string) => number | null> {
  if (testIds.length === 0) return () => null
  const { rows } = await sql<{ run_id: string; test_id: string; count: number }>`
    select run_id, test_id, count(*)::int as count from run_attachments
    where project_id = ${projectId} and run_id = any(${[...runIds]}::uuid[]) and test_id = any(${[...testIds]}::uuid[])
    group by run_id, test_id`.execute(tx)
  const counts = new Map(rows.map((row) => [`${row.run_id} ${row.test_id}`, row.count]))
  return (runId, testId) => counts.get(`${runId} ${testId}`) ?? null
}
