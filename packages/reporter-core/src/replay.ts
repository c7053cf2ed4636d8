import { deliver, type Delivery, type Server } from './deliver.ts'
import { type Journal, openJournal, settle } from './journal.ts'
import { type Patience, patience as usual } from './timeouts.ts'
import { claim, findAbandoned, putAside, release } from './spool-files.ts'
import type { SuiteRecord } from './suite-record.ts'

/** What came of one journal of an earlier suite. */
export interface Replayed {
  /** When its suite began. */
  readonly startedAt: Date
  readonly framework: string
  /** What went wrong outside of its tests. */
  readonly errors: SuiteRecord['errors']
  readonly delivery: Delivery
}

/** What came of a whole spool. */
export interface Replay {
  readonly replayed: readonly Replayed[]
  /** Journals for other servers than this one: a token is only ever sent to the server it was given for. */
  readonly elsewhere: number
  /** Journals that do not say into which run they belong, where none was named. */
  readonly homeless: number
  /** Journals that cannot be read, and were put aside. */
  readonly garbled: number
}

/**
 * Sends what earlier suites have left in a spool, each exactly once, the oldest first. It ends with the first for which
 * the server cannot be had now; that and the rest stay.
 * @param withinMs begins no further journal after so long, and gives up the one that it is at; by default never
 */
export async function replaySpool(
  folder: string,
  server: Server,
  { withinMs = Infinity, patience = usual }: { withinMs?: number; patience?: Patience } = {},
): Promise<Replay> {
  const replayed: Replayed[] = []
  const left = { elsewhere: 0, homeless: 0, garbled: 0 }
  const end = performance.now() + withinMs
  for (const path of findAbandoned(folder)) {
    const restMs = end - performance.now()
    if (restMs <= 0) break
    const journal = take(path)
    if (journal === null) continue
    if (journal === 'garbled') {
      left.garbled += 1
      continue
    }
    const record = journal.read()
    const reason = reasonToStay(record, server)
    if (reason !== null) {
      left[reason] += 1
      journal.keep()
      continue
    }
    if (isEmpty(record)) {
      journal.remove()
      continue
    }
    const { startedAt, framework } = record.header
    const { errors } = record
    const delivery = await deliver(journal, server, {
      ...patience,
      totalMs: Math.min(patience.totalMs, Math.ceil(restMs)),
    })
    settle(journal, delivery)
    replayed.push({ startedAt: new Date(startedAt), framework, errors, delivery })
    if (delivery.kind === 'failed' && delivery.forAll) break
  }
  return { replayed, ...left }
}

/** Takes a journal over, if nobody else was faster and it can be made sense of. One of a newer version is left to that. */
function take(path: string): Journal | 'garbled' | null {
  const mine = claim(path)
  if (mine === null) return null
  try {
    const journal = openJournal(mine)
    if (typeof journal !== 'string') return journal
    if (journal === 'newer') release(mine)
    else putAside(mine)
    return journal === 'newer' ? null : journal
  } catch {
    // It can be read by another user, or on another day.
    return null
  }
}

function reasonToStay({ header: { url, target } }: SuiteRecord, server: Server): 'elsewhere' | 'homeless' | null {
  if (url !== null && url !== server.url) return 'elsewhere'
  return target === null && server.target === null ? 'homeless' : null
}

/** Its process was killed before the first test ended. */
const isEmpty = ({ attempts, errors, ending }: SuiteRecord): boolean =>
  attempts.length + errors.length === 0 && ending === null
