import type { FlakeKind } from '@caseward/contract/stability'
import type { AttemptStatus } from '@caseward/contract/test-fields'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { createYielder } from '../../platform/yielder.ts'
import { selectAllSources, type SourceOfRun } from '../tests/run-uploads.queries.ts'
import { FIRST_SOURCE } from '../tests/outcome-write.ts'
import { selectSiblingRuns } from './base-candidates.queries.ts'
import { selectTestsFailedIn } from './base-outcomes.queries.ts'
import { endedDifferently, findFlakeInRun, type FlakePart } from './derive-flake-events.ts'
import type { EvaluatedRun } from './evaluated-run.queries.ts'
import type { FailedOutcome } from './failed-outcomes.queries.ts'

/** That a test both passed and failed on the commit of a run. */
export interface FlakeEvent {
  testId: string
  kind: FlakeKind
  otherRunId: string | null
  signature: string | null
}

/** The commit of a run, with the target: a new deployment is no flake. Without a commit, the run stands for itself. */
export const getCommitKey = (
  { id }: Pick<RunRef, 'id'>,
  { commit_sha: commit, target }: Pick<EvaluatedRun, 'commit_sha' | 'target'>,
): string => (commit === null ? `run ${id}` : target === null ? commit : `${commit} ${target}`)

/** Finds the tests that flaked on the commit of a run: in the run, or between it and another run of the commit. */
export async function findFlakeEvents(
  db: Database,
  ref: RunRef,
  run: EvaluatedRun,
  failed: readonly FailedOutcome[],
): Promise<FlakeEvent[]> {
  const events = new Map<string, FlakeEvent>()
  const byTest = new Map(failed.map((outcome) => [outcome.testId, outcome]))
  const getSignature = (testId: string) => byTest.get(testId)?.failures.at(-1)?.signature ?? null
  const siblings = await selectSiblingRuns(db, ref, run)
  const failedBeside = siblings.length === 0 ? [] : await selectTestsFailedIn(db, ref.project.id, siblings)
  const testIds = [...new Set([...byTest.keys(), ...failedBeside])]
  const parts = await selectFlakeParts(db, ref, testIds)
  const yielder = createYielder()
  for (const testId of byTest.keys()) {
    if (yielder.shouldYield()) await yielder.yield()
    const kind = findFlakeInRun(parts.get(testId) ?? [])
    if (kind !== null) events.set(testId, { testId, kind, otherRunId: null, signature: getSignature(testId) })
  }
  for (const sibling of siblings) {
    const others = await selectFlakeParts(db, { ...ref, id: sibling.id }, testIds)
    for (const testId of testIds) {
      if (yielder.shouldYield()) await yielder.yield()
      if (events.has(testId) || !endedDifferently(parts.get(testId) ?? [], others.get(testId) ?? [])) continue
      events.set(testId, { testId, kind: 'commit', otherRunId: sibling.id, signature: getSignature(testId) })
    }
  }
  return [...events.values()].toSorted((a, b) => (a.testId < b.testId ? -1 : 1))
}

const TESTS_PER_STATEMENT = 5000

/** Selects what the sources of a run have reported of tests, without their attempts. */
async function selectFlakeParts(
  db: Database,
  run: RunRef,
  testIds: readonly string[],
): Promise<Map<string, FlakePart[]>> {
  const parts = new Map<string, FlakePart[]>()
  if (testIds.length === 0) return parts
  const sources = await selectAllSources(db, run)
  for (let start = 0; start < testIds.length; start += TESTS_PER_STATEMENT) {
    const ids = testIds.slice(start, start + TESTS_PER_STATEMENT)
    const select = async (table: 'outcome_parts' | 'test_outcomes') =>
      (
        await sql<PartRow>`${plannedAnew}
          select test_id, coalesce(source, ${sql.lit(FIRST_SOURCE)}) as source, status, is_flaky, tested_at
          from ${sql.table(table)}
          where project_id = ${run.project.id} and run_id = ${run.id} and test_id = any(${ids}::uuid[])`.execute(db)
      ).rows
    for (const row of await select('outcome_parts')) {
      parts.set(row.test_id, [...(parts.get(row.test_id) ?? []), toFlakePart(row, sources)])
    }
    // The outcome of a test that one source has reported is its only part.
    for (const row of await select('test_outcomes')) {
      if (!parts.has(row.test_id)) parts.set(row.test_id, [toFlakePart(row, sources)])
    }
  }
  return parts
}

interface PartRow {
  test_id: string
  source: number
  status: AttemptStatus
  is_flaky: boolean
  tested_at: Date
}

function toFlakePart(row: PartRow, sources: (number: number) => SourceOfRun): FlakePart {
  const { source, isExcluded } = sources(row.source)
  return { source, isExcluded, status: row.status, isFlaky: row.is_flaky, testedAt: row.tested_at.getTime() }
}
