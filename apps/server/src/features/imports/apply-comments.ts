import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { insertComments, recountComments, selectTooMany } from './apply-comments.queries.ts'
import { findPlaces } from './apply-places.queries.ts'
import { type DoneRecord, markDone, selectWaiting } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { PlannedComment } from './plan-comments.ts'
import type { Source } from './source-links.queries.ts'

const BATCH = 500

/**
 * Creates comments of a plan in the time of the source, of which nobody is told. The caller holds the lock on the project.
 * @returns how many were done; 0 at the end
 */
export async function applyComments(
  tx: Database,
  claim: ClaimedImport,
  { source }: { source: Source },
): Promise<number> {
  const { projectId } = claim
  const waiting = await selectWaiting<PlannedComment>(tx, claim, 'comment', BATCH)
  if (waiting.length === 0) return 0
  const places = await findPlaces(
    tx,
    projectId,
    source,
    waiting.map(({ planned }) => planned),
  )
  const known = await selectKnown(
    tx,
    projectId,
    waiting.map(({ planned }) => planned.id),
  )
  const rows = waiting.flatMap((record, index) => {
    const place = places[index] ?? null
    return place === null || known.has(record.planned.id) ? [] : [{ ...record.planned, ...place }]
  })
  const tooMany = await selectTooMany(tx, projectId, rows)
  const stored = rows.filter(({ id }) => !tooMany.has(id))
  await insertComments(tx, projectId, stored)
  await recountComments(tx, projectId, stored)
  await markDone(
    tx,
    claim,
    waiting.map(({ seq, planned: { id }, losses }, index): DoneRecord => {
      if (places[index] === null) return { seq, action: 'deleted_here', target: null, losses: [] }
      if (known.has(id)) return { seq, action: 'unchanged', target: id, losses: [] }
      if (tooMany.has(id)) return { seq, action: 'not_imported', target: null, losses: ['not_imported:comment'] }
      return { seq, action: 'create', target: id, losses }
    }),
  )
  return waiting.length
}

/** Which of these comments another import has created since the plan. */
async function selectKnown(tx: Database, projectId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from comments where project_id = ${projectId} and id = any(${[...ids]}::uuid[])`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
