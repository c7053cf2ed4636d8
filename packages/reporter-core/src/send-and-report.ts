import { deliver } from './deliver.ts'
import { type Journal, closeJournal } from './journal.ts'
import { toSingleLine } from './format-note.ts'
import { type Timeouts, defaultTimeouts as usual } from './timeouts.ts'
import { replaySpool } from './replay.ts'
import type { Settings } from './settings.ts'
import { countNotStored, describeErrors, describeFailure, describeReplay, formatSummary } from './summary.ts'
import { now } from './restore-globals.ts'

/**
 * Sends a suite that has ended, and then what earlier ones have left, and says what came of both.
 * @returns whether a result was not stored that ought to be
 */
export async function sendAndReport(
  journal: Journal,
  { url, token, target, shard, missing: lacking }: Settings,
  {
    interrupted,
    folder,
    timeoutOverrides,
  }: { interrupted: boolean; folder: string; timeoutOverrides?: Partial<Timeouts> | undefined },
  say: (line: string) => void,
): Promise<boolean> {
  const patience = { ...usual, ...timeoutOverrides }
  const { attempts, errors } = journal.read()
  const ranNothing = attempts.length + errors.length === 0
  if (!ranNothing || shard !== null) journal.write({ ending: { at: now(), interrupted } })
  const record = journal.read()

  if (url === null || token === null || target === null) {
    closeJournal(journal, null)
    const sending = target === null ? 'once it knows the run, “caseward replay” sends them' : nextTime
    say(`nothing was sent: ${lacking.join('; ')}.${ranNothing ? '' : ` ${describeKept(journal, sending)}`}`)
    describeErrors(record).forEach(say)
    return true
  }
  const replay = async () => {
    // What does not say where it belongs does not belong into this suite's run.
    const server = { url, token, target: null }
    const done = await replaySpool(folder, server, { timeLimitMs: patience.replayMs, timeouts: patience })
    describeReplay(done).forEach(say)
  }
  if (ranNothing && shard === null) {
    say('no test ran, so nothing was stored.')
    await replay()
    return false
  }
  const delivery = await deliver(journal, { url, token, target }, patience)
  closeJournal(journal, delivery)
  if (delivery.kind === 'failed') {
    say(
      `${describeFailure(delivery)} ${delivery.isPermanent ? describeRefused(journal) : describeKept(journal, nextTime)}`,
    )
    describeErrors(record).forEach(say)
    return true
  }
  formatSummary(record, delivery, url).forEach(say)
  await replay()
  return countNotStored(delivery) > 0
}

const nextTime = 'the next run or “caseward replay” sends them'

const describeKept = (journal: Journal, sending: string) =>
  describeWriteError(journal) ?? `The results are kept in .caseward/spool; ${sending}.`

const describeRefused = (journal: Journal) =>
  describeWriteError(journal) ??
  'The results are kept in .caseward/spool/refused: to send them again would end the same.'

function describeWriteError(journal: Journal): string | null {
  const trouble = journal.getWriteError()
  return trouble === null ? null : `Nor could all of the results be kept: ${toSingleLine(trouble)}.`
}
