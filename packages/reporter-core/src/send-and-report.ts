import type { EnvironmentVariables } from '@caseward/ci-run/environment'
import { describeKeepingSpool } from '@caseward/ci-run/keep-spool'
import { toSingleLine } from '@caseward/ci-run/plain-text'

import { deliver } from './deliver.ts'
import { closeJournal } from './close-journal.ts'
import type { Journal } from './journal.ts'
import { type Timeouts, defaultTimeouts } from './timeouts.ts'
import { replaySpool } from './replay.ts'
import type { Settings } from './settings.ts'
import { countNotStored, describeErrors, describeFailure, describeReplay, formatSummary } from './summary.ts'
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
  { url, token, target, shard, missing, createCases, addToRun }: Settings,
  { interrupted, directory, env, timeoutOverrides }: SendOptions,
  printLine: (line: string) => void,
): Promise<boolean> {
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
  const replay = async () => {
    // Without a target, because a journal without a run does not belong to the run of this suite.
    const server = { url, token, target: null, createCases, addToRun, env }
    const summary = await replaySpool(directory, server, { timeLimitMs: timeouts.replayMs, timeouts })
    describeReplay(summary).forEach(printLine)
  }
  if (ranNothing && shard === null) {
    printLine('nothing was stored because no test ran.')
    await replay()
    return false
  }
  const delivery = await deliver(journal, { url, token, target, createCases, addToRun, env }, timeouts)
  closeJournal(journal, delivery)
  if (delivery.kind === 'failed') {
    printLine(`${describeFailure(delivery)} ${delivery.isPermanent ? describeRefused(journal) : describeKept(journal)}`)
    if (!delivery.isPermanent) printKeepingSpool(journal, directory, env, printLine)
    describeErrors(record).forEach(printLine)
    return true
  }
  formatSummary(record, delivery, url).forEach(printLine)
  await replay()
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
