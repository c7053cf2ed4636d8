import type { FieldError } from '@caseward/contract/problem'
import type { ImportRow } from '@caseward/contract/test-case-imports'

import type { Database } from '../../platform/database/connect.ts'
import { invalidProblem } from '../../platform/http/problems.ts'
import { requireFreeUses } from './resolve-steps.ts'
import { selectCurrentSharedSteps } from './shared-steps.queries.ts'
import { insertGroup, type StoredSteps } from './step-groups.ts'

/** What a row of a file says of its steps. */
export interface ClaimedSteps {
  claims: NonNullable<ImportRow['shared_steps']>
  path: string
  /** What the test case has, if it uses shared steps. */
  current: StoredSteps | null
  /** What is stored for its steps; undefined if it has none. */
  steps: StoredSteps | undefined
}

/**
 * Makes steps of rows parts of the shared steps that the rows name. Those that a test case has already stay as they are.
 * @returns what is stored for the steps of each row
 * @throws {Problem} 400 with every shared step that does not exist, or has other steps; 422 for one with too many uses
 */
export async function claimGroups(
  tx: Database,
  projectId: string,
  rows: readonly ClaimedSteps[],
): Promise<(StoredSteps | undefined)[]> {
  const titles = [...new Set(rows.flatMap(({ claims }) => claims.map(({ title }) => title)))]
  if (titles.length === 0) return rows.map(({ steps }) => steps)
  const found = await selectCurrentSharedSteps(tx, projectId, { titles })
  const byTitle = new Map(found.map((shared) => [shared.title.toLowerCase(), shared]))
  const errors: FieldError[] = []
  const claimed = rows.map(({ claims, path, steps: sent }) => {
    let steps = sent
    for (const [index, { title, first, count }] of claims.entries()) {
      const claimPath = `${path}/shared_steps/${index}`
      if (steps === undefined) {
        errors.push({ path: claimPath, message: 'needs the steps of the test case in the same row' })
        continue
      }
      const isThere = steps.step_groups?.some(
        (group) => group.first === first && group.count === count && group.title.toLowerCase() === title.toLowerCase(),
      )
      if (isThere === true) continue
      const shared = byTitle.get(title.toLowerCase())
      const changed = shared?.steps.length === count ? insertGroup(steps, first, shared) : null
      if (changed !== null) steps = changed
      else if (shared === undefined) {
        errors.push({
          path: `${claimPath}/title`,
          message: 'is not a shared step of this project: create it first, or leave it out',
        })
      } else {
        errors.push({
          path: claimPath,
          message:
            'has other steps than the shared step: change that, or leave it out to keep them as steps of the test case',
        })
      }
    }
    return steps
  })
  if (errors.length > 0) throw invalidProblem(errors)
  await requireFreeUses(
    tx,
    projectId,
    rows.map(({ current }, index) => ({ current, steps: claimed[index] })),
  )
  return claimed
}
