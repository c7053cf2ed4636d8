import type { UploadItem } from '@caseward/contract/upload-body'
import type { AttachmentsReceipt } from '@caseward/contract/uploads'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { presentDeclared, storeDeclared, tryDeclared } from '../attachments/store-declared.ts'
import type { ResultChanges } from '../events/result-changes.ts'
import type { MatchedItems } from '../results/match-items.ts'
import type { WrittenResults } from '../results/write-results.ts'
import type { RecordedUploads } from '../tests/run-uploads.queries.ts'
import { FIRST_SOURCE } from '../tests/outcome-write.ts'
import { collectDeclared, createFileFinder, type DeclaringAttempt } from './collect-declared.ts'
import { toAttachment } from './read-uploaded-tests.ts'

/** An upload of format `json`. */
export interface ItemsUpload {
  items: readonly UploadItem[]
  matched: MatchedItems
  stored: WrittenResults
  limitBytes: number
  changes: ResultChanges
}

/** An item is the only attempt at its result. */
const ITEM_ATTEMPT = 1

const declaresAttachments = ({ items }: ItemsUpload): boolean =>
  items.some(({ attachments }) => attachments !== undefined && attachments.length > 0)

/** Stores the attachments of items. Without any, in a run without any, it runs no statement. */
export async function declareItemAttachments(
  tx: Database,
  run: RunRef,
  upload: ItemsUpload,
  { sources, attachmentCount }: RecordedUploads,
): Promise<AttachmentsReceipt | undefined> {
  if (attachmentCount === null && !declaresAttachments(upload)) return undefined
  const source = sources[0] ?? FIRST_SOURCE
  const { matched, stored, changes } = upload
  const collected = collect(upload, source)
  const caseNumbers = matched.writes.map(({ caseNumber }) => caseNumber).filter((number) => isStored(stored, number))
  const written = { tests: [], caseNumbers, source }
  const { declarations } = collected
  return presentDeclared(collected, await storeDeclared(tx, run, { declarations, written, attachmentCount, changes }))
}

/** Says what {@link declareItemAttachments} would do with an upload, of which nothing is stored. */
export async function tryItemAttachments(
  db: Database,
  run: RunRef,
  upload: ItemsUpload,
): Promise<AttachmentsReceipt | undefined> {
  if (!declaresAttachments(upload)) return undefined
  const collected = collect(upload, FIRST_SOURCE)
  return presentDeclared(collected, await tryDeclared(db, run, collected.declarations))
}

const isStored = ({ missing, newer }: WrittenResults, caseNumber: number): boolean =>
  !missing.has(caseNumber) && !newer.has(caseNumber)

function collect(upload: ItemsUpload, source: number) {
  const findFile = createFileFinder([])
  return collectDeclared(listItems(upload, source), { findFile, limitBytes: upload.limitBytes })
}

/** Of several items for a test case, only the last one is stored. */
function* listItems({ items, matched, stored }: ItemsUpload, source: number): Generator<DeclaringAttempt> {
  const { caseNumbers } = matched
  const last = new Map(items.map((item, index) => [caseNumbers[index] ?? null, item]))
  for (const [index, item] of items.entries()) {
    if (item.attachments === undefined) continue
    const number = caseNumbers[index] ?? null
    yield {
      testId: null,
      caseNumbers: number === null ? [] : [number],
      source,
      attempt: ITEM_ATTEMPT,
      report: undefined,
      attachments: item.attachments.map(toAttachment),
      isStored: number !== null && last.get(number) === item && isStored(stored, number),
    }
  }
}
