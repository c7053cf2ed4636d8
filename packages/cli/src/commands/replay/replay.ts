import { readRunSettings } from '@caseward/ci-run/settings'
import {
  countNotStored,
  describeReplay,
  getSpoolDirectory,
  listJournals,
  type ReplayedSuite,
  replaySpool,
  type ReplaySummary,
  restoreRefused,
} from '@caseward/reporter-core/spool'
import type { Command } from 'commander'

import type { CommandResult, Context, ExitCode } from '../../context.ts'
import { limitLines } from '../../limit-lines.ts'
import { addConnectionOptions } from '../../options.ts'
import { type ConnectionOptions, readServerSettings } from '../../settings.ts'

const help = `
Reporters save results in .caseward/spool before sending them and delete them after the server has processed them. If
the server is unavailable or the process is killed, the saved results are sent by the next test run or by this command:
each suite once, oldest first, with its original finish time, so newer results are not overwritten. Files of tests that the
server still waits for follow after all results.

Results that the server rejected permanently are in .caseward/spool/refused. Use --refused to send them again.

Environment:
  SERVICE_URL      address of the Caseward server; suites saved for another server are skipped
  SERVICE_TOKEN    CI token with write access
  SERVICE_RUN_ID   run for suites saved without one; or SERVICE_PROJECT_ID and SERVICE_RUN_KEY

Exit codes:
  0  everything was sent, or there was nothing to send
  2  some suites were sent, others were not
  1  no suite was sent

Examples:
  caseward replay
  caseward replay --refused --json
`

interface ReplayOptions extends ConnectionOptions {
  readonly run?: string
  readonly refused?: boolean
}

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    command
      .description('Send the results that reporters have saved in .caseward/spool.')
      .option('--run <id>', 'run for suites saved without one (default: SERVICE_RUN_ID)')
      .option('--refused', 'also send results that the server rejected before'),
  )
    .addHelpText('after', help)
    .action((options: ReplayOptions) => context.setResult(replay(options, context)))
}

async function replay(options: ReplayOptions, { runtime, terminal }: Context): Promise<CommandResult> {
  const settings = await readServerSettings(options, runtime)
  const directory = getSpoolDirectory(runtime.cwd())
  if (options.refused === true) restoreRefused(directory)
  if (listJournals(directory).length === 0) {
    terminal.print(['Nothing to send: the spool is empty.'])
    return { exitCode: 0, document: toDocument(nothing, 0) }
  }
  const { target } = readRunSettings({ runId: options.run }, runtime.env)
  const server = { url: settings.url.value, token: settings.token.value, target, env: runtime.env }
  const summary = await replaySpool(directory, server)
  const remaining = listJournals(directory).length
  terminal.print(formatReplay(summary, remaining))
  return { exitCode: getExitCode(summary, remaining), document: toDocument(summary, remaining) }
}

const noFiles = { sentCount: 0, remainingCount: 0, suiteCount: 0, givenUp: [], failure: null }
const nothing: ReplaySummary = { replayed: [], forOtherServer: 0, withoutRun: 0, unreadable: 0, files: noFiles }

/** Formats a line for every suite; the reporters' own summary names the first few only. */
function formatReplay(summary: ReplaySummary, remaining: number): string[] {
  const { replayed, forOtherServer, withoutRun, files } = summary
  const failed = replayed.filter(({ delivery }) => delivery.kind === 'failed' && !delivery.isPermanent).length
  const notTried = remaining - forOtherServer - withoutRun - failed - files.suiteCount
  return [
    ...limitLines(replayed.flatMap((suite) => describeReplay({ ...nothing, replayed: [suite] }))),
    ...describeReplay({ ...summary, replayed: [] }),
    ...(notTried > 0 ? [formatNotTried(notTried, failed > 0)] : []),
  ]
}

function formatNotTried(count: number, hasFailure: boolean): string {
  const reason = hasFailure ? 'still running, or not sent because of the failure above' : 'still running'
  return `${count} more ${count === 1 ? 'suite is' : 'suites are'} in the spool: ${reason}.`
}

function getExitCode({ replayed, unreadable, files }: ReplaySummary, remaining: number): ExitCode {
  const sent = replayed.filter(({ delivery }) => delivery.kind === 'delivered').length + files.sentCount
  const isComplete = replayed.every(({ delivery }) => delivery.kind === 'delivered') && remaining + unreadable === 0
  if (isComplete) return 0
  return sent > 0 ? 2 : 1
}

const toDocument = ({ replayed, forOtherServer, withoutRun, unreadable, files }: ReplaySummary, remaining: number) => ({
  ...toFilesDocument(files),
  suites: replayed.map(toSuiteDocument),
  for_other_servers: forOtherServer,
  without_run: withoutRun,
  unreadable,
  remaining,
})

/** Nothing if no suite had files. */
function toFilesDocument({ sentCount, remainingCount, givenUp, failure }: ReplaySummary['files']) {
  if (sentCount + remainingCount + givenUp.length === 0) return {}
  const error = failure === null ? {} : { error: { message: failure } }
  const notStored = givenUp.map(({ name, reason }) => ({ name, error: reason }))
  return { files: { sent: sentCount, remaining: remainingCount, not_stored: notStored, ...error } }
}

function toSuiteDocument({ startedAt, framework, delivery }: ReplayedSuite) {
  const suite = { framework, started_at: startedAt.toISOString() }
  if (delivery.kind === 'failed') {
    const { storedCount: stored, reason, isPermanent } = delivery
    return { ...suite, sent: false, uploaded_count: stored, error: { message: reason }, refused: isPermanent }
  }
  const uploaded = delivery.receipts.reduce((sum, { uploaded_count: count }) => sum + count, 0)
  return {
    ...suite,
    sent: true,
    run_id: delivery.run.id,
    uploaded_count: uploaded,
    failed_count: countNotStored(delivery),
  }
}
