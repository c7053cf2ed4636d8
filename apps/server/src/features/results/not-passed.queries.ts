import type { ResultStatus } from '@caseward/contract/results'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import type { RunRef } from '../../access/project-cache.ts'

/** A result that is not `passed`. */
export interface NotPassed {
  title: string
  /** Null once the case was deleted. */
  caseId: string | null
  status: Exclude<ResultStatus, 'passed'>
  /** How its note begins. */
  note: string | null
}

const LISTED = 100
const NOTE_LENGTH = 1000

/** The first results of a run that are not passed: failed ones, then blocked, to be retested, not tested. */
export async function selectNotPassed(db: Database, { id, project }: RunRef): Promise<NotPassed[]> {
  // The type lists its values in this order. Notes are cut outside, where only those are left that are shown.
  const { rows } = await sql<{
    title: string
    number: number | null
    status: NotPassed['status']
    note: string | null
  }>`
    select title, case_number as number, status, left(note, ${sql.lit(NOTE_LENGTH)}) as note from (
      select title, case_number, status, note, id from test_results
      where project_id = ${project.id} and run_id = ${id} and status <> 'passed'
      order by status, id limit ${sql.lit(LISTED)}
    ) listed order by status, id`.execute(db)
  return rows.map(({ title, number, status, note }) => ({
    title,
    caseId: number === null ? null : formatTestCaseId(project.prefix, number),
    status,
    note,
  }))
}
