import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { CommentPlace } from './comments.queries.ts'

/**
 * Notifies servers of a changed comment, in its transaction: people write them, so that few of these wait for each other.
 * Servers of earlier versions send an event of changed members, which does no harm.
 */
export async function notifyCommentChanged(tx: Database, place: CommentPlace): Promise<void> {
  const ids = place.kind === 'testCase' ? String(place.caseNumber) : (place.resultId ?? '')
  const detail = JSON.stringify(place.kind === 'run' ? { run_id: place.runId } : {})
  await sql`select notify_change('comments', ${place.projectId}, ${ids}, ${detail}::json)`.execute(tx)
}
