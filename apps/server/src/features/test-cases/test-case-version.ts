import type { ChangedTestCaseProblem } from '@caseward/contract/test-case-schemas'

import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/http/problems.ts'
import { selectTestCase } from './test-cases.queries.ts'

/**
 * The version in a valid `If-Match` header (RFC 9110, section 13.1.1); null without one and for `*`, which match every
 * version. A number that is too large for a version matches none.
 */
export const parseIfMatch = (header: string | undefined): number | null =>
  header === undefined || header === '*' ? null : Number(header.slice(1, -1))

/**
 * Locks a test case and checks its version. Does nothing when there is no such test case.
 * @param version null for any
 * @returns whether it uses shared steps; null when there is no such test case
 * @throws {Problem} 412 with the test case as it is now, and who changed it last
 */
export async function requireVersion(
  tx: Database,
  project: ProjectRef,
  number: number,
  version: number | null,
): Promise<{ usesSharedSteps: boolean } | null> {
  const row = await tx
    .selectFrom('test_cases')
    .select(['version', 'updated_by', sql<boolean>`step_groups is not null`.as('uses_shared_steps')])
    .where('project_id', '=', project.id)
    .where('number', '=', number)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) return null
  if (version === null || row.version === version) return { usesSharedSteps: row.uses_shared_steps }
  const { updated_by: userId } = row
  const user =
    userId === null
      ? undefined
      : await tx.selectFrom('users').select(['id', 'name']).where('id', '=', userId).executeTakeFirst()
  const current = JSON.parse((await selectTestCase(tx, project, number)) ?? 'null') as ChangedTestCaseProblem['current']
  throw changedMeanwhileProblem({ current, changed_by: user ?? null })
}

const changedMeanwhileProblem = (conflict: Pick<ChangedTestCaseProblem, 'current' | 'changed_by'>) =>
  new Problem(
    412,
    'changed_meanwhile',
    `The test case has changed since this version and now has version ${conflict.current.version}. Compare your change with \`current\`, and send it again with the new version.`,
    { extensions: conflict },
  )
