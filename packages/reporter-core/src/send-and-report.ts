import { deliver } from './deliver.ts'
import { type Journal, settle } from './journal.ts'
import { oneLine } from './format-note.ts'
import { type Patience, patience as usual } from './timeouts.ts'
import { replaySpool } from './replay.ts'
import type { Settings } from './settings.ts'
import { countMissed, describeErrors, describeFailure, describeReplay, summarise } from './summary.ts'
import { now } from './restore-globals.ts'

/**
 * Sends a suite that has ended, and then what earlier ones have left, and says what came of both.
 * @returns whether a result was not stored that ought to be
 */
export async function conclude(
  journal: Journal,
  { url, token, target, shard, lacking }: Settings,
  { interrupted, folder, wanted }: { interrupted: boolean; folder: string; wanted?: Partial<Patience> | undefined },
  say: (line: string) => void,
): Promise<boolean> {
  const patience = { ...usual, ...wanted }
  const { attempts, errors } = journal.read()
  const ranNothing = attempts.length + errors.length === 0
  if (!ranNothing || shard !== null) journal.write({ ending: { at: now(), interrupted } })
  const record = journal.read()

  if (url === null || token === null || target === null) {
    settle(journal, null)
    const sending = target === null ? 'once it knows the run, “caseward replay” sends them' : nextTime
    say(`nothing was sent: ${lacking.join('; ')}.${ranNothing ? '' : ` ${whereKept(journal, sending)}`}`)
    describeErrors(record).forEach(say)
    return true
  }
  const replay = async () => {
    // What does not say where it belongs does not belong into this suite's run.
    const server = { url, token, target: null }
    const done = await replaySpool(folder, server, { withinMs: patience.replayMs, patience })
    describeReplay(done).forEach(say)
  }
  if (ranNothing && shard === null) {
    say('no test ran, so nothing was stored.')
    await replay()
    return false
  }
  const delivery = await deliver(journal, { url, token, target }, patience)
  settle(journal, delivery)
  if (delivery.kind === 'failed') {
    say(`${describeFailure(delivery)} ${delivery.forGood ? whereAside(journal) : whereKept(journal, nextTime)}`)
    describeErrors(record).forEach(say)
    return true
  }
  summarise(record, delivery, url).forEach(say)
  await replay()
  return countMissed(delivery) > 0
}

const nextTime = 'the next run or “caseward replay” sends them'

const whereKept = (journal: Journal, sending: string) =>
  lost(journal) ?? `The results are kept in .caseward/spool; ${sending}.`

const whereAside = (journal: Journal) =>
  lost(journal) ?? 'The results are kept in .caseward/spool/refused: to send them again would end the same.'

function lost(journal: Journal): string | null {
  const trouble = journal.trouble()
  return trouble === null ? null : `Nor could all of the results be kept: ${oneLine(trouble)}.`
}
