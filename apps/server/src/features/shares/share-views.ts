import type { FastifyBaseLogger } from 'fastify'

import type { Database } from '../../platform/database/connect.ts'
import { addViews } from './shares.queries.ts'

/** Counts how often shared reports are opened. */
export interface ShareViews {
  /** Counts a view. It is stored some seconds later, together with all others since. */
  add(shareId: string): void
  /** Stores what was counted. A failure is logged. */
  flush(): Promise<void>
}

/** However often reports are opened, a server writes their views once in this time. A crash loses those of this time. */
const FLUSH_MS = 5000
/** What a server remembers while the database is down: further reports are then not counted. */
const MAX_WAITING = 10_000

export function createShareViews(db: Database, log: FastifyBaseLogger): ShareViews {
  const waiting = new Map<string, { count: number; viewedAt: Date }>()
  let timer: NodeJS.Timeout | null = null

  async function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const views = [...waiting].map(([shareId, view]) => ({ shareId, ...view }))
    if (views.length === 0) return
    waiting.clear()
    try {
      await addViews(db, views)
    } catch (error) {
      log.error({ err: error }, 'cannot count the views of shared reports')
    }
  }

  return {
    add(shareId) {
      const view = waiting.get(shareId)
      if (view === undefined && waiting.size >= MAX_WAITING) return
      waiting.set(shareId, { count: (view?.count ?? 0) + 1, viewedAt: new Date() })
      timer ??= setTimeout(() => void flush(), FLUSH_MS)
      timer.unref()
    },
    flush,
  }
}
