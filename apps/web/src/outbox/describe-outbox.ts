import { formatClock, type TimeFormat } from '../times.ts'
import type { OutboxSnapshot } from './outbox-snapshot.ts'

/** What the save line says. */
export interface OutboxMessage {
  readonly text: string
  /** `problem`: the user should do something. `waiting`: nothing is lost, but not saved. */
  readonly tone: 'calm' | 'waiting' | 'problem'
}

/** Describes the outbox in words. @returns null if nothing was written yet */
export function describeOutbox(snapshot: OutboxSnapshot, format: TimeFormat = {}): OutboxMessage | null {
  const { phase, refused, savedAt, unstoredCount, waitingCount } = snapshot
  const waiting = `(${waitingCount.toLocaleString(format.locale ?? 'en')} waiting)`
  const [first] = refused
  if (unstoredCount > 0 && phase !== 'saving') {
    return {
      text: `This browser's storage is full: keep this tab open until everything is saved ${waiting}`,
      tone: 'problem',
    }
  }
  if (phase === 'saving') return { text: 'Saving…', tone: 'calm' }
  if (phase === 'retrying') return { text: `Not saved yet, trying again ${waiting}`, tone: 'waiting' }
  if (phase !== 'idle') return { text: `${pauseWords[phase]} ${waiting}`, tone: 'problem' }
  if (first !== undefined) {
    return { text: describeRefused(refused.length, first.problem?.message ?? ''), tone: 'problem' }
  }
  return savedAt === null ? null : { text: `All saved ${formatClock(savedAt, format)}`, tone: 'calm' }
}

const pauseWords = {
  'session-ended': 'Your session ended. Sign in to save',
  'other-user': 'Someone else is signed in. Sign in with your account to save',
  stopped: 'Saving is stopped',
} as const

const describeRefused = (count: number, message: string) =>
  count === 1 ? `Not saved: ${message}` : `${count.toLocaleString('en')} results not saved: ${message}`

/** Whether the page must ask before it is closed (`beforeunload`): something is only in the memory of this tab. */
export const wouldLoseWrites = ({ unstoredCount }: OutboxSnapshot): boolean => unstoredCount > 0

/** Whether the title gets the prefix `(!)`. */
export const hasUnsavedWrites = ({ entries }: OutboxSnapshot): boolean => entries.size > 0
