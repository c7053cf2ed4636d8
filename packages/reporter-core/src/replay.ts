import { deliver, type Delivery, type ServerConnection } from './deliver.ts'
import { type Journal, openJournal, closeJournal } from './journal.ts'
import { type Timeouts, defaultTimeouts as usual } from './timeouts.ts'
import { claimJournal, findAbandonedJournals, moveToRefused, releaseJournal } from './spool-files.ts'
import type { SuiteRecord } from './suite-record.ts'

/** What came of one journal of an earlier suite. */
export interface ReplayedSuite {
  /** When its suite began. */
  readonly startedAt: Date
  readonly framework: string
  /** What went wrong outside of its tests. */
  readonly errors: SuiteRecord['errors']
  readonly delivery: Delivery
}

/** What came of a whole spool. */
export interface ReplaySummary {
  readonly replayed: readonly ReplayedSuite[]
  /** Journals for other servers than this one: a token is only ever sent to the server it was given for. */
  readonly forOtherServer: number
  /** Journals that do not say into which run they belong, where none was named. */
  readonly withoutRun: number
  /** Journals that cannot be read, and were put aside. */
  readonly unreadable: number
}

/**
 * Sends what earlier suites have left in a spool, each exactly once, the oldest first. It ends with the first for which
 * the server cannot be had now; that and the rest stay.
 * @param withinMs begins no further journal after so long, and gives up the one that it is at; by default never
 */
export async function replaySpool(
  folder: string,
  server: ServerConnection,
  { timeLimitMs = Infinity, timeouts = usual }: { timeLimitMs?: number; timeouts?: Timeouts } = {},
): Promise<ReplaySummary> {
  const replayed: ReplayedSuite[] = []
  const left = { forOtherServer: 0, withoutRun: 0, unreadable: 0 }
  const end = performance.now() + timeLimitMs
  for (const path of findAbandonedJournals(folder)) {
    const restMs = end - performance.now()
    if (restMs <= 0) break
    const journal = openAbandonedJournal(path)
    if (journal === null) continue
    if (journal === 'unreadable') {
      left.unreadable += 1
      continue
    }
    const record = journal.read()
    const reason = getSkipReason(record, server)
    if (reason !== null) {
      left[reason] += 1
      journal.release()
      continue
    }
    if (isEmpty(record)) {
      journal.remove()
      continue
    }
    const { startedAt, framework } = record.header
    const { errors } = record
    const delivery = await deliver(journal, server, {
      ...timeouts,
      totalMs: Math.min(timeouts.totalMs, Math.ceil(restMs)),
    })
    closeJournal(journal, delivery)
    replayed.push({ startedAt: new Date(startedAt), framework, errors, delivery })
    if (delivery.kind === 'failed' && delivery.affectsAllSuites) break
  }
  return { replayed, ...left }
}

/** Takes a journal over, if nobody else was faster and it can be made sense of. One of a newer version is left to that. */
function openAbandonedJournal(path: string): Journal | 'unreadable' | null {
  const mine = claimJournal(path)
  if (mine === null) return null
  try {
    const journal = openJournal(mine)
    if (typeof journal !== 'string') return journal
    if (journal === 'newer-version') releaseJournal(mine)
    else moveToRefused(mine)
    return journal === 'newer-version' ? null : journal
  } catch {
    // It can be read by another user, or on another day.
    return null
  }
}

function getSkipReason(
  { header: { url, target } }: SuiteRecord,
  server: ServerConnection,
): 'forOtherServer' | 'withoutRun' | null {
  if (url !== null && url !== server.url) return 'forOtherServer'
  return target === null && server.target === null ? 'withoutRun' : null
}

/** Its process was killed before the first test ended. */
const isEmpty = ({ attempts, errors, ending }: SuiteRecord): boolean =>
  attempts.length + errors.length === 0 && ending === null
