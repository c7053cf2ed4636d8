import { type ReplaySummary, type ReplayedSuite, replaySpool } from '@caseward/reporter-core/replay'
import { readSettings } from '@caseward/reporter-core/settings'
import { listJournals, getSpoolDirectory, restoreRefused } from '@caseward/reporter-core/spool-files'
import { countNotStored, describeReplay } from '@caseward/reporter-core/summary'

import type { Context, ExitCode, CommandResult } from '../../context.ts'
import { type ConnectionOptions, readConnection } from '../../settings.ts'
import { pluralize } from '../../terminal.ts'

export interface ReplayOptions extends ConnectionOptions {
  readonly run?: string
  readonly refused?: boolean
}

/** Sends what the spool holds, and says of each suite what was stored or why not. */
export async function replay(options: ReplayOptions, { around, terminal }: Context): Promise<CommandResult> {
  const connection = await readConnection(options, around)
  const folder = getSpoolDirectory(around.cwd())
  if (options.refused === true) restoreRefused(folder)
  if (listJournals(folder).length === 0) {
    terminal.print(['The spool is empty: there is nothing to send.'])
    return { exitCode: 0, document: { suites: [], left: 0 } }
  }
  const { target } = readSettings({ runId: options.run }, {}, around.env)
  const server = { url: connection.url.value, token: connection.token.value, target }
  const done = await replaySpool(folder, server)
  const left = listJournals(folder).length
  const none: ReplaySummary = { replayed: [], forOtherServer: 0, withoutRun: 0, unreadable: 0 }
  const waiting = left - done.forOtherServer - done.withoutRun - failedNow(done.replayed)
  terminal.print([
    ...done.replayed.flatMap((one) => describeReplay({ ...none, replayed: [one] })),
    ...describeReplay({ ...done, replayed: [] }),
    ...(waiting > 0
      ? [`${pluralize(waiting, 'suite')} more in the spool: still running, or not tried after that.`]
      : []),
  ])
  const document = {
    suites: done.replayed.map(toDocument),
    for_other_servers: done.forOtherServer,
    without_run: done.withoutRun,
    unreadable: done.unreadable,
    left,
  }
  return { exitCode: getExitCode(done, left), document }
}

/** Those that failed but may be tried again stay in the spool. */
const failedNow = (replayed: readonly ReplayedSuite[]) =>
  replayed.filter(({ delivery }) => delivery.kind === 'failed' && !delivery.isPermanent).length

function getExitCode({ replayed, unreadable: garbled }: ReplaySummary, left: number): ExitCode {
  const sent = replayed.filter(({ delivery }) => delivery.kind === 'delivered').length
  if (sent === replayed.length && left + garbled === 0) return 0
  return sent > 0 ? 2 : 1
}

function toDocument({ startedAt, framework, delivery }: ReplayedSuite) {
  const suite = { framework, started_at: startedAt.toISOString() }
  if (delivery.kind === 'failed') {
    const { storedCount: stored, reason, isPermanent: forGood } = delivery
    return { ...suite, sent: false, uploaded_count: stored, error: { message: reason }, refused: forGood }
  }
  const uploaded = delivery.receipts.reduce((sum, { uploaded_count }) => sum + uploaded_count, 0)
  return {
    ...suite,
    sent: true,
    run_id: delivery.run.id,
    uploaded_count: uploaded,
    failed_count: countNotStored(delivery),
  }
}
