import { MAX_AUTOMATION_KEYS } from '@caseward/contract/test-case-fields'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { conflictProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudits } from '../audit/record-audit.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import { recordVersionsOfSent } from '../case-versions/record-versions.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { toKeyDigest } from '../test-cases/automation-keys.ts'
import { lockTestCases } from '../test-cases/change-test-cases.ts'
import { setArchived } from '../test-cases/set-archived.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { takeMerge } from './case-merges.queries.ts'
import { announceMerged } from './merge-test-cases.ts'
import { selectMergedCases, writeMergedRows } from './merged-cases.queries.ts'
import { giveBackKeys, giveBackParts, selectKeyDigests } from './merged-parts.queries.ts'

/**
 * Gives back what a merge has moved and is still there, and restores what it has archived. Locks as the merge does.
 * @throws {Problem} 404 for an unknown merge; 409 when one of the test cases is no longer what the merge has left
 */
export async function undoMerge(
  db: Database,
  project: ProjectRef,
  { author, actor }: { author: CaseAuthor; actor: AuditActor },
  target: number,
  mergeId: string,
): Promise<{ test_case_id: string; restored_ids: string[] }> {
  const { id: projectId, prefix } = project
  const toId = (number: number) => formatTestCaseId(prefix, number)
  return await transactionWithRowMutex(db, projectId, async (tx) => {
    await requireLockedProject(tx, projectId)
    const moved = await takeMerge(tx, projectId, target, mergeId)
    if (moved === null) throw notFoundProblem('merge')
    const numbers = moved.map(({ number }) => number)
    const stored = await lockTestCases(tx, projectId, [target, ...numbers])
    const cases = await selectMergedCases(tx, projectId, [target, ...numbers])
    const targetCase = cases.get(target)
    const sources = moved.flatMap((parts) => {
      const source = cases.get(parts.number)
      return source?.mergedInto === target ? [{ ...parts, source }] : []
    })
    if (targetCase === undefined || sources.length < moved.length) throw changedMeanwhile()

    const digests = await selectKeyDigests(tx, projectId, [target])
    const rows = sources.map(({ number, keys, wasArchived, source }) => {
      const given = keys.filter((key) => digests.get(toKeyDigest(key)) === target)
      return { number, given, wasArchived, keys: [...given, ...source.keys] }
    })
    if (rows.some(({ keys }) => keys.length > MAX_AUTOMATION_KEYS)) throw changedMeanwhile()
    const given = new Set(rows.flatMap((row) => row.given.map(toKeyDigest)))
    const left = targetCase.keys.filter((key) => !given.has(toKeyDigest(key)))

    const by = (summary: string): CaseAuthor => ({ ...author, via: 'merge', summary })
    const fromTarget = { number: target, sent: { automation_keys: left } }
    await recordVersionsOfSent(tx, projectId, by(`No longer merged: ${numbers.map(toId).join(', ')}`), [fromTarget])
    const sent = rows.map(({ number, keys, wasArchived: archived }) => ({
      number,
      sent: { automation_keys: keys, archived },
    }))
    await recordVersionsOfSent(tx, projectId, by(`No longer merged into ${toId(target)}`), sent)
    await setArchived(tx, project, author, stored, new Map(rows.map((row) => [row.number, row.wasArchived])), {
      keepsVersion: true,
    })
    await giveBackParts(tx, projectId, target, moved)
    await giveBackKeys(
      tx,
      projectId,
      rows.flatMap((row) => row.given.map((key) => ({ digest: toKeyDigest(key), number: row.number }))),
    )
    const written = rows.map(({ number, keys }) => ({ number, keys, mergedInto: null }))
    await writeMergedRows(tx, projectId, author.userId, [{ number: target, keys: left, mergedInto: null }, ...written])
    await announceMerged(tx, projectId, [target, ...numbers])
    const entries = sources.map(({ number, source }) => ({
      action: 'test_case.undo_merge' as const,
      subject: { kind: 'test_case' as const, id: toId(number), name: source.title },
      projectId,
      detail: { into: toId(target) },
    }))
    await recordAudits(tx, actor, entries)
    return { test_case_id: toId(target), restored_ids: numbers.map(toId) }
  })
}

const changedMeanwhile = () =>
  conflictProblem(
    'changed_meanwhile',
    'One of the test cases was deleted, restored or merged again after this merge, or has other automation keys, so that the merge can no longer be undone. Restore the archived test cases that you need, and move what belongs to them.',
  )
