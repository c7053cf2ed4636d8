import type { EnvironmentVariables } from '@caseward/ci-run/environment'
import { describeKeepingSpool } from '@caseward/ci-run/keep-spool'
import { toSingleLine } from '@caseward/ci-run/plain-text'

import { deliver, getFiles } from './deliver.ts'
import { deliverFiles, noFiles } from './deliver-files.ts'
import { closeJournal, startFilesJournal } from './close-journal.ts'
import { deleteUnnamedFiles } from './file-spool.ts'
import type { Journal } from './journal.ts'
import { type Timeouts, defaultTimeouts } from './timeouts.ts'
import { replaySpool } from './replay.ts'
import type { Settings } from './settings.ts'
import { countNotStored, describeErrors, describeFailure, describeReplay, formatSummary } from './summary.ts'
import { describeFiles } from './summary-files.ts'
import { now } from './restore-globals.ts'

interface SendOptions {
  readonly interrupted: boolean
  /** The spool directory. */
  readonly directory: string
  readonly env: EnvironmentVariables
  readonly timeoutOverrides?: Partial<Timeouts> | undefined
}

/**
 * Delivers a suite that has ended, then the journals of earlier suites, and prints a summary of both.
 * @returns whether a result of the suite was not stored
 */
export async function sendAndReport(
  journal: Journal,
  settings: Settings,
  { interrupted, directory, env, timeoutOverrides }: SendOptions,
  printLine: (line: string) => void,
): Promise<boolean> {
  const { url, token, target, shard, missing, createCases, addToRun } = settings
  const timeouts = { ...defaultTimeouts, ...timeoutOverrides }
  const { attempts, errors } = journal.read()
  const ranNothing = attempts.length + errors.length === 0
  if (!ranNothing || shard !== null) journal.write({ ending: { at: now(), interrupted } })
  const record = journal.read()

  if (url === null || token === null || target === null) {
    closeJournal(journal, null)
    const saved = ranNothing ? '' : ` ${target === null ? describeKeptWithoutRun(journal) : describeKept(journal)}`
    printLine(`results were not uploaded: ${missing.join('; ')}.${saved}`)
    if (!ranNothing) printKeepingSpool(journal, directory, env, printLine)
    describeErrors(record).forEach(printLine)
    return true
  }
  const replay = async (filesTimeLimitMs: number) => {
    // Without a target, because a journal without a run does not belong to the run of this suite.
    const server = { url, token, target: null, createCases, addToRun, env }
    const limits = { timeLimitMs: timeouts.replayMs, filesTimeLimitMs, timeouts }
    describeReplay(await replaySpool(directory, server, limits)).forEach(printLine)
  }
  if (ranNothing && shard === null) {
    printLine('nothing was stored because no test ran.')
    await replay(settings.attachmentsTimeoutMs)
    return false
  }
  const server = { url, token, target, createCases, addToRun, env }
  const delivery = await deliver(journal, server, timeouts)
  const filesJournal = delivery.kind === 'delivered' ? startFilesJournal(directory, record, delivery) : null
  closeJournal(journal, delivery)
  if (delivery.kind === 'failed') {
    printLine(`${describeFailure(delivery)} ${delivery.isPermanent ? describeRefused(journal) : describeKept(journal)}`)
    if (!delivery.isPermanent) printKeepingSpool(journal, directory, env, printLine)
    describeErrors(record).forEach(printLine)
    return true
  }
  formatSummary(record, delivery, url).forEach(printLine)
  const missingDigests = new Set(delivery.missingFiles.map(({ sha256 }) => sha256))
  const done = getFiles(record).filter(({ sha256 }) => !missingDigests.has(sha256))
  deleteUnnamedFiles(directory, done, now())
  const startedAt = performance.now()
  const getRemainingMs = () => settings.attachmentsTimeoutMs - (performance.now() - startedAt)
  const options = { spool: directory, server, timeouts, timeLimitMs: getRemainingMs(), asksFirst: false }
  const files = filesJournal === null ? noFiles : await deliverFiles(filesJournal, options)
  describeFiles(files).forEach(printLine)
  const keeping = files.remainingCount > 0 ? describeKeepingSpool(directory, env, 'files') : null
  if (keeping !== null) printLine(keeping)
  // Files of earlier suites would fail in the same way, or have no time either.
  await replay(files.remainingCount > 0 ? 0 : getRemainingMs())
  return countNotStored(delivery) > 0
}

/** In CI, nothing is left for the next run unless the user keeps it. */
function printKeepingSpool(
  journal: Journal,
  directory: string,
  env: EnvironmentVariables,
  printLine: (line: string) => void,
): void {
  const text = journal.getWriteError() === null ? describeKeepingSpool(directory, env) : null
  if (text !== null) printLine(text)
}

const describeKept = (journal: Journal) =>
  describeWriteError(journal) ??
  'The results are saved in .caseward/spool and will be sent by the next run or by “caseward replay”.'

const describeKeptWithoutRun = (journal: Journal) =>
  describeWriteError(journal) ??
  'The results are saved in .caseward/spool. To send them, set SERVICE_RUN_ID and run “caseward replay”.'

const describeRefused = (journal: Journal) =>
  describeWriteError(journal) ??
  'The results were moved to .caseward/spool/refused because sending them again would fail in the same way.'

function describeWriteError(journal: Journal): string | null {
  const writeError = journal.getWriteError()
  return writeError === null ? null : `Some results could not be saved: ${toSingleLine(writeError)}.`
}
