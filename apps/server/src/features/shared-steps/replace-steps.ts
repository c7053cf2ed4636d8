import type { StepInput } from '@caseward/contract/steps'

import type { Database } from '../../platform/database/connect.ts'
import { lockSteps, saveUses } from './shared-step-uses.queries.ts'
import { listChangedUses, resolveSteps } from './resolve-steps.ts'
import type { StoredSteps } from './step-groups.ts'

/**
 * Converts the steps that replace those of a test case, which the caller has locked and then writes, and saves which shared steps
 * it uses. Without shared steps before and now, this needs no statement.
 * @param sent undefined if the request does not contain steps
 * @throws {Problem} see {@link resolveSteps}
 */
export async function replaceSteps(
  tx: Database,
  projectId: string,
  number: number,
  sent: readonly StepInput[] | undefined,
  { usesSharedSteps, isExact }: { usesSharedSteps: boolean; isExact: boolean },
): Promise<StoredSteps | undefined> {
  if (sent === undefined) return undefined
  const [current = null] = usesSharedSteps ? await lockSteps(tx, projectId, [number]) : []
  const [steps] = await resolveSteps(tx, projectId, [{ steps: sent, path: '', current, isExact }])
  await saveUses(tx, projectId, listChangedUses([{ number, current, steps }]))
  return steps
}
