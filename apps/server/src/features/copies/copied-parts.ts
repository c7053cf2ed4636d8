import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import {
  insertAttachments,
  insertRequirements,
  lockFiles,
  selectFilesOf,
  selectRequirements,
} from './copied-cases.queries.ts'
import { storeContents, type WrittenContents } from './copied-contents.ts'
import type { LeftOut } from './copied-values.ts'

/** Copies that were created, whose parts follow. */
export interface CreatedCopies {
  sourceId: string
  targetId: string
  userId: string
  /** Of the originals. */
  numbers: readonly number[]
  created: readonly { original: number; number: number }[]
}

/** Returns a part of each original for each of its copies. */
function spread<Part extends { number: number }>(
  { created }: CreatedCopies,
  parts: readonly Part[],
): (Part & { id: string })[] {
  const byOriginal = new Map<number, Part[]>()
  for (const part of parts) byOriginal.set(part.number, [...(byOriginal.get(part.number) ?? []), part])
  return created.flatMap(({ original, number }) =>
    (byOriginal.get(original) ?? []).map((part) => ({ ...part, number, id: uuidv7() })),
  )
}

/** Gives copies the requirements of their originals. */
export async function copyRequirements(tx: Database, copies: CreatedCopies): Promise<void> {
  const { sourceId, targetId, userId, numbers } = copies
  await insertRequirements(tx, targetId, userId, spread(copies, await selectRequirements(tx, sourceId, numbers)))
}

/**
 * Attaches the files of originals to their copies: within a project the same files, in another one those with the same contents.
 * @returns the files that are missing, by the number of the original
 */
export async function copyFiles(
  tx: Database,
  copies: CreatedCopies,
  contents: WrittenContents,
): Promise<Map<number, LeftOut[]>> {
  const { sourceId, targetId, userId, numbers } = copies
  const files = await selectFilesOf(tx, sourceId, numbers)
  const leftOut = new Map<number, LeftOut[]>()
  if (files.length === 0) return leftOut
  const getTargetId = await findTargetFiles()
  const attached = files.flatMap(({ number, step, name, fileId, digest }) => {
    const id = getTargetId({ fileId, digest })
    if (id !== undefined) return [{ number, step, name, file_id: id }]
    const content = contents.get(digest)
    const reason = content !== undefined && 'reason' in content ? content.reason : 'lost'
    leftOut.set(number, [...(leftOut.get(number) ?? []), { field: 'attachments', reason, value: name }])
    return []
  })
  await insertAttachments(tx, targetId, userId, spread(copies, attached))
  return leftOut

  async function findTargetFiles(): Promise<(file: { fileId: string; digest: string }) => string | undefined> {
    if (sourceId === targetId) {
      const locked = await lockFiles(tx, targetId, [...new Set(files.map(({ fileId }) => fileId))])
      return ({ fileId }) => (locked.has(fileId) ? fileId : undefined)
    }
    const digests = files.map(({ digest }) => digest)
    const ids = await storeContents(tx, targetId, digests, contents)
    return ({ digest }) => ids.get(digest)
  }
}
