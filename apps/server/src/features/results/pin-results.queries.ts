import { type RawBuilder, sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'

/*
 * The version of a test case that a person has tested stays with the result, so that later changes do not change what was tested.
 */

/**
 * The version that a result `r` is pinned to after a write of a person.
 * @param isTested whether the result has a status then
 * @param sent the version that the request names; null for none
 */
export const buildPin = (
  { project }: RunRef,
  isTested: RawBuilder<unknown>,
  sent: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`case when ${isTested} then (
    select least(coalesce(${sent}, r.case_version, c.version), c.version)
    from test_cases c where c.project_id = ${project.id} and c.number = r.case_number
  ) end`

/** The number of the test case of a result `r` if its version could still be extended by a save in the browser; else null. */
export const buildRecentCase = ({ project }: RunRef): RawBuilder<unknown> => sql`(
    select c.number from test_cases c
    where c.project_id = ${project.id} and c.number = r.case_number and c.version > 1
      and c.updated_at > statement_timestamp() - interval '10 minutes'
      and coalesce(c.last_pinned_version, 0) < c.version
  )`

/**
 * Keeps versions that were just tested from being extended. What is being saved at this moment is left out, because whatever
 * deletes test cases locks them before it locks runs: such a version becomes part of the next one, whose text is shown then.
 */
export async function protectPinnedVersions(
  tx: Database,
  projectId: string,
  caseNumbers: readonly number[],
): Promise<void> {
  if (caseNumbers.length === 0) return
  await sql`
    update test_cases c set last_pinned_version = c.version
    from (
      select number from test_cases where project_id = ${projectId} and number = any(${caseNumbers}::int[])
      for no key update skip locked
    ) free
    where c.project_id = ${projectId} and c.number = free.number`.execute(tx)
}
