import type { ImportRow } from '@caseward/contract/test-case-imports'

import type { Database } from '../../platform/database/connect.ts'
import { claimGroups } from '../shared-steps/claim-groups.ts'
import { resolveSteps } from '../shared-steps/resolve-steps.ts'
import type { StoredSteps } from '../shared-steps/step-groups.ts'
import { getRowPath } from './import-paths.ts'

/** A row whose steps are converted. */
export interface StepsRow {
  index: number
  row: { steps?: ImportRow['steps'] | undefined; shared_steps?: ImportRow['shared_steps'] | undefined }
  /** What the test case has, if it uses shared steps. */
  current: StoredSteps | null
}

/**
 * Converts the steps of rows to those that are stored. The caller holds the lock on the project.
 * @returns in the order of the rows; undefined for rows without steps
 * @throws {Problem} 400 with every unknown shared step, and every test case with too many steps
 */
export async function resolveImportSteps(
  tx: Database,
  projectId: string,
  rows: readonly StepsRow[],
): Promise<(StoredSteps | undefined)[]> {
  const sent = rows.map(({ row, index, current }) => ({ steps: row.steps, path: getRowPath(index), current }))
  const resolved = await resolveSteps(tx, projectId, sent)
  const claimed = rows.map(({ row: { shared_steps: claims = [] }, index, current }, place) => ({
    claims,
    path: getRowPath(index),
    current,
    steps: resolved[place],
  }))
  return await claimGroups(tx, projectId, claimed)
}

/**
 * Converts the steps of all rows as if no test case used shared steps; those of test cases that do are converted again when these
 * are read, and only then is it known what a file says of them.
 */
export const readImportSteps = (
  tx: Database,
  projectId: string,
  rows: readonly ImportRow[],
): Promise<(StoredSteps | undefined)[]> =>
  resolveImportSteps(
    tx,
    projectId,
    rows.map(({ id, steps, shared_steps: claims }, index) => ({
      index,
      row: id === undefined ? { steps, shared_steps: claims } : { steps },
      current: null,
    })),
  )
