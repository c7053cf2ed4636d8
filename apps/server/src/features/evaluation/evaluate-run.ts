import type { EvaluationCounts } from '@caseward/contract/evaluation-fields'
import type { TestQuarantine } from '@caseward/contract/stability'
import { LISTED_VERDICTS } from '@caseward/contract/verdicts'
import type { AttemptStatus } from '@caseward/contract/test-fields'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { findDefaultBranch } from '../build-data/build-data.queries.ts'
import { selectActiveByTest } from '../quarantines/quarantines.queries.ts'
import { isMassFailure } from '../tests/run-uploads.queries.ts'
import { type BaseCandidate, selectBaseCandidates, selectEarlierRuns } from './base-candidates.queries.ts'
import { type BaseOutcomes, countMissing, selectBaseOutcomes, selectTestsFailedIn } from './base-outcomes.queries.ts'
import { type DecidedVerdict, decideVerdicts, type TestEvidence } from './decide-verdicts.ts'
import { type EvaluatedRun, lockEvaluatedRun } from './evaluated-run.queries.ts'
import { reevaluateSiblings } from './enqueue-evaluation.ts'
import { type FailedOutcome, readFailedOutcomes } from './failed-outcomes.queries.ts'
import { holdsFor } from './quarantined-branches.ts'
import { findSince, MAX_EARLIER_RUNS, type Since } from './find-since.ts'
import { findFlakeEvents } from './flake-events.ts'
import { collectWarnings } from './collect-warnings.ts'
import { updateAfterRun } from '../stability/update-after-run.ts'
import { selectFlakyTests } from './was-flaky.ts'
import {
  type EarlierFlake,
  replaceFailures,
  replaceFlakeEvents,
  replaceVerdicts,
  selectEarlierFlakes,
  type VerdictWrite,
} from './write-evaluation.queries.ts'
import { type StoredEvaluation, saveEvaluation } from './stored-evaluation.ts'

/** Failures of flake events that are older explain nothing. */
const KNOWN_FLAKE_DAYS = 90
const DAY_MS = 86_400_000

/**
 * Evaluates a run: what each failure means, whether it blocks, and which tests flaked. Does nothing if the evaluation is current.
 * One transaction, and the evaluations of a project one after another.
 * @returns false when the run is gone
 */
export async function evaluateRun(db: Database, ref: RunRef): Promise<boolean> {
  return await transactionWithRowMutex(db, `evaluation ${ref.project.id}`, async (tx) => {
    const run = await lockEvaluatedRun(tx, ref)
    if (run === undefined) return false
    if (!run.is_current) await evaluate(tx, ref, run)
    return true
  })
}

