import { sql } from 'kysely'

import type { ProjectRef, RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'

/*
 * Where files are attached, and how many a place has.
 */

/** Where a file is attached. A result is null for the run itself, a step for the whole. */
export type AttachmentPlace =
  | {
      kind: 'run'
      projectId: string
      runId: string
      resultId: string | null
      step: number | null
      /** The place of a combination of the result; missing or null for the whole. */
      combination?: number | null
    }
  | { kind: 'testCase'; projectId: string; caseNumber: number; step: number | null }

/** What is known of a place before a file is sent to it. */
export interface PlaceState {
  /** Attachments that the place has. */
  count: number
  /** Attachments of the run with its results; 0 for a test case. */
  runCount: number
  /** Steps of the test case; 0 without one. */
  stepCount: number
}

export const getTable = ({ kind }: AttachmentPlace) =>
  sql.table(kind === 'run' ? 'run_attachments' : 'case_attachments')

/** Condition on an attachment `a`: it is at this place, whatever its step. */
export const isAt = (place: AttachmentPlace) =>
  place.kind === 'run'
    ? sql`a.project_id = ${place.projectId} and a.run_id = ${place.runId} and ${
        place.resultId === null ? sql`a.result_id is null` : sql`a.result_id = ${place.resultId}`
      }`
    : sql`a.project_id = ${place.projectId} and a.case_number = ${place.caseNumber}`

export async function selectRunState(db: Database, runId: string): Promise<PlaceState | null> {
  const { rows } = await sql<PlaceState>`
    select coalesce(attachment_count, 0) as count, coalesce(attachment_count, 0) as "runCount", 0 as "stepCount"
    from runs where id = ${runId}`.execute(db)
  return rows[0] ?? null
}

/** @param by the result's id, or the number of its test case */
export async function selectResultState(
  db: Database,
  { id: runId, group, project }: RunRef,
  by: { resultId: string } | { caseNumber: number },
): Promise<(PlaceState & { resultId: string }) | null> {
  const isResult =
    'resultId' in by
      ? sql`r.id = ${by.resultId}`
      : sql`r.run_group = ${group} and r.case_number = ${by.caseNumber}::int`
  const { rows } = await sql<PlaceState & { resultId: string }>`
    select r.id as "resultId", coalesce(r.attachment_count, 0) as count, 0 as "runCount", coalesce((
      select json_array_length(c.steps) from test_cases c
      where c.project_id = ${project.id} and c.number = r.case_number
    ), 0) as "stepCount"
    from test_results r where r.project_id = ${project.id} and r.run_id = ${runId} and ${isResult}`.execute(db)
  return rows[0] ?? null
}

export async function selectTestCaseState(
  db: Database,
  projectId: string,
  caseNumber: number,
): Promise<PlaceState | null> {
  const { rows } = await sql<PlaceState>`
    select coalesce(attachment_count, 0) as count, 0 as "runCount", json_array_length(steps) as "stepCount"
    from test_cases where project_id = ${projectId} and number = ${caseNumber}`.execute(db)
  return rows[0] ?? null
}

/** What an attachment had that was deleted. */
export interface DeletedAttachment {
  fileId: string | null
  testId: string | null
  isWaiting: boolean
}

/** Subtracts a deleted attachment of a run from the numbers that {@link moveAttachmentCount} does not move. */
export async function subtractDeclared(
  tx: Database,
  { projectId, runId }: AttachmentPlace & { kind: 'run' },
  { testId, isWaiting }: DeletedAttachment,
): Promise<void> {
  if (isWaiting) {
    await sql`
      update runs set waiting_file_count = nullif(waiting_file_count - 1, 0)
      where project_id = ${projectId} and id = ${runId}`.execute(tx)
  }
  if (testId !== null) {
    await sql`
      update test_outcomes set attachment_count = nullif(attachment_count - 1, 0)
      where project_id = ${projectId} and run_id = ${runId} and test_id = ${testId}`.execute(tx)
  }
}

const MOVED_COUNT = (by: number) => sql`attachment_count = nullif(coalesce(attachment_count, 0) + ${by}::int, 0)`

/**
 * Moves the number of attachments of a place by any number, also 0, and locks its row and that of its run until the
 * transaction ends. Returns null when the place is gone.
 */
export async function moveAttachmentCount(
  tx: Database,
  place: AttachmentPlace,
  by: number,
): Promise<Omit<PlaceState, 'stepCount'> | null> {
  if (place.kind === 'testCase') {
    // The deletion of the project, which takes its files first, waits or has ended.
    await sql`select from projects where id = ${place.projectId} for key share`.execute(tx)
    const { rows } = await sql<{ count: number }>`
      update test_cases set ${MOVED_COUNT(by)} where project_id = ${place.projectId} and number = ${place.caseNumber}
      returning coalesce(attachment_count, 0) as count`.execute(tx)
    return rows[0] === undefined ? null : { count: rows[0].count, runCount: 0 }
  }
  const { rows: runs } = await sql<{ count: number }>`
    update runs set ${MOVED_COUNT(by)} where project_id = ${place.projectId} and id = ${place.runId}
    returning coalesce(attachment_count, 0) as count`.execute(tx)
  const runCount = runs[0]?.count
  if (runCount === undefined) return null
  if (place.resultId === null) return { count: runCount, runCount }
  const { rows } = await sql<{ count: number }>`
    update test_results set ${MOVED_COUNT(by)}
    where project_id = ${place.projectId} and run_id = ${place.runId} and id = ${place.resultId}
    returning coalesce(attachment_count, 0) as count`.execute(tx)
  return rows[0] === undefined ? null : { count: rows[0].count, runCount }
}

/** Formats the id of a test case for the audit log, or the id of a run. */
export const formatPlace = (place: AttachmentPlace, { prefix }: ProjectRef): Record<string, string> =>
  place.kind === 'run' ? { run_id: place.runId } : { test_case_id: formatTestCaseId(prefix, place.caseNumber) }
