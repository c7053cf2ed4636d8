import { MAX_STEPS } from '@caseward/contract/steps'
import { MAX_SHARED_STEP_USES } from '@caseward/contract/shared-steps'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { unprocessableProblem } from '../../platform/http/problems.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { tooManyUsesProblem } from './resolve-steps.ts'
import { lockSteps, saveUses, type StepsWrite, writeSteps } from './shared-step-uses.queries.ts'
import { changeGroups, listUsedIds, type SharedContent } from './step-groups.ts'

/** Test cases that are written with one statement: their steps are in memory at a time. */
const BATCH_SIZE = 500
/** The most characters of steps that one change writes: about ten seconds. */
const MAX_WRITTEN_LENGTH = 100_000_000

/**
 * Gives a new version of a shared step to the test cases that follow it. Those that are not chosen stay at the version that they
 * have. The caller holds the locks on the project and on the shared step.
 * @param change.chosen numbers of test cases; null for all
 * @throws {Problem} 422 for too many test cases or steps, or too much text
 */
export async function applySharedStep(
  tx: Database,
  { id: projectId, prefix }: ProjectRef,
  author: CaseAuthor,
  users: readonly number[],
  { content, chosen }: { content: SharedContent; chosen: ReadonlySet<number> | null },
): Promise<void> {
  if (users.length > MAX_SHARED_STEP_USES) throw tooManyUsesProblem()
  let written = 0
  await inBatches(tx, projectId, users, async (batch) => {
    const writes = batch.flatMap(({ number, version, steps, step_groups: groups }): StepsWrite[] => {
      const isChosen = chosen === null || chosen.has(number)
      let isChanged = false
      const changed = changeGroups({ steps, step_groups: groups }, (group) => {
        if (group.shared_step_id !== content.id || !group.follows) return null
        isChanged = true
        return isChosen ? content : { follows: false }
      })
      if (!isChanged) return []
      if (changed.steps.length > MAX_STEPS) {
        throw unprocessableProblem(
          'too_many_steps',
          `${formatTestCaseId(prefix, number)} would have ${changed.steps.length.toLocaleString('en')} steps: a test case has up to ${MAX_STEPS}. Leave it out of the change, or shorten it first.`,
        )
      }
      return [{ number, version, steps: isChosen ? changed.steps : null, step_groups: changed.step_groups ?? null }]
    })
    written += JSON.stringify(writes).length
    if (written > MAX_WRITTEN_LENGTH) {
      throw unprocessableProblem(
        'change_too_large',
        'The steps of the test cases that use it have more than 100 million characters. Detach some of them, or create a second shared step.',
      )
    }
    await writeSteps(tx, projectId, author, writes)
  })
}

/**
 * Gives test cases the steps of a shared step as their own.
 * @returns how many changed
 */
export async function detachTestCases(
  tx: Database,
  projectId: string,
  author: CaseAuthor,
  id: string,
  users: readonly number[],
): Promise<number> {
  let count = 0
  await inBatches(tx, projectId, users, async (batch) => {
    const writes = batch.map(({ number, version, steps, step_groups: groups }): StepsWrite => {
      const changed = changeGroups({ steps, step_groups: groups }, (group) =>
        group.shared_step_id === id ? 'detach' : null,
      )
      return { number, version, steps: null, step_groups: changed.step_groups ?? null }
    })
    await writeSteps(tx, projectId, author, writes)
    await saveUses(
      tx,
      projectId,
      writes.map(({ number, step_groups: groups }) => ({ number, ids: listUsedIds(groups) })),
    )
    count += writes.length
  })
  return count
}

async function inBatches(
  tx: Database,
  projectId: string,
  numbers: readonly number[],
  write: (batch: Awaited<ReturnType<typeof lockSteps>>) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < numbers.length; start += BATCH_SIZE) {
    await write(await lockSteps(tx, projectId, numbers.slice(start, start + BATCH_SIZE)))
  }
}