async function evaluate(tx: Database, ref: RunRef, run: EvaluatedRun): Promise<void> {
  const projectId = ref.project.id
  const { branch: defaultBranch } = await findDefaultBranch(tx, projectId)
  const base = findBaseBranch(run, defaultBranch)
  const candidates = base.isKnown ? await selectBaseCandidates(tx, ref, run, base.branch) : []
  const failed = await readFailedOutcomes(tx, ref)
  const isOfBaseBranch = base.isKnown && run.pull_request === null && run.branch === base.branch
  const passed = await selectPassedOf(tx, ref, await selectTestsFailedIn(tx, projectId, candidates), failed)
  const bases = await selectBaseOutcomes(tx, projectId, candidates, {
    failed: failed.map(({ testId }) => testId),
    passed,
  })
  const flakes = await selectEarlierFlakes(
    tx,
    ref,
    run,
    failed.map(({ testId }) => testId),
  )
  const now = new Date()
  const evidence = toEvidence({
    run,
    failed,
    passed,
    bases,
    candidates,
    quarantines: await selectActiveByTest(tx, projectId),
    flakes,
    flakyTests: await selectFlakyTests(tx, projectId, flakes, now),
    now,
  })
  const verdicts = await decideVerdicts(evidence, { hasBase: candidates.length > 0, isOfBaseBranch })
  const since = await findSince(tx, projectId, {
    runId: ref.id,
    earlierRuns: await selectEarlierRuns(tx, ref, run, MAX_EARLIER_RUNS),
    testIds: failed.filter(({ status }) => status === 'failed').map(({ testId }) => testId),
  })
  const excluded = getExclusion(run, failed)
  await replaceFailures(tx, ref, run, failed)
  await replaceVerdicts(tx, ref, toWrites(verdicts, { evidence, failed, since, flakes }))
  const canFlake = run.is_trusted && !run.is_imported && excluded === null
  const events = canFlake ? await findFlakeEvents(tx, ref, run, failed) : []
  const flakedTests = await replaceFlakeEvents(tx, ref, run, events)
  const missing =
    run.is_complete && candidates[0] !== undefined ? await countMissing(tx, projectId, ref.id, candidates[0].id) : 0
  const evaluation: StoredEvaluation = {
    base: toStoredBase(candidates[0]),
    counts: countVerdicts(verdicts, missing),
    blocking_count: verdicts.filter(({ blocks }) => blocks).length,
    executed_count: countExecuted(run, failed).executed,
    test_ms: await sumElapsed(tx, ref),
    warnings: collectWarnings({
      run,
      base,
      candidates,
      missing,
      excluded,
      executed: countExecuted(run, failed).executed,
    }),
  }
  await saveEvaluation(tx, ref, run, { evaluation, excluded })
  await updateAfterRun(tx, {
    projectId,
    runId: ref.id,
    createdAt: run.created_at,
    isOfBaseBranch: run.pull_request === null && run.branch !== null && run.branch === defaultBranch,
    isSettled: run.is_settled && canFlake,
    testIds: [...new Set([...failed.map(({ testId }) => testId), ...flakedTests])],
  })
  if (excluded !== run.excluded) await reevaluateSiblings(tx, ref, run)
}

/** How long the tests of a run took together. */
async function sumElapsed(tx: Database, { id, project }: RunRef): Promise<number | null> {
  const { rows } = await sql<{ elapsed: number | null }>`
    select sum(elapsed_ms) as elapsed from test_outcomes where project_id = ${project.id} and run_id = ${id}`.execute(
    tx,
  )
  return rows[0]?.elapsed ?? null
}

/** The branch that a run is compared with. */
export interface BaseBranch {
  /** Null for runs without a branch. */
  branch: string | null
  /** Whether it is known; else nothing can be compared. */
  isKnown: boolean
}

function findBaseBranch(run: EvaluatedRun, defaultBranch: string | null): BaseBranch {
  if (run.base_branch !== null) return { branch: run.base_branch, isKnown: true }
  // A run without a branch, such as one of a laptop, is compared with others of that kind.
  if (run.branch === null) return { branch: null, isKnown: true }
  return { branch: defaultBranch, isKnown: defaultBranch !== null }
}

/** Returns those of the tests that passed in a run, and did not flake. */
async function selectPassedOf(
  tx: Database,
  { id, project }: RunRef,
  testIds: readonly string[],
  failed: readonly FailedOutcome[],
): Promise<string[]> {
  const others = new Set(failed.map(({ testId }) => testId))
  const wanted = testIds.filter((testId) => !others.has(testId))
  if (wanted.length === 0) return []
  const { rows } = await sql<{ test_id: string }>`${plannedAnew}
    select test_id from test_outcomes
    where project_id = ${project.id} and run_id = ${id} and test_id = any(${wanted}::uuid[])
      and status = 'passed' and not is_flaky`.execute(tx)
  return rows.map((row) => row.test_id)
}

interface EvidenceSources {
  run: EvaluatedRun
  failed: readonly FailedOutcome[]
  /** Tests that passed here, and failed in a candidate. */
  passed: readonly string[]
  bases: BaseOutcomes
  candidates: readonly BaseCandidate[]
  quarantines: ReadonlyMap<string, TestQuarantine>
  flakes: ReadonlyMap<string, readonly EarlierFlake[]>
  flakyTests: ReadonlySet<string>
  now: Date
}

