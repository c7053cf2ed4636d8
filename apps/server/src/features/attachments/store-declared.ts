import { ATTACHMENT_LIMIT } from '@caseward/contract/attachments'
import { type AttachmentsReceipt, MAX_REFUSED_ATTACHMENTS, type RefusedAttachment } from '@caseward/contract/uploads'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { settleBoth } from '../../platform/database/settle-both.ts'
import { createIdsInBatch } from '../../platform/ids-in-batch.ts'
import { addAttachmentChanges, type ResultChanges } from '../events/result-changes.ts'
import { describeFileQuota } from '../files/file-problems.ts'
import { selectFileQuota } from '../files/file-quota.ts'
import {
  type Declaration,
  deleteReplaced,
  insertDeclared,
  lockFilesByDigest,
  type NewDeclaration,
  recountAttachments,
  type Replaced,
  selectFilesByDigest,
  selectResultIds,
} from './store-declared.queries.ts'

/** What an upload has written, whose earlier attachments it replaces. */
export interface WrittenAttempts {
  /** Tests with the number of the source that reported them. */
  tests: readonly { testId: string; source: number }[]
  /** Numbers of test cases whose results were set without tests. */
  caseNumbers: readonly number[]
  /** The source of those results. */
  source: number
}

export interface StoreDeclaredOptions {
  declarations: readonly Declaration[]
  written: WrittenAttempts
  /** The number of attachments that the run had; null for none. */
  attachmentCount: number | null
  changes: ResultChanges
}

/** The outcome of declarations. */
export interface StoredDeclarations {
  complete: number
  missing: Map<string, number>
  refused: RefusedAttachment[]
}

/**
 * Stores the attachments that an upload declares, in its transaction, and deletes those that it replaces: of the same attempts,
 * those with another name or content. Contents that the project has are complete at once. The caller holds the lock on the
 * run, and calls this only if something is declared or the run has attachments.
 */
export async function storeDeclared(
  tx: Database,
  run: RunRef,
  { declarations, written, attachmentCount, changes }: StoreDeclaredOptions,
): Promise<StoredDeclarations> {
  const numbers = new Set([...written.caseNumbers, ...declarations.flatMap(({ caseNumbers }) => caseNumbers)])
  const lockFiles = (declared: readonly Declaration[]) =>
    lockFilesByDigest(
      tx,
      run.project.id,
      declared.map(({ sha256 }) => sha256),
    )
  // Where nothing can be replaced, all files are needed: the database gets both queries at once.
  const [resultIds, allFiles] = await settleBoth([
    selectResultIds(tx, run, [...numbers]),
    attachmentCount === null ? lockFiles(declarations) : Promise.resolve(null),
  ])
  const sent = toNew(declarations, resultIds)
  const replaced =
    attachmentCount === null ? NOTHING_REPLACED : await deleteReplaced(tx, run, sent, toReplaced(written, resultIds))
  const kept = new Set(replaced.keptIds)
  const added = sent.filter(({ id }) => !kept.has(id))
  const files = allFiles ?? (await lockFiles(added))
  for (const declaration of added) declaration.fileId = files.get(declaration.sha256) ?? null
  const room = ATTACHMENT_LIMIT.run - (attachmentCount ?? 0) + replaced.deletedCount
  const { accepted, refused } = await checkLimits(tx, run, added, room)
  await insertDeclared(tx, run, accepted, replaced)
  const testIds = unique([...replaced.testIds, ...accepted.map(({ testId }) => testId)])
  const changedResultIds = unique([...replaced.resultIds, ...accepted.map(({ resultId }) => resultId)])
  await recountAttachments(tx, run, replaced)
  if (accepted.length + replaced.deletedCount > 0) {
    addAttachmentChanges(changes, new Date(), { resultIds: changedResultIds, testIds })
  }
  const waitingIds = new Set(replaced.keptWaitingIds)
  const isWaiting = ({ id, fileId }: NewDeclaration) => (kept.has(id) ? waitingIds.has(id) : fileId === null)
  const stored = [...sent.filter(({ id }) => kept.has(id)), ...accepted]
  return summarize(stored, isWaiting, refused)
}

