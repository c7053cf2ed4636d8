import type { Attachment } from '@caseward/contract/attachment-schemas'
import type { AttachFileBody } from '@caseward/contract/attachments'
import { v7 as createId } from 'uuid'

import type { Deps } from '../../deps.ts'
import { runAfterCommit } from '../../platform/database/request-transaction.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidFieldProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { detectType } from '../files/detect-type.ts'
import { storeFile } from '../files/files.queries.ts'
import type { ReceivedFile } from '../files/receive-file.ts'
import { announcePlace } from './announce-attachments.ts'
import { type AttachmentPlace, moveAttachmentCount } from './attachment-places.queries.ts'
import { insertAttachment, presentAttachment } from './attachments.queries.ts'
import { requireCombination, requireCounts } from './find-place.ts'

/** What a request attaches: a content that was received with a name in the query, or a stored file in its body. */
export interface NewAttachment {
  received: ReceivedFile | null
  body: AttachFileBody
  queryName: string | undefined
  /** Null for a CI token. */
  createdBy: string | null
}

/**
 * Attaches a file to a place, in one transaction with its counts. Locks the run or test case, then the result, then the file.
 * @throws {Problem} 404 when the place or the file is gone; 422 when the place cannot have more
 */
export async function attachFile(
  { db, announcer }: Pick<Deps, 'db' | 'announcer'>,
  place: AttachmentPlace,
  { received, body, queryName, createdBy }: NewAttachment,
): Promise<Attachment> {
  const name = requireName(received, body, queryName)
  const type = received === null ? null : await detectType(received.head, received.byteCount, name)
  const { row, isKept } = await db.transaction().execute(async (tx) => {
    const counts = await moveAttachmentCount(tx, place, 1)
    if (counts === null) throw notFoundProblem(getNoun(place))
    requireCounts(place, counts)
    await requireCombination(tx, place)
    const file =
      received === null || type === null
        ? { id: requireFileId(body), isNew: false }
        : await storeFile(tx, place.projectId, received, type)
    const inserted = await insertAttachment(tx, place, { id: createId(), name, fileId: file.id, createdBy })
    if (inserted === null) throw notFoundProblem('file')
    return { row: inserted, isKept: file.isNew }
  })
  announcePlace({ announcer }, place)
  runAfterCommit(() => {
    if (received !== null) received.isKept = isKept
  })
  return presentAttachment(place.projectId, row)
}

/** @throws {Problem} 400 without a file or a name */
export function requireName(
  received: object | null,
  { file_id: fileId, name }: AttachFileBody,
  queryName: string | undefined,
): string {
  if (received !== null) {
    if (queryName === undefined) throw invalidFieldProblem('/name', 'is required: the name of the file, in the query')
    return queryName
  }
  if (fileId === undefined) {
    throw invalidFieldProblem('/file_id', 'is required in JSON. Send the bytes of a file with another Content-Type')
  }
  const chosen = name ?? queryName
  if (chosen === undefined) throw invalidFieldProblem('/name', 'is required')
  return chosen
}

function requireFileId({ file_id: id = '' }: AttachFileBody): string {
  if (!isUuid(id)) throw notFoundProblem('file')
  return id
}

export function getNoun(place: AttachmentPlace): string {
  if (place.kind === 'testCase') return 'test case'
  return place.resultId === null ? 'run' : 'result'
}
