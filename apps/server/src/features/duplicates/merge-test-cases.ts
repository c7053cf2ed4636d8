import { ATTACHMENT_LIMIT } from '@caseward/contract/attachments'
import { MAX_COMMENTS } from '@caseward/contract/comment-schemas'
import { MAX_LINKS } from '@caseward/contract/link-schemas'
import type { Merge, MergeRefusal } from '@caseward/contract/merges'
import { MAX_AUTOMATION_KEYS } from '@caseward/contract/test-case-fields'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { notFoundProblem, Problem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudits } from '../audit/record-audit.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import { recordVersionsOfSent } from '../case-versions/record-versions.ts'
import { notifyCommentChanged } from '../comments/announce-comments.ts'
import { notifyTestCasesChanged } from '../events/notify-distributed-change.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { toKeyDigest } from '../test-cases/automation-keys.ts'
import { lockTestCases } from '../test-cases/change-test-cases.ts'
import { setArchived } from '../test-cases/set-archived.ts'
import { formatTestCaseId, parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { insertMerge } from './case-merges.queries.ts'
import { type MergedCase, redirectMerged, selectMergedCases, writeMergedRows } from './merged-cases.queries.ts'
import { countParts, type MovedParts, moveParts, selectKeyDigests, selectParts } from './merged-parts.queries.ts'

/**
 * Merges test cases into another one: what belongs to them comes to it, and they are archived. Locks the project, then the test
 * cases.
 * @throws {Problem} 404 for an unknown test case; 422 when they cannot be merged
 */
export async function mergeTestCases(
  db: Database,
  project: ProjectRef,
  { author, actor }: { author: CaseAuthor; actor: AuditActor },
  target: number,
  fromIds: readonly string[],
): Promise<Merge> {
  const { id: projectId, prefix } = project
  const toId = (number: number) => formatTestCaseId(prefix, number)
  const from = [...new Set(fromIds.map((id) => parseTestCaseNumber(id, prefix)))].map((number) => {
    if (number === null) throw notFoundProblem('test case')
    return number
  })
  if (from.includes(target)) throw cannotMerge('same_test_case', `${toId(target)} cannot be merged into itself.`)
  return await transactionWithRowMutex(db, projectId, async (tx) => {
    await requireLockedProject(tx, projectId)
    const stored = await lockTestCases(tx, projectId, [target, ...from])
    const cases = await selectMergedCases(tx, projectId, [target, ...from])
    const [targetCase, ...fromCases] = [target, ...from].map((number) => requireCase(cases, number))
    if (targetCase === undefined) throw notFoundProblem('test case')
    requireMergeable(stored.get(target)?.archived === true, fromCases, toId, target)

    const digests = await selectKeyDigests(tx, projectId, from)
    const parts = await selectParts(tx, projectId, target, from)
    const moved = parts.map((part): MovedParts => {
      const { keys = [] } = cases.get(part.number) ?? {}
      // A text that finds another test case, as one of an earlier version can, stays where it is.
      const moving = keys.filter((key) => digests.get(toKeyDigest(key)) === part.number)
      return { ...part, wasArchived: stored.get(part.number)?.archived === true, keys: moving }
    })
    const keys = [...targetCase.keys, ...moved.flatMap((part) => part.keys)]
    await requireRoom(tx, projectId, target, keys.length, moved)

    const rows = moved.map(({ number, keys: taken }) => ({
      number,
      keys: (cases.get(number)?.keys ?? []).filter((key) => !taken.includes(key)),
      mergedInto: target,
    }))
    const by = (summary: string): CaseAuthor => ({ ...author, via: 'merge', summary })
    const intoTarget = { number: target, sent: { automation_keys: keys } }
    await recordVersionsOfSent(tx, projectId, by(`Merged ${from.map(toId).join(', ')}`), [intoTarget])
    const sent = rows.map((row) => ({ number: row.number, sent: { automation_keys: row.keys, archived: true } }))
    await recordVersionsOfSent(tx, projectId, by(`Merged into ${toId(target)}`), sent)
    await setArchived(tx, project, author, stored, new Map(from.map((number) => [number, true])), {
      keepsVersion: true,
    })
    await moveParts(tx, projectId, target, moved)
    await redirectMerged(tx, projectId, from, target)
    await writeMergedRows(tx, projectId, author.userId, [{ number: target, keys, mergedInto: null }, ...rows])
    const id = await insertMerge(tx, projectId, target, moved)
    await announceMerged(tx, projectId, [target, ...from])
    const entries = fromCases.map(({ number, title }) => ({
      action: 'test_case.merge' as const,
      subject: { kind: 'test_case' as const, id: toId(number), name: title },
      projectId,
      detail: { into: toId(target) },
    }))
    await recordAudits(tx, actor, entries)
    return { id, test_case_id: toId(target), merged_ids: from.map(toId), moved: countMoved(moved) }
  })
}

function requireCase(cases: ReadonlyMap<number, MergedCase>, number: number): MergedCase {
  const found = cases.get(number)
  if (found === undefined) throw notFoundProblem('test case')
  return found
}

/** @throws {Problem} 422 when something is archived that must not be */
function requireMergeable(
  isTargetArchived: boolean,
  fromCases: readonly MergedCase[],
  toId: (number: number) => string,
  target: number,
): void {
  if (isTargetArchived) {
    throw cannotMerge('target_archived', `${toId(target)} is archived. Restore it first, or choose another test case.`)
  }
  const merged = fromCases.find(({ mergedInto }) => mergedInto !== null)
  if (merged === undefined) return
  throw cannotMerge(
    'already_merged',
    `${toId(merged.number)} was merged into ${toId(merged.mergedInto ?? 0)} already. Restore it first to merge it again.`,
  )
}

/** @throws {Problem} 422 when the target would have too much of something */
async function requireRoom(
  tx: Database,
  projectId: string,
  target: number,
  keyCount: number,
  moved: readonly MovedParts[],
): Promise<void> {
  const has = await countParts(tx, projectId, target)
  const comes = countMoved(moved)
  const refuse = (reason: MergeRefusal, noun: string, count: number, limit: number) => {
    if (count <= limit) return
    throw cannotMerge(
      reason,
      `The test case would have ${count.toLocaleString('en')} ${noun}, and it can have ${limit.toLocaleString('en')}. Remove some first, or merge fewer test cases.`,
    )
  }
  refuse('too_many_automation_keys', 'automation keys', keyCount, MAX_AUTOMATION_KEYS)
  if (comes.links > 0) refuse('too_many_links', 'links', has.links + comes.links, MAX_LINKS)
  if (comes.attachments > 0) {
    refuse('too_many_attachments', 'files', has.attachments + comes.attachments, ATTACHMENT_LIMIT.testCase)
  }
  if (comes.comments > 0) refuse('too_many_comments', 'comments', has.comments + comes.comments, MAX_COMMENTS)
}

const countMoved = (moved: readonly MovedParts[]): Merge['moved'] => {
  const count = (kind: 'keys' | 'tests' | 'links' | 'attachments' | 'comments') =>
    moved.reduce((sum, parts) => sum + parts[kind].length, 0)
  return {
    automation_keys: count('keys'),
    tests: count('tests'),
    links: count('links'),
    attachments: count('attachments'),
    comments: count('comments'),
  }
}

const cannotMerge = (reason: MergeRefusal, detail: string) =>
  new Problem(422, 'cannot_merge', detail, { extensions: { reason } })

/** Tells event streams that the test cases, and the comments on them, are different. */
export async function announceMerged(tx: Database, projectId: string, numbers: readonly number[]): Promise<void> {
  await notifyTestCasesChanged(tx, projectId, numbers)
  for (const caseNumber of numbers) {
    await notifyCommentChanged(tx, { kind: 'testCase', projectId, caseNumber, step: null })
  }
}