/** Says what {@link storeDeclared} would do, for a dry run. */
export async function tryDeclared(
  db: Database,
  run: RunRef,
  declarations: readonly Declaration[],
): Promise<StoredDeclarations> {
  const files = await selectFilesByDigest(
    db,
    run.project.id,
    declarations.map(({ sha256 }) => sha256),
  )
  const sent = toNew(declarations, new Map())
  for (const declaration of sent) declaration.fileId = files.get(declaration.sha256) ?? null
  const { accepted, refused } = await checkLimits(db, run, sent, ATTACHMENT_LIMIT.run)
  return summarize(accepted, ({ fileId }) => fileId === null, refused)
}

function summarize(
  stored: readonly NewDeclaration[],
  isWaiting: (declaration: NewDeclaration) => boolean,
  refused: RefusedAttachment[],
): StoredDeclarations {
  const waiting = stored.filter(isWaiting)
  return {
    complete: stored.length - waiting.length,
    missing: new Map(waiting.map(({ sha256, byteCount }) => [sha256, byteCount])),
    refused,
  }
}

/** Presents the outcome of the declarations of an upload; undefined when there are none. */
export function presentDeclared(
  { declared, refused }: { declared: number; refused: readonly RefusedAttachment[] },
  stored: StoredDeclarations,
): AttachmentsReceipt | undefined {
  if (declared === 0) return undefined
  return {
    declared,
    complete: stored.complete,
    missing: [...stored.missing].map(([sha256, byteCount]) => ({ sha256, byte_count: byteCount })),
    refused: [...refused, ...stored.refused].slice(0, MAX_REFUSED_ATTACHMENTS),
  }
}

const NOTHING_REPLACED: Replaced = {
  keptIds: [],
  keptWaitingIds: [],
  deletedCount: 0,
  deletedWaitingCount: 0,
  testIds: [],
  resultIds: [],
}

function toNew(declarations: readonly Declaration[], resultIds: ReadonlyMap<number, string>): NewDeclaration[] {
  const createId = createIdsInBatch(declarations.length)
  return declarations.map((declaration) => ({
    ...declaration,
    id: createId(),
    resultId: declaration.caseNumbers.map((number) => resultIds.get(number)).find((id) => id !== undefined) ?? null,
    fileId: null,
  }))
}

const toReplaced = ({ tests, caseNumbers, source }: WrittenAttempts, resultIds: ReadonlyMap<number, string>) => [
  ...tests.map(({ testId, source: number }) => ({ testId, resultId: null, source: number })),
  ...caseNumbers.flatMap((number) => {
    const resultId = resultIds.get(number)
    return resultId === undefined ? [] : [{ testId: null, resultId, source }]
  }),
]

const unique = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))]

/** Refuses what exceeds the limit of the run, and contents for which the project has no space. */
async function checkLimits(
  db: Database,
  { project }: RunRef,
  added: readonly NewDeclaration[],
  room: number,
): Promise<{ accepted: NewDeclaration[]; refused: RefusedAttachment[] }> {
  const refused: RefusedAttachment[] = []
  const accepted: NewDeclaration[] = []
  const found = added.some(({ fileId }) => fileId === null) ? await selectFileQuota(db, project.id) : null
  const awaited = new Set<string>()
  let used = found?.used ?? 0
  for (const declaration of added) {
    const { name, sha256, byteCount, fileId } = declaration
    const newBytes = fileId !== null || awaited.has(sha256) ? 0 : byteCount
    if (accepted.length >= room) {
      const limit = ATTACHMENT_LIMIT.run.toLocaleString('en')
      refused.push({ name, code: 'too_many_attachments', error: `A run can have up to ${limit} attachments.` })
    } else if (found !== null && used + newBytes > found.quota) {
      refused.push({ name, code: 'file_quota_reached', error: describeFileQuota(found.quota) })
    } else {
      used += newBytes
      awaited.add(sha256)
      accepted.push(declaration)
    }
  }
  return { accepted, refused }
}
