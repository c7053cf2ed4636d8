import type { Attachment } from '@caseward/contract/attachment-schemas'
import type { AttachFileBody } from '@caseward/contract/attachments'
import { v7 as createId } from 'uuid'

import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runAfterCommit } from '../../platform/database/request-transaction.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidFieldProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { detectType } from '../files/detect-type.ts'
import { MAX_STORE_ATTEMPTS, storedAgainAndAgainError } from '../files/files.queries.ts'
import type { ReceivedFile } from '../files/receive-file.ts'
import { announcePlace } from './announce-attachments.ts'
import { type AttachmentPlace, moveAttachmentCount } from './attachment-places.queries.ts'
import { presentAttachment } from './attachments.queries.ts'
import { requireCombination, requireCounts } from './find-place.ts'
import { type AttachmentToInsert, insertAttachment, type InsertedAttachment } from './insert-attachment.queries.ts'

/** What a request attaches: a content that was received with a name in the query, or a stored file in its body. */
export interface NewAttachment {
  received: ReceivedFile | null
  body: AttachFileBody
  queryName: string | undefined
  /** Null for a CI token. */
  createdBy: string | null
}

/**
 * Attaches a file to a place, and counts it there.
 * @throws {Problem} 404 when the place or the file is gone; 422 when the place cannot have more
 */
export async function attachFile(
  { db, announcer }: Pick<Deps, 'db' | 'announcer'>,
  place: AttachmentPlace,
  { received, body, queryName, createdBy }: NewAttachment,
): Promise<Attachment> {
  const name = requireName(received, body, queryName)
  const file =
    received === null
      ? { id: requireFileId(body) }
      : { content: received, type: await detectType(received.head, received.byteCount, name) }
  const row = await insertIntoPlace(db, place, { id: createId(), name, file, createdBy })
  announcePlace({ announcer }, place)
  runAfterCommit(() => {
    if (received !== null) received.isKept = row.isNew
  })
  return presentAttachment(place.projectId, row)
}

async function insertIntoPlace(
  db: Database,
  place: AttachmentPlace,
  attachment: AttachmentToInsert,
): Promise<InsertedAttachment> {
  for (let attempt = 0; attempt < MAX_STORE_ATTEMPTS; attempt += 1) {
    const row = isAtCombination(place)
      ? await insertAtCombination(db, place, attachment)
      : await insertAttachment(db, place, attachment)
    if (row !== null) return row
    await db.transaction().execute((tx) => requirePlace(tx, place))
    if ('id' in attachment.file) throw notFoundProblem('file')
  }
  throw storedAgainAndAgainError()
}

const isAtCombination = (place: AttachmentPlace) => place.kind === 'run' && typeof place.combination === 'number'

/** Only whoever has the lock on the result can be sure that the combination is there. */
const insertAtCombination = (db: Database, place: AttachmentPlace, attachment: AttachmentToInsert) =>
  db.transaction().execute(async (tx) => {
    await requirePlace(tx, place)
    await requireCombination(tx, place)
    return await insertAttachment(tx, place, attachment)
  })

/** Locks a place until the transaction ends. @throws {Problem} 404 when it is gone; 422 when it is full */
async function requirePlace(tx: Database, place: AttachmentPlace): Promise<void> {
  const counts = await moveAttachmentCount(tx, place, 0)
  if (counts === null) throw notFoundProblem(getNoun(place))
  requireCounts(place, { count: counts.count + 1, runCount: counts.runCount + 1 })
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
