import { SIGNATURE_VERSION } from '@caseward/failures/read-failure'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'
import type { DecidedVerdict, FailureRef } from './decide-verdicts.ts'
import type { EvaluatedRun } from './evaluated-run.queries.ts'
import type { FailedOutcome } from './failed-outcomes.queries.ts'
import type { Since } from './find-since.ts'
import { type FlakeEvent, getCommitKey } from './flake-events.ts'

/** A verdict with what is stored beside it. */
export interface VerdictWrite extends DecidedVerdict {
  isFirstFlake: boolean
  baseRunId: string | null
  since: Since | null
  signature: string | null
  quarantineId: string | null
}

const ROWS_PER_STATEMENT = 5000

/** Calls `write` with the rows as JSON, so many at a time that the event loop is not blocked. */
async function writeBatches<T>(
  rows: readonly T[],
  toRow: (row: T) => object,
  write: (json: string) => Promise<unknown>,
): Promise<void> {
  const yielder = createYielder()
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const texts: string[] = []
    for (const row of rows.slice(start, start + ROWS_PER_STATEMENT)) {
      if (yielder.shouldYield()) await yielder.yield()
      texts.push(JSON.stringify(toRow(row)))
    }
    await write(`[${texts.join(',')}]`)
  }
}

/** Replaces the failures of a run, and adds their signatures to those of the project. */
export async function replaceFailures(
  tx: Database,
  { id, project }: RunRef,
  { created_at: createdAt }: Pick<EvaluatedRun, 'created_at'>,
  outcomes: readonly FailedOutcome[],
): Promise<void> {
  await tx.deleteFrom('test_failures').where('project_id', '=', project.id).where('run_id', '=', id).execute()
  const distinct = new Map(outcomes.flatMap(({ failures }) => failures.map((failure) => [failure.signature, failure])))
  // In one order, so that evaluations of a project on two servers cannot wait for each other.
  const signatures = [...distinct.values()].toSorted((a, b) => (a.signature < b.signature ? -1 : 1))
  await writeBatches(
    signatures,
    ({ signature, kind, message, frame, title, isWeak }) => ({
      signature,
      kind,
      message,
      frame,
      title,
      is_weak: isWeak,
    }),
    (json) =>
      sql`
        insert into failure_signatures as s (
          project_id, signature, version, kind, message, frame, is_weak, title, first_run_id, first_seen_at
        )
        select ${project.id}, signature, ${sql.lit(SIGNATURE_VERSION)}, kind, message, frame, is_weak, title, ${id}::uuid,
          ${createdAt}::timestamptz
        from json_to_recordset(${json}::json) as sent(
          signature uuid, kind text, message text, frame text, is_weak boolean, title text
        )
        on conflict (project_id, signature) do update set title = excluded.title,
          first_run_id = case when excluded.first_seen_at < s.first_seen_at then excluded.first_run_id else s.first_run_id end,
          first_seen_at = least(excluded.first_seen_at, s.first_seen_at)
        where s.title <> excluded.title or excluded.first_seen_at < s.first_seen_at`.execute(tx),
  )
  const failures = outcomes.flatMap(({ testId, failures: ofTest, final }) =>
    ofTest.map(({ signature }, index) => ({
      test_id: testId,
      place: index + 1,
      signature,
      is_final: signature === final?.signature,
    })),
  )
  await writeBatches(
    failures,
    (failure) => failure,
    (json) =>
      sql`
        insert into test_failures (project_id, run_id, test_id, place, signature, is_final)
        select ${project.id}, ${id}, sent.*
        from json_to_recordset(${json}::json) as sent(
          test_id uuid, place smallint, signature uuid, is_final boolean
        )`.execute(tx),
  )
}

