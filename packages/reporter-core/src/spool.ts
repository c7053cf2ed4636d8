/* What the command line needs of the spool. */
export type { Delivery, Server } from './deliver.ts'
export { type Replay, type Replayed, replaySpool } from './replay.ts'
export { readSettings, type RunTarget, type Settings } from './settings.ts'
export { detectBuild } from './build.ts'
export { runOfKey } from './find-run.ts'
export { listJournals, spoolFolder, takeBack } from './spool-files.ts'
export { countMissed, describeReplay, summarise } from './summary.ts'
