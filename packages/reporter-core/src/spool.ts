/*
 * The spool, for `caseward replay`: the suites that reporters have saved, and sending them.
 */

export { replaySpool, type ReplayedSuite, type ReplaySummary } from './replay.ts'
export { getSpoolDirectory, listJournals, restoreRefused } from './spool-files.ts'
export { countNotStored, describeReplay } from './summary.ts'
