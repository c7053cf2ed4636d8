import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { type AttachmentRow, insertAttachments, selectWithoutCombination } from './apply-attachments.queries.ts'
import { findPlaces } from './apply-places.queries.ts'
import { withBundleFiles } from './bundle-files.ts'
import { selectSourceNumbers } from './apply-run-uploads.queries.ts'
import { selectTestIds } from './apply-tests.ts'
import { type DoneRecord, markDone, selectWaiting, type WaitingRecord } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import type { PlannedAttachment } from './plan-attachments.ts'
import type { Source } from './source-links.queries.ts'
import { discardContents, storeContents, type StoreDeps, writeContents } from './store-contents.ts'

/** Contents are written while nobody waits; then their files and attachments are a transaction. */
const BATCH = 100

type Waiting = WaitingRecord<PlannedAttachment>

/** Attaches files of a bundle. Begun again, it goes on with those that are not there. */
export async function applyAttachments(
  deps: StoreDeps,
  work: ImportWork,
  { source, total, done }: { source: Source; total: number; done: number },
): Promise<number> {
  const { claim } = work
  return await withBundleFiles(deps, claim, async (getFiles) => {
    for (let count = done; ;) {
      const waiting = await selectWaiting<PlannedAttachment>(deps.db, claim, 'attachment', BATCH)
      if (waiting.length === 0) return count
      await work.keep(deps.db, { stage: 'files', done: count, total })
      const planned = waiting.map((record) => record.planned)
      const written = await writeContents(deps, claim.projectId, planned, getFiles)
      try {
        await transactionWithRowMutex(deps.db, claim.projectId, async (tx) => {
          await requireLockedProject(tx, claim.projectId)
          await work.keep(tx, { stage: 'files', done: count, total })
          await attach(tx, work, source, waiting, written)
        })
      } finally {
        await discardContents(deps, written)
      }
      count += waiting.length
    }
  })
}

async function attach(
  tx: Database,
  { claim }: ImportWork,
  source: Source,
  waiting: readonly Waiting[],
  written: Awaited<ReturnType<typeof writeContents>>,
): Promise<void> {
  const { projectId } = claim
  const places = await findPlaces(
    tx,
    projectId,
    source,
    waiting.map(({ planned }) => planned),
  )
  const tests = await selectTestIds(
    tx,
    claim,
    waiting.flatMap(({ planned }) => planned.test ?? []),
  )
  const located = waiting.flatMap((record, index) => {
    const place = places[index] ?? null
    return place === null ? [] : [{ record, place }]
  })
  const files = await storeContents(
    tx,
    projectId,
    located.flatMap(({ record: { planned } }) => (planned.has_content ? (planned.sha256 ?? []) : [])),
    written,
  )
  const hasSource = await selectSourceNumbers(
    tx,
    projectId,
    located.flatMap(({ place }) => place.run_id ?? []),
  )
  const rows = located.flatMap(({ record: { planned }, place }): AttachmentRow[] => {
    const file = planned.has_content ? (files.get(planned.sha256 ?? '') ?? null) : null
    const testId = planned.test === null ? null : (tests.get(planned.test) ?? null)
    const isPossible = (!planned.has_content || file !== null) && (planned.test === null || testId !== null)
    const { source: number = null } = planned
    const known = number !== null && place.run_id !== null && hasSource(place.run_id, number) ? number : null
    return isPossible ? [{ ...planned, ...place, file_id: file, test_id: testId, source: known }] : []
  })
  const sources = new Map(rows.map((row) => [row.id, row.source]))
  const alone = await selectWithoutCombination(tx, projectId, rows)
  const inserted = await insertAttachments(
    tx,
    projectId,
    rows.map((row) => (alone.has(row.id) ? { ...row, place: null } : row)),
  )
  await markDone(
    tx,
    claim,
    waiting.map(({ seq, planned, losses }, index): DoneRecord => {
      if (places[index] === null) return { seq, action: 'deleted_here', target: null, losses: [] }
      if (inserted.has(planned.id)) {
        const isSourceLost = (planned.source ?? null) !== null && sources.get(planned.id) === null
        const lost = [
          ...(alone.has(planned.id) ? ['attachment_combination_missing'] : []),
          ...(isSourceLost ? ['not_imported:sources'] : []),
        ]
        return { seq, action: 'create', target: planned.id, losses: [...losses, ...lost] }
      }
      const content = written.get(planned.sha256 ?? '')
      const loss = content !== undefined && 'loss' in content ? content.loss : 'not_imported:attachment'
      return { seq, action: 'not_imported', target: null, losses: [loss] }
    }),
  )
}