function toEvidence(sources: EvidenceSources): TestEvidence[] {
  const { run, failed, passed, bases, candidates, quarantines, flakes, flakyTests, now } = sources
  const branches = [run.branch, run.base_branch].filter((branch) => branch !== null)
  const [newest] = candidates
  const findQuarantine = (testId: string) => {
    const entry = quarantines.get(testId)
    return entry !== undefined && holdsFor(entry, branches) ? entry.id : null
  }
  const findKnownFlakes = (testId: string) =>
    flakyTests.has(testId)
      ? (flakes.get(testId) ?? []).flatMap(({ at, failure }) =>
          failure !== null && now.getTime() - at.getTime() < KNOWN_FLAKE_DAYS * DAY_MS ? [failure] : [],
        )
      : []
  const getBase = (testId: string) => ({
    base: bases.outcomes.get(testId) ?? null,
    firstBaseStatus: bases.firstStatuses.get(testId) ?? null,
  })
  return [
    ...failed.map(({ testId, status, isFlaky, final, knownSince }) => ({
      testId,
      status,
      isFlaky,
      failure: final,
      quarantineId: findQuarantine(testId),
      ...getBase(testId),
      isNewTest: newest !== undefined && knownSince > newest.created_at,
      knownFlakes: findKnownFlakes(testId),
    })),
    ...passed.map((testId) => ({
      testId,
      status: 'passed' as AttemptStatus,
      isFlaky: false,
      failure: null,
      quarantineId: null,
      ...getBase(testId),
      isNewTest: false,
      knownFlakes: [],
    })),
  ]
}

interface WriteSources {
  evidence: readonly TestEvidence[]
  failed: readonly FailedOutcome[]
  since: ReadonlyMap<string, Since>
  flakes: ReadonlyMap<string, readonly EarlierFlake[]>
}

function toWrites(verdicts: readonly DecidedVerdict[], sources: WriteSources): VerdictWrite[] {
  const evidence = new Map(sources.evidence.map((test) => [test.testId, test]))
  const outcomes = new Map(sources.failed.map((outcome) => [outcome.testId, outcome]))
  return verdicts.map((decided) => {
    const { testId, verdict } = decided
    const outcome = outcomes.get(testId)
    const test = evidence.get(testId)
    return {
      ...decided,
      isFirstFlake: verdict === 'flaked' && !sources.flakes.has(testId),
      baseRunId: test?.base?.runId ?? null,
      since: sources.since.get(testId) ?? null,
      signature: (outcome?.final ?? outcome?.failures.at(-1))?.signature ?? null,
      quarantineId: verdict === 'quarantined' ? (test?.quarantineId ?? null) : null,
    }
  })
}

function countVerdicts(verdicts: readonly DecidedVerdict[], missing: number): EvaluationCounts {
  const counts = Object.fromEntries(LISTED_VERDICTS.map((verdict) => [verdict, 0])) as EvaluationCounts
  for (const { verdict } of verdicts) counts[verdict] += 1
  return { ...counts, missing }
}

/** The counters of runs count blocked tests as failed. */
function countExecuted(run: EvaluatedRun, failed: readonly FailedOutcome[]): { executed: number; failed: number } {
  const failedCount = failed.filter(({ status }) => status === 'failed').length
  return { executed: run.passed_test_count + failedCount, failed: failedCount }
}

/** Why a run is no base and makes no test flaky; null if it does. What a user decided goes before. */
function getExclusion(run: EvaluatedRun, failed: readonly FailedOutcome[]): EvaluatedRun['excluded'] {
  if (run.excluded_by_hand !== null) return run.excluded_by_hand ? 'by_hand' : null
  return isMassFailure(countExecuted(run, failed)) ? 'mass_failure' : null
}

const toStoredBase = (candidate: BaseCandidate | undefined): StoredEvaluation['base'] =>
  candidate === undefined
    ? null
    : {
        run_id: candidate.id,
        name: candidate.name,
        branch: candidate.branch,
        commit: candidate.commit_sha,
        is_exact: candidate.is_exact,
      }
