import { ATTEMPT_STATUSES, type AttemptStatus } from '@caseward/contract/test-fields'
import type { TestAttempt } from '@caseward/contract/run-tests'
import { MAX_ATTEMPT_STEPS, MAX_ATTEMPTS } from '@caseward/contract/uploaded-tests'
import type { TestAttemptRecord, TestOutcomeRecord } from '@caseward/importers/records'
import { readTime } from '@caseward/importers/steps/read-time'
import { cutText } from '@caseward/matching/note'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { HistoryContext } from './history-context.ts'
import type { PlannedRecord } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { planPages, toPlannedRecord } from './plan-pages.ts'
import type { RunTarget } from './plan-runs.ts'
import type { TestActions } from './plan-tests.ts'

/** What came of a test in a run, as it is stored. */
export interface PlannedTestOutcome {
  run_id: string
  /** The key of the test. */
  test: string
  status: AttemptStatus
  is_flaky: boolean
  is_matched: boolean
  attempt_count: number
  attempts: TestAttempt[] | null
  elapsed_ms: number | null
  tested_at: string
  /** The number of the source in the run that decided; null for the first one. Missing in plans of earlier versions. */
  source?: number | null
  /** What each source has reported; empty if only one has. */
  parts?: PlannedPart[]
}

/** What a source has reported of a test in a run, as it is stored. */
export type PlannedPart = Pick<
  PlannedTestOutcome,
  'status' | 'is_flaky' | 'attempt_count' | 'attempts' | 'elapsed_ms' | 'tested_at'
> & { source: number }

type StagedOutcome = Partial<TestOutcomeRecord>

const PAGE = 500
const MAX_MS = 2_147_483_647
const MAX_TEXT = 65_536
const MAX_TITLE = 2000
const MAX_DEPTH = 9
const MAX_SOURCE = 1_000_000

/** Plans what came of automated tests in the runs of a file. */
export async function planTestOutcomes(
  db: Database,
  work: ImportWork,
  { importedAt }: Pick<HistoryContext, 'importedAt'>,
  { runs, tests }: { runs: ReadonlyMap<string, RunTarget>; tests: TestActions },
): Promise<void> {
  const { claim } = work
  const seen = new Set<string>()
  await planPages<StagedOutcome>(db, work, { kind: 'test_outcome', limit: PAGE }, async (rows) => {
    const items = rows.map(({ seq, record }) => {
      const run = runs.get(record.run ?? '')
      const test = tests.get(record.test ?? '')
      return { seq, record, run, test, outcome: toPlannedOutcome(record, run?.id ?? '', importedAt) }
    })
    const existing = await selectExisting(
      db,
      claim.projectId,
      items.flatMap(({ run, test }) =>
        run === undefined || test === undefined ? [] : [{ run: run.id, test: test.id }],
      ),
    )
    return items.map(({ seq, record, run, test, outcome }): PlannedRecord => {
      const key = `${run?.id} ${test?.id}`
      const isGone = run?.action === 'deleted_here' || test?.action === 'deleted_here'
      const isMissing =
        run === undefined ||
        test === undefined ||
        run.action === 'not_imported' ||
        test.action === 'not_imported' ||
        outcome === null ||
        seen.has(key)
      seen.add(key)
      const action = isGone ? 'deleted_here' : isMissing ? 'not_imported' : existing.has(key) ? 'unchanged' : 'create'
      return toPlannedRecord(seq, action, {
        losses:
          action === 'not_imported'
            ? ['not_imported:test_outcome']
            : action === 'create'
              ? findLosses(record, outcome)
              : [],
        planned: outcome,
        id: test?.id ?? null,
      })
    })
  })
}

const toStatus = (word: string | undefined) => ATTEMPT_STATUSES.find((known) => known === word)

/** Returns what is stored of an outcome; null if it cannot be stored. */
export function toPlannedOutcome(record: StagedOutcome, runId: string, importedAt: Date): PlannedTestOutcome | null {
  const outcome = toOutcome(record, importedAt)
  if (outcome === null) return null
  const parts = new Map<number, PlannedPart>()
  for (const { source, ...sent } of record.parts ?? []) {
    const part = isSource(source) && !parts.has(source) ? toOutcome(sent, importedAt) : null
    if (part !== null) parts.set(source, { source, ...part })
  }
  const { source = null } = record
  return {
    run_id: runId,
    test: record.test ?? '',
    is_matched: record.is_matched === true,
    ...outcome,
    source: source !== null && isSource(source) ? source : null,
    parts: [...parts.values()],
  }
}

const isSource = (source: number) => Number.isInteger(source) && source >= 1 && source <= MAX_SOURCE

/** What of the parts cannot be stored. */
const findLosses = ({ parts = [] }: StagedOutcome, outcome: PlannedTestOutcome | null): string[] =>
  (outcome?.parts ?? []).length < parts.length ? ['not_imported:parts_of_tests'] : []

/** Null without a status that is known. */
function toOutcome(
  record: Pick<StagedOutcome, 'status' | 'is_flaky' | 'attempts' | 'attempt_count' | 'elapsed_ms' | 'at'>,
  importedAt: Date,
): Omit<PlannedPart, 'source'> | null {
  const status = toStatus(record.status)
  if (status === undefined) return null
  const { attempts = null, attempt_count: count = 1 } = record
  const testedAt = readTime(record.at ?? '') ?? importedAt
  const kept = attempts === null ? null : attempts.slice(0, MAX_ATTEMPTS).map(toAttempt)
  return {
    status,
    is_flaky: record.is_flaky === true,
    attempt_count: Number.isInteger(count) && count >= 1 && count <= 32_767 ? count : (kept?.length ?? 1) || 1,
    attempts: kept === null || kept.length === 0 ? null : kept,
    elapsed_ms: toMs(record.elapsed_ms ?? null),
    tested_at: (testedAt > importedAt ? importedAt : testedAt).toISOString(),
  }
}

const toMs = (ms: number | null) => (ms === null || !(ms >= 0) || ms > MAX_MS ? null : Math.round(ms))

const toAttempt = ({
  status,
  elapsed_ms: elapsed,
  message,
  details,
  started_at: startedAt,
  steps,
  steps_cut: isCut,
}: TestAttemptRecord): TestAttempt => ({
  status: toStatus(status) ?? 'interrupted',
  elapsed_ms: toMs(elapsed),
  message: cutText(message, MAX_TEXT),
  details: cutText(details, MAX_TEXT),
  started_at: readTime(startedAt)?.toISOString() ?? null,
  ...(steps === undefined
    ? {}
    : {
        steps: steps.slice(0, MAX_ATTEMPT_STEPS).map((step) => ({
          title: cutText(step.title, MAX_TITLE),
          status: toStatus(step.status) ?? null,
          depth: Math.min(Math.max(0, Math.round(step.depth)), MAX_DEPTH),
          elapsed_ms: toMs(step.elapsed_ms),
          message: cutText(step.message, MAX_TEXT),
        })),
      }),
  ...(isCut === true ? { steps_cut: true as const } : {}),
})

async function selectExisting(
  db: Database,
  projectId: string,
  places: readonly { run: string; test: string }[],
): Promise<ReadonlySet<string>> {
  if (places.length === 0) return new Set()
  const { rows } = await sql<{ run_id: string; test_id: string }>`
    select o.run_id, o.test_id from json_to_recordset(${JSON.stringify(places)}) as item (run uuid, test uuid)
    join test_outcomes o on o.project_id = ${projectId} and o.run_id = item.run and o.test_id = item.test`.execute(db)
  return new Set(rows.map((row) => `${row.run_id} ${row.test_id}`))
}
