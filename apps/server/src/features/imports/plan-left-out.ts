import type { LeftOutRecord } from '@caseward/importers/records'
import { cutText } from '@caseward/matching/note'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { HistoryContext } from './history-context.ts'
import type { PlannedRecord } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { readPastTime } from './past-time.ts'
import { type CreateAction, planPages, toPlannedRecord } from './plan-pages.ts'
import type { RunTarget } from './plan-runs.ts'
import { type PlannedSuiteError, toPlannedError } from './plan-suite-errors.ts'
import { type PlannedTestOutcome, toPlannedOutcome } from './plan-test-outcomes.ts'
import type { TestActions } from './plan-tests.ts'

/** A test or an error that was left out of a run, as it is stored to put it back. */
export interface PlannedLeftOut {
  run_id: string
  name: string
  /** One of both. */
  outcome: PlannedTestOutcome | null
  error: PlannedSuiteError | null
  left_out_by: string | null
  left_out_at: string
}

type Context = Pick<HistoryContext, 'source' | 'people' | 'isSelf' | 'importedAt'> & {
  runs: ReadonlyMap<string, RunTarget>
  tests: TestActions
}

const PAGE = 500
const MAX_NAME = 4000
const LOSS = 'not_imported:left_out'

/** Plans what was left out of runs: it stays left out. */
export async function planLeftOut(db: Database, work: ImportWork, context: Context): Promise<void> {
  const { claim } = work
  const seen = new Set<string>()
  await planPages<LeftOutRecord>(db, work, { kind: 'left_out', limit: PAGE }, async (rows) => {
    const items = rows.map(({ seq, record }) => ({ seq, record, ...toPlanned(record, claim.projectId, context) }))
    const existing = await selectExisting(
      db,
      claim.projectId,
      items.map(({ id }) => id),
    )
    return items.map(({ seq, record, id, planned, losses }): PlannedRecord => {
      const key = `${planned.run_id} ${id}`
      const test = record.outcome === null ? null : context.tests.get(record.outcome.test)
      const action = decide(context.runs.get(record.run)?.action, test === null ? 'create' : test?.action, {
        isHere: existing.has(key),
        isPossible: (planned.outcome !== null || planned.error !== null) && !seen.has(key),
        isSelf: context.isSelf,
      })
      seen.add(key)
      return toPlannedRecord(seq, action, {
        losses: action === 'create' ? losses : action === 'not_imported' ? [LOSS] : [],
        planned,
        id,
      })
    })
  })
}

function decide(
  run: RunTarget['action'] | undefined,
  test: PlannedRecord['action'] | undefined,
  { isHere, isPossible, isSelf }: { isHere: boolean; isPossible: boolean; isSelf: boolean },
): CreateAction {
  if (run === 'deleted_here' || test === 'deleted_here') return 'deleted_here'
  const isMissing = run === undefined || run === 'not_imported' || test === undefined || test === 'not_imported'
  if (isMissing || !isPossible) return 'not_imported'
  if (isHere) return 'unchanged'
  return isSelf ? 'deleted_here' : 'create'
}

function toPlanned(
  { run, name, outcome: sent, error: sentError, person, at: sentAt }: LeftOutRecord,
  projectId: string,
  context: Context,
): { id: string; planned: PlannedLeftOut; losses: string[] } {
  const { runs, tests, people, importedAt } = context
  const losses: string[] = []
  const runId = runs.get(run)?.id ?? ''
  const outcome = sent === null ? null : toPlannedOutcome(sent, runId, importedAt)
  const error = sentError === null ? null : toPlannedError(sentError, projectId, context)
  losses.push(...(error?.losses ?? []))
  const at = readPastTime(sentAt, importedAt, losses)
  if (at === null) losses.push('time_missing')
  const user = people.findUser(person)
  if (person !== '' && user === null) losses.push('not_imported:people_who_left_out')
  return {
    id: error?.error.id ?? tests.get(sent?.test ?? '')?.id ?? '',
    planned: {
      run_id: runId,
      name: cutText(name, MAX_NAME),
      outcome,
      error: error?.error ?? null,
      left_out_by: user,
      left_out_at: at ?? importedAt.toISOString(),
    },
    losses: [...new Set(losses)],
  }
}

async function selectExisting(db: Database, projectId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ run_id: string; id: string }>`
    select run_id, id from left_out where project_id = ${projectId} and id::text = any(${[...ids]}::text[])`.execute(db)
  return new Set(rows.map(({ run_id: runId, id }) => `${runId} ${id}`))
}
