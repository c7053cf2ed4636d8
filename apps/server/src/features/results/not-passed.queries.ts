import type { ResultStatus } from '@caseward/contract/results'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import type { RunRef } from '../../access/project-cache.ts'

export interface NotPassedResult {
  title: string
  /** Null after the test case was deleted. */
  testCaseId: string | null
  status: Exclude<ResultStatus, 'passed'>
  /** At most the first 1,000 characters. */
  note: string | null
}

const MAX_RESULTS = 100
const MAX_NOTE_LENGTH = 1000

/** The first results of a run that have not passed: failed, then blocked, retest, not tested. */
export async function selectNotPassedResults(db: Database, { id, project }: RunRef): Promise<NotPassedResult[]> {
  // The enum lists its values in this order. The outer query cuts notes, so that only those of the page are cut.
  const { rows } = await sql<{
    title: string
    number: number | null
    status: NotPassedResult['status']
    note: string | null
  }>`
    select title, case_number as number, status, left(note, ${sql.lit(MAX_NOTE_LENGTH)}) as note from (
      select title, case_number, status, note, id from test_results
      where project_id = ${project.id} and run_id = ${id} and status <> 'passed'
      order by status, id limit ${sql.lit(MAX_RESULTS)}
    ) page order by status, id`.execute(db)
  return rows.map(({ number, ...result }) => ({
    ...result,
    testCaseId: number === null ? null : formatTestCaseId(project.prefix, number),
  }))
}