/** Replaces the verdicts of a run. */
export async function replaceVerdicts(
  tx: Database,
  { id, project }: RunRef,
  verdicts: readonly VerdictWrite[],
): Promise<void> {
  await tx.deleteFrom('test_verdicts').where('project_id', '=', project.id).where('run_id', '=', id).execute()
  await writeBatches(
    verdicts,
    ({ testId, verdict, blocks, isFirstFlake, baseRunId, since, signature, quarantineId }) => ({
      test_id: testId,
      verdict,
      blocks,
      is_first_flake: isFirstFlake,
      base_run_id: baseRunId,
      since_run_id: since?.runId ?? null,
      since_runs: since?.runs ?? null,
      signature,
      quarantine_id: quarantineId,
    }),
    (json) =>
      sql`
        insert into test_verdicts (
          project_id, run_id, test_id, verdict, blocks, is_first_flake, base_run_id, since_run_id, since_runs, signature,
          quarantine_id
        )
        select ${project.id}, ${id}, sent.*
        from json_to_recordset(${json}::json) as sent(
          test_id uuid, verdict verdict, blocks boolean, is_first_flake boolean, base_run_id uuid, since_run_id uuid,
          since_runs smallint, signature uuid, quarantine_id uuid
        )`.execute(tx),
  )
}

/**
 * Replaces the flake events that a run shows. Of one commit, a test has one, whatever shows it first.
 * @returns the tests that have got or lost one
 */
export async function replaceFlakeEvents(
  tx: Database,
  { id, project }: RunRef,
  run: EvaluatedRun,
  events: readonly FlakeEvent[],
): Promise<string[]> {
  const { rows } = await sql<{ test_id: string }>`
    with deleted as (delete from flake_events where project_id = ${project.id} and run_id = ${id} returning test_id)
    select test_id from deleted`.execute(tx)
  await writeBatches(
    events,
    ({ testId, kind, otherRunId, signature }) => ({ test_id: testId, kind, other_run_id: otherRunId, signature }),
    (json) =>
      sql`
        insert into flake_events (project_id, test_id, commit_key, kind, run_id, other_run_id, signature, at)
        select ${project.id}, test_id, ${getCommitKey({ id }, run)}, kind, ${id}::uuid, other_run_id, signature,
          ${run.created_at}::timestamptz
        from json_to_recordset(${json}::json) as sent(test_id uuid, kind flake_kind, other_run_id uuid, signature uuid)
        on conflict do nothing`.execute(tx),
  )
  return [...new Set([...rows.map((row) => row.test_id), ...events.map(({ testId }) => testId)])]
}

/** A flake event of another commit. */
export interface EarlierFlake {
  testId: string
  at: Date
  /** Null if its failure is not known any more. */
  failure: FailureRef | null
}

/** Selects the flake events of tests on other commits than that of a run. */
export async function selectEarlierFlakes(
  db: Database,
  ref: RunRef,
  run: EvaluatedRun,
  testIds: readonly string[],
): Promise<Map<string, EarlierFlake[]>> {
  const flakes = new Map<string, EarlierFlake[]>()
  for (let start = 0; start < testIds.length; start += ROWS_PER_STATEMENT) {
    const { rows } = await sql<{
      test_id: string
      at: Date
      signature: string | null
      kind: string | null
      message: string | null
      is_weak: boolean | null
    }>`
      select e.test_id, e.at, replace(s.signature::text, '-', '') as signature, s.kind, s.message, s.is_weak
      from flake_events e
      left join failure_signatures s on s.project_id = ${ref.project.id} and s.signature = e.signature
      where e.project_id = ${ref.project.id} and e.commit_key <> ${getCommitKey(ref, run)}
        and e.test_id = any(${testIds.slice(start, start + ROWS_PER_STATEMENT)}::uuid[])
      order by e.at`.execute(db)
    for (const { test_id: testId, at, signature, kind, message, is_weak: isWeak } of rows) {
      const failure =
        signature === null
          ? null
          : { signature, kind: kind ?? '', message: message ?? '', isWeak: isWeak ?? false, exactMessage: null }
      flakes.set(testId, [...(flakes.get(testId) ?? []), { testId, at, failure }])
    }
  }
  return flakes
}
