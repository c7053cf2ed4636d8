import { deliver, type Delivery, type ServerConnection } from './deliver.ts'
import { closeJournal, startFilesJournal } from './close-journal.ts'
import { deliverFiles, type FilesDelivery, noFiles } from './deliver-files.ts'
import { deleteUnnamedFiles } from './file-spool.ts'
import { type Journal, openJournal } from './journal.ts'
import { type Timeouts, defaultTimeouts } from './timeouts.ts'
import { now } from './restore-globals.ts'
import { claimJournal, findAbandonedJournals, moveToRefused, releaseJournal } from './spool-files.ts'
import type { SuiteRecord } from './suite-record.ts'

/** The delivery of one earlier suite. */
export interface ReplayedSuite {
  /** When the suite started. */
  readonly startedAt: Date
  readonly framework: string
  /** Errors outside of its tests. */
  readonly errors: SuiteRecord['errors']
  readonly delivery: Delivery
}

export interface ReplaySummary {
  readonly replayed: readonly ReplayedSuite[]
  /** Number of journals for other servers. A token is sent only to the server that it was set for. */
  readonly forOtherServer: number
  /** Number of journals without a run, if no run was set for the replay either. */
  readonly withoutRun: number
  /** Number of journals that cannot be read. They were moved to `spool/refused`. */
  readonly unreadable: number
  /** Files of suites whose results are stored. */
  readonly files: FilesDelivery
}

interface ReplayOptions {
  /** Time after which the replay stops and the current delivery is aborted; unlimited by default. */
  readonly timeLimitMs?: number
  /** The same for files, which are sent after all results. */
  readonly filesTimeLimitMs?: number
  readonly timeouts?: Timeouts
}

/**
 * Delivers the journals of earlier suites, the oldest first, then the files that are missing. Stops at the first failure
 * that affects all suites.
 */
export async function replaySpool(
  directory: string,
  server: ServerConnection,
  { timeLimitMs = Infinity, filesTimeLimitMs = Infinity, timeouts = defaultTimeouts }: ReplayOptions = {},
): Promise<ReplaySummary> {
  const replayed: ReplayedSuite[] = []
  const skipped = { forOtherServer: 0, withoutRun: 0, unreadable: 0 }
  const deadline = performance.now() + timeLimitMs
  for (const path of findAbandonedJournals(directory)) {
    const remainingMs = deadline - performance.now()
    if (remainingMs <= 0) break
    const journal = openAbandonedJournal(path)
    if (journal === null) continue
    if (journal === 'unreadable') {
      skipped.unreadable += 1
      continue
    }
    const record = journal.read()
    const skipReason = getSkipReason(record, server)
    if (skipReason !== null) {
      skipped[skipReason] += 1
      journal.release()
      continue
    }
    if (record.remainingFiles !== null) {
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
      totalMs: Math.min(timeouts.totalMs, Math.ceil(remainingMs)),
    })
    if (delivery.kind === 'delivered') startFilesJournal(directory, record, delivery)?.release()
    closeJournal(journal, delivery)
    replayed.push({ startedAt: new Date(startedAt), framework, errors, delivery })
    if (delivery.kind === 'failed' && delivery.affectsAllSuites) {
      return { replayed, ...skipped, files: noFiles }
    }
  }
  const files = await replayFiles(directory, server, { timeLimitMs: filesTimeLimitMs, timeouts })
  deleteUnnamedFiles(directory, [], now())
  return { replayed, ...skipped, files }
}

/** Sends the files of suites whose results are stored, the oldest suite first. */
async function replayFiles(
  spool: string,
  server: ServerConnection,
  { timeLimitMs, timeouts }: { timeLimitMs: number; timeouts: Timeouts },
): Promise<FilesDelivery> {
  let total = noFiles
  const deadline = performance.now() + timeLimitMs
  for (const path of findAbandonedJournals(spool)) {
    const remainingMs = deadline - performance.now()
    if (remainingMs <= 0) break
    const journal = openAbandonedJournal(path)
    if (journal === null || journal === 'unreadable') continue
    const { header, remainingFiles } = journal.read()
    if (remainingFiles === null || (header.url !== null && header.url !== server.url)) {
      journal.release()
      continue
    }
    const options = { spool, server, timeouts, timeLimitMs: remainingMs, asksFirst: true }
    const delivery = await deliverFiles(journal, options)
    total = {
      sentCount: total.sentCount + delivery.sentCount,
      remainingCount: total.remainingCount + delivery.remainingCount,
      suiteCount: total.suiteCount + delivery.suiteCount,
      givenUp: [...total.givenUp, ...delivery.givenUp],
      failure: total.failure ?? delivery.failure,
    }
    if (delivery.failure !== null) break
  }
  return total
}

/** Claims and opens a journal. Returns null if another process was faster, or if only a newer version can read it. */
function openAbandonedJournal(path: string): Journal | 'unreadable' | null {
  const claimedPath = claimJournal(path)
  if (claimedPath === null) return null
  try {
    const journal = openJournal(claimedPath)
    if (typeof journal !== 'string') return journal
    if (journal === 'newer-version') releaseJournal(claimedPath)
    else moveToRefused(claimedPath)
    return journal === 'newer-version' ? null : journal
  } catch {
    // Another user may have access to the file, or this user later.
    return null
  }
}

function getSkipReason(
  { header: { url, target }, remainingFiles }: SuiteRecord,
  server: ServerConnection,
): 'forOtherServer' | 'withoutRun' | null {
  if (url !== null && url !== server.url) return 'forOtherServer'
  return target === null && server.target === null && remainingFiles === null ? 'withoutRun' : null
}

/** Returns whether the process was killed before its first test ended. */
const isEmpty = ({ attempts, errors, ending }: SuiteRecord): boolean =>
  attempts.length + errors.length === 0 && ending === null
